import type { SessionReport, TokenKinds, Total } from "./audit-report.js";
import { addSaveable, nothingSaveable } from "./saveable.js";
import { addUsage, emptyUsage } from "./usage-count.js";

/** The numbers of a session that a total has the sums of. */
export const SUMMED = [
  "events",
  "calls",
  "turns",
  "commands",
  "terminalsNeeded",
  "terminalsReusable",
  "leftOut",
] as const satisfies (keyof SessionReport & keyof Total)[];

/** The kinds of tokens. */
export const TOKEN_KINDS = [
  "system",
  "environment",
  "user",
  "text",
  "reasoning",
  "calls",
  "results",
] as const satisfies (keyof TokenKinds)[];

/** The total of no session. */
export function emptyTotal(): Total {
  const sums = Object.fromEntries(SUMMED.map((field) => [field, 0]));
  const tokens = Object.fromEntries(TOKEN_KINDS.map((kind) => [kind, 0]));
  const counts = { sessions: 0, sessionsEstimated: 0, stops: 0, nudges: 0, sessionsWithStops: 0 };
  return {
    ...counts,
    ...sums,
    usage: emptyUsage(),
    saveable: nothingSaveable(),
    tokens: { ...tokens, total: 0 },
  } as Total;
}

/** Adds a session to a total. */
export function addTo(total: Total, report: SessionReport): void {
  const stops = report.loops.filter(({ action }) => action === "stop").length;
  total.sessions += 1;
  total.sessionsEstimated += report.usage.isEstimated ? 1 : 0;
  total.stops += stops;
  total.nudges += report.loops.length - stops;
  total.sessionsWithStops += stops > 0 ? 1 : 0;
  for (const field of SUMMED) total[field] += report[field];
  addUsage(total.usage, report.usage);
  addSaveable(total.saveable, report.saveable);
  for (const kind of [...TOKEN_KINDS, "total"] as const) total.tokens[kind] += report.tokens[kind];
}
