import { addAfterNudge, nothingAfterNudge } from "./after-nudge.js";
import type { SessionReport, TokenKinds, Total } from "./audit-report.js";
import { addEconomy, emptyEconomy } from "./economy.js";

/** The numbers of a session that a total has the sums of. */
export const SUMMED = [
  "events",
  "calls",
  "turns",
  "duplicateBlocks",
  "messagesWithDuplicates",
  "duplicateTokens",
  "duplicateTokensSent",
  "outdatedBlocks",
  "outdatedTokens",
  "outdatedTokensSent",
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
  const total = { sessions: 0, stops: 0, nudges: 0, sessionsWithStops: 0, ...sums };
  return {
    ...total,
    afterNudge: nothingAfterNudge(),
    economy: emptyEconomy(),
    tokens: { ...tokens, total: 0 },
  } as Total;
}

/** Adds a session to a total. */
export function addTo(total: Total, report: SessionReport): void {
  const stops = report.loops.filter(({ action }) => action === "stop").length;
  total.sessions += 1;
  total.stops += stops;
  total.nudges += report.loops.length - stops;
  total.sessionsWithStops += stops > 0 ? 1 : 0;
  addAfterNudge(total.afterNudge, report.afterNudge);
  for (const field of SUMMED) total[field] += report[field];
  if (report.economy) addEconomy(total.economy, report.economy);
  for (const kind of [...TOKEN_KINDS, "total"] as const) total.tokens[kind] += report.tokens[kind];
}
