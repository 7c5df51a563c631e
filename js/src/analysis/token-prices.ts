/** What a million tokens of a model cost where its provider caches prompts, in US dollars. */
export interface TokenPrices {
  /** Written by the model. */
  output: number;
  /** Read from the prompt cache. */
  cacheRead: number;
  /** Read by the model and kept in the prompt cache. */
  cacheWrite: number;
}

/** What a million tokens of a model cost, in US dollars. */
export interface ModelPrices extends TokenPrices {
  /** Read by the model for the first time, and not kept. */
  input: number;
}

/** Prices by how a model's name begins, without its provider; the longest such name counts. */
export type PriceTable = Readonly<Record<string, ModelPrices>>;

/** The name of the prices that hold where a session names no model of the table. */
export const OTHER_MODELS = "*";

/** What providers ask in their lists; replaceable, for lists change. */
export const PRICES: PriceTable = {
  [OTHER_MODELS]: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  "claude-opus-4-5": { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
  "claude-opus-4": { input: 15, output: 75, cacheRead: 1.5, cacheWrite: 18.75 },
  "claude-3-opus": { input: 15, output: 75, cacheRead: 1.5, cacheWrite: 18.75 },
  "claude-sonnet": { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  "claude-3-7-sonnet": { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  "claude-3-5-sonnet": { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  "claude-haiku-4-5": { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
  "claude-3-5-haiku": { input: 0.8, output: 4, cacheRead: 0.08, cacheWrite: 1 },
  "gpt-5": { input: 1.25, output: 10, cacheRead: 0.125, cacheWrite: 1.25 },
  "gpt-5-mini": { input: 0.25, output: 2, cacheRead: 0.025, cacheWrite: 0.25 },
  "gpt-4.1": { input: 2, output: 8, cacheRead: 0.5, cacheWrite: 2 },
  "gpt-4o": { input: 2.5, output: 10, cacheRead: 1.25, cacheWrite: 2.5 },
  "gemini-2.5-pro": { input: 1.25, output: 10, cacheRead: 0.125, cacheWrite: 1.25 },
  "gemini-2.5-flash": { input: 0.3, output: 2.5, cacheRead: 0.03, cacheWrite: 0.3 },
};

/** The prices of a model. */
export function pricesOf(model: string | undefined, table: PriceTable = PRICES): ModelPrices {
  // "anthropic/claude-sonnet-4.5:beta" is Anthropic's claude-sonnet-4.5.
  const name = (model ?? "").toLowerCase().replace(/^.*\//, "");
  const names = Object.keys(table).filter((each) => name.startsWith(each.toLowerCase()));
  const longest = names.reduce((best, each) => (each.length > best.length ? each : best), "");
  return table[longest] ?? table[OTHER_MODELS] ?? PRICES[OTHER_MODELS]!;
}

/** A sum of dollars without the noise of floating-point additions: millionths are kept. */
export function inMillionths(dollars: number): number {
  return Math.round(dollars * 1_000_000) / 1_000_000;
}
