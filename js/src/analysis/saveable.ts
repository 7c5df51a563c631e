import type { Count } from "./count.js";
import type { LoopCost } from "./loop-cost.js";
import type { Outdated } from "./outdated.js";
import type { Pauses } from "./pauses.js";
import type { Rereads } from "./rereads.js";
import { inMillionths, type ModelPrices } from "./token-prices.js";
import type { Usage } from "./usage-count.js";

/** What could have been saved, and on what it went. */
export interface Saveable {
  /** Estimated tokens that `turnkeeper repair --economy resume` removes from the history. */
  tokens: Count;
  /** What all of the following cost, in US dollars, and no more than the session did. */
  dollars?: number;
  loops: LoopCost;
  outdated: Outdated & { dollars?: number };
  rereads: Rereads & { dollars?: number };
  pauses: Pauses;
}

/** On what money goes that could have been saved. */
export const WASTES = ["loops", "outdated", "rereads", "pauses"] as const;
export type Waste = (typeof WASTES)[number];

/** What was found in a session, but for what sending outdated things cost. */
export type Found = Pick<Saveable, Waste>;

/** What a session could have saved. */
export function saveableOf(found: Found, usage: Usage, prices: ModelPrices | undefined): Saveable {
  const perToken = dollarsPerToken(usage, prices);
  const priced = <T extends { tokens: number; tokensSent: number }>(
    things: T,
  ): T & { dollars?: number } =>
    perToken === undefined
      ? things
      : { ...things, dollars: inMillionths(perToken(things.tokens, things.tokensSent)) };
  const wastes = {
    loops: found.loops,
    outdated: priced(found.outdated),
    rereads: priced(found.rereads),
    pauses: found.pauses,
  };
  const known = WASTES.map((waste) => wastes[waste].dollars).filter((each) => each !== undefined);
  const sum = known.reduce((all, each) => all + each, 0);
  return {
    tokens: found.outdated.tokens,
    ...(known.length > 0 && { dollars: inMillionths(Math.min(sum, usage.dollars ?? sum)) }),
    ...wastes,
  };
}

/**
 * The prices of tokens that are sent for the first time, and again. Where requests are recorded, what a warm cache
 * made cheaper is in their mean price; else each token is written into the cache once.
 */
function dollarsPerToken(
  usage: Usage,
  prices: ModelPrices | undefined,
): ((tokens: number, sent: number) => number) | undefined {
  if (prices === undefined) return undefined;
  const { input, cacheRead, cacheWrite, isEstimated } = usage;
  const all = input + cacheRead + cacheWrite;
  if (!isEstimated && all > 0) {
    const cost =
      input * prices.input + cacheRead * prices.cacheRead + cacheWrite * prices.cacheWrite;
    return (_, sent) => (sent * cost) / all / 1e6;
  }
  return (tokens, sent) => {
    const written = Math.min(tokens, sent);
    return (written * prices.cacheWrite + (sent - written) * prices.cacheRead) / 1e6;
  };
}
