import type { SessionReport, TokenKinds, Total } from "./audit-report.js";
import { nothingOutdated } from "./outdated.js";
import { inMillionths } from "./token-prices.js";
import { emptyUsage } from "./usage-count.js";

/** The numbers of a session that a total has the sums of. */
const SUMMED = [
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

/** No tokens of any kind. */
export function noTokens(): TokenKinds {
  return Object.fromEntries(TOKEN_KINDS.map((kind) => [kind, 0])) as unknown as TokenKinds;
}

/** The total of no session. */
export function emptyTotal(): Total {
  const sums = Object.fromEntries(SUMMED.map((field) => [field, 0]));
  return {
    ...{ sessions: 0, sessionsEstimated: 0, stops: 0, nudges: 0, sessionsWithStops: 0 },
    ...sums,
    usage: emptyUsage(),
    saveable: {
      tokens: 0,
      loops: { calls: 0, requests: 0, tokens: 0 },
      outdated: nothingOutdated(),
      rereads: { compactions: 0, calls: 0, tokens: 0, tokensSent: 0 },
      pauses: { requests: 0, tokens: 0 },
    },
    tokens: { ...noTokens(), total: 0 },
  } as unknown as Total;
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
  for (const field of ["usage", "saveable", "tokens"] as const) add(total[field], report[field]);
}

/** Adds amounts to amounts, at any depth; of dollars there may be none. Whether one is estimated, all are. */
function add(total: object, more: object): void {
  const sums = total as Record<string, unknown>;
  for (const [name, value] of Object.entries(more) as [string, unknown][]) {
    if (typeof value === "object") add(sums[name] as object, value as object);
    else if (typeof value === "boolean") sums[name] ||= value;
    else {
      const sum = ((sums[name] as number | undefined) ?? 0) + (value as number);
      sums[name] = name === "dollars" ? inMillionths(sum) : sum;
    }
  }
}
