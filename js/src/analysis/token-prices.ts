/** What a million tokens of a model cost where its provider caches prompts, in US dollars. */
export interface TokenPrices {
  /** Written by the model. */
  output: number;
  /** Read from the prompt cache. */
  cacheRead: number;
  /** Read by the model and kept in the prompt cache. */
  cacheWrite: number;
}

/** A sum of dollars without the noise of floating-point additions: millionths are kept. */
export function inMillionths(dollars: number): number {
  return Math.round(dollars * 1_000_000) / 1_000_000;
}
