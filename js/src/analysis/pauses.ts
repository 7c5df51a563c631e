import type { Count } from "./count.js";
import { inMillionths, type ModelPrices } from "./token-prices.js";
import type { Answer } from "./usage-count.js";

/** Requests that came after the prompt cache's lifetime, and paid for the whole context again. */
export interface Pauses {
  requests: Count;
  /** Tokens that were paid for again. */
  tokens: Count;
  /** What they cost more than reading them from the cache; left out where no prices are known. */
  dollars?: number;
}

/** How long a provider keeps a prompt that nobody asks for, in milliseconds. */
const LIFETIME = 5 * 60_000;

/** Finds such requests among the answers of a session. */
export function pausesIn(answers: readonly Answer[], prices: ModelPrices | undefined): Pauses {
  const pauses: Pauses = { requests: 0, tokens: 0 };
  let before: Answer | undefined;
  for (const answer of answers) {
    if (answer.time === undefined || answer.isSum) continue;
    const held = before ? before.cacheRead + before.cacheWrite : 0;
    const isLate = before !== undefined && answer.time - before.time! > LIFETIME;
    // Tokens that the cache had and does not read are sent anew. A compaction makes the context smaller.
    const again = Math.min(held, answer.cacheWrite + answer.input) - answer.cacheRead;
    if (isLate && held > 0 && again > held / 2) {
      pauses.requests += 1;
      pauses.tokens += again;
    }
    before = answer;
  }
  if (prices === undefined) return pauses;
  const more = Math.max(0, prices.cacheWrite - prices.cacheRead);
  return { ...pauses, dollars: inMillionths((pauses.tokens * more) / 1e6) };
}
