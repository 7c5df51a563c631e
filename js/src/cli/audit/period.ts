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
  /** In words, as the beginning of a period that lasts until now. */
  title: string;
}

const UNITS = {
  h: { name: "hour", milliseconds: 3_600_000 },
  d: { name: "day", milliseconds: 86_400_000 },
  w: { name: "week", milliseconds: 7 * 86_400_000 },
} as const;

/** Reads `7d`, `24h`, `2w`, a date, or `all`. */
export function momentOf(text: string): Moment {
  if (text === "all") return { time: -Infinity, title: "all time" };
  const [, count, unit] = /^(\d{1,4})([hdw])$/.exec(text) ?? [];
  if (unit !== undefined) {
    const { name, milliseconds } = UNITS[unit as keyof typeof UNITS];
    const title = `last ${count === "1" ? "" : `${count} `}${name}${count === "1" ? "" : "s"}`;
    return { time: Date.now() - Number(count) * milliseconds, title };
  }
  // A date alone is a day of the user's, not of Greenwich.
  const time = /^\d{4}-\d\d-\d\d$/.test(text)
    ? new Date(`${text}T00:00`).getTime()
    : /^\d{4}-\d\d-\d\dT/.test(text)
      ? Date.parse(text)
      : NaN;
  if (Number.isNaN(time)) {
    throw new InvalidArgumentError('It is a time such as 7d, 24h, 2w or 2026-11-01, or "all".');
  }
  return { time, title: `since ${text}` };
}

/** @param isFound whether sessions are looked for, and not named: then it is the last week */
export function periodOf(
  since: Moment | undefined,
  until: Moment | undefined,
  isFound: boolean,
): Period {
  const from = since ?? (isFound ? momentOf("7d") : momentOf("all"));
  const end = until?.time ?? Infinity;
  const title = until === undefined ? from.title : `${from.title} until ${day(end)}`;
  return {
    since: from.time,
    until: end,
    isAll: from.time === -Infinity && end === Infinity,
    title,
  };
}

function day(time: number): string {
  return Number.isFinite(time) ? new Date(time).toISOString().slice(0, 10) : "now";
}
