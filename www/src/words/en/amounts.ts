/** A number, as it is written in English. */
export const count = (value: number): string => value.toLocaleString("en-US");

/** A number of things. */
export const plural = (value: number, thing: string): string =>
  `${count(value)} ${thing}${value === 1 ? "" : "s"}`;
