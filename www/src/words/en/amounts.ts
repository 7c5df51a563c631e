/** A number, as it is written in English. */
export const count = (value: number): string => value.toLocaleString("en-US");

/** The number of a call for people, who count from 1. */
export const callNumber = (call: number): string => count(call + 1);

/** A number of things. */
export const plural = (value: number, thing: string): string =>
  `${count(value)} ${thing}${value === 1 ? "" : "s"}`;

/** A part of a whole, in percent. */
export const share = (value: number): string =>
  value.toLocaleString("en-US", { style: "percent", maximumFractionDigits: 1 });

/** A number that is estimated, in its first two digits: "52 million". */
export const rounded = (value: number): string => {
  const isLarge = value >= 1_000_000;
  const form: Intl.NumberFormatOptions = isLarge
    ? { notation: "compact", compactDisplay: "long" }
    : {};
  return value.toLocaleString("en-US", { ...form, maximumSignificantDigits: 2 });
};

/** An amount of US dollars. */
export const dollars = (value: number): string => {
  const isTiny = value > 0 && value < 0.01;
  const amount = Math.max(value, isTiny ? 0.01 : 0);
  const written = amount.toLocaleString("en-US", { style: "currency", currency: "USD" });
  return isTiny ? `under ${written}` : written;
};
