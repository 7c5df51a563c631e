/** The time that an audit is of. */

import { InvalidArgumentError } from "commander";

export interface Period {
  /** In milliseconds since 1970; infinite if it has no beginning or end. */
  since: number;
  until: number;
  /** Whether it is all of time. */
  isAll: boolean;
  /** In words. */
  title: string;
}

/** A point in time, as an option names it. */
export interface Moment {
  time: number;
  /** The end of the day, if a day is named. */
  end: number;
  /** In words, as the beginning of a period that lasts until now, and as the end of one. */
  title: string;
  until: string;
}

const UNITS = {
  h: { name: "hour", milliseconds: 3_600_000 },
  d: { name: "day", milliseconds: 86_400_000 },
  w: { name: "week", milliseconds: 7 * 86_400_000 },
} as const;

/** Reads `7d`, `24h`, `2w`, a date, or `all`. */
export function momentOf(text: string): Moment {
  if (text === "all") return at(-Infinity, "all time", "now", Infinity);
  const [, count, unit] = /^(\d{1,4})([hdw])$/.exec(text) ?? [];
  if (unit !== undefined) {
    const { name, milliseconds } = UNITS[unit as keyof typeof UNITS];
    const title = `last ${count === "1" ? "" : `${count} `}${name}${count === "1" ? "" : "s"}`;
    const time = Date.now() - Number(count) * milliseconds;
    return at(time, title, `${count} ${name}${count === "1" ? "" : "s"} ago`);
  }
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  if (day !== undefined) {
    // A date alone is a day of the user's, not of Greenwich.
    const begin = new Date(Number(year), Number(month) - 1, Number(day));
    const next = new Date(Number(year), Number(month) - 1, Number(day) + 1);
    const isDay = begin.getMonth() + 1 === Number(month);
    if (isDay) return at(begin.getTime(), `since ${text}`, text, next.getTime() - 1);
  }
  const time = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(time)) {
    throw new InvalidArgumentError('It is a time such as 7d, 24h, 2w or 2026-11-01, or "all".');
  }
  return at(time, `since ${text}`, text);
}

function at(time: number, title: string, until: string, end = time): Moment {
  return { time, end, title, until };
}

/** @param isFound whether sessions are looked for, and not named: then it is the last week */
export function periodOf(
  since: Moment | undefined,
  until: Moment | undefined,
  isFound: boolean,
): Period {
  const from = since ?? (isFound ? momentOf("7d") : momentOf("all"));
  const end = until?.end ?? Infinity;
  const title = until === undefined ? from.title : `${from.title} until ${until.until}`;
  return {
    since: from.time,
    until: end,
    isAll: from.time === -Infinity && end === Infinity,
    title,
  };
}
