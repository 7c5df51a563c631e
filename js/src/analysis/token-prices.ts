/** What a million tokens of a model cost, in US dollars. */
export interface ModelPrices {
  /** Read by the model for the first time, and not kept. */
  input: number;
  /** Written by the model. */
  output: number;
  /** Read from the prompt cache. */
  cacheRead: number;
  /** Read by the model and kept in the prompt cache. */
  cacheWrite: number;
}

/** Prices by how a model's name begins, without its provider; the longest such name counts. */
export type PriceTable = Readonly<Record<string, ModelPrices>>;

/** The name of prices for models that the table does not have. */
export const OTHER_MODELS = "*";

/** What providers ask in their lists; replaceable, for lists change. */
export const PRICES: PriceTable = {
  "claude-opus-4-5": anthropic(5, 25),
  "claude-opus-4-6": anthropic(5, 25),
  "claude-opus-4-7": anthropic(5, 25),
  "claude-opus-4": anthropic(15, 75),
  "claude-3-opus": anthropic(15, 75),
  "claude-sonnet": anthropic(3, 15),
  "claude-3-7-sonnet": anthropic(3, 15),
  "claude-3-5-sonnet": anthropic(3, 15),
  "claude-haiku-4-5": anthropic(1, 5),
  "claude-3-5-haiku": anthropic(0.8, 4),
  "claude-3-haiku": anthropic(0.25, 1.25),
  "gpt-5": openai(1.25, 0.125, 10),
  "gpt-5.2": openai(1.75, 0.175, 14),
  "gpt-5-mini": openai(0.25, 0.025, 2),
  "gpt-5.1-codex-mini": openai(0.25, 0.025, 2),
  "gpt-5-nano": openai(0.05, 0.005, 0.4),
  "gpt-4.1": openai(2, 0.5, 8),
  "gpt-4.1-mini": openai(0.4, 0.1, 1.6),
  "gpt-4o": openai(2.5, 1.25, 10),
  "gpt-4o-mini": openai(0.15, 0.075, 0.6),
  o3: openai(2, 0.5, 8),
  "o4-mini": openai(1.1, 0.275, 4.4),
  "gemini-3-pro": openai(2, 0.2, 12),
  "gemini-2.5-pro": openai(1.25, 0.125, 10),
  "gemini-2.5-flash": openai(0.3, 0.03, 2.5),
  "gemini-2.5-flash-lite": openai(0.1, 0.01, 0.4),
};

/** Anthropic asks a quarter more for what it keeps, and a tenth for what it has kept. */
function anthropic(input: number, output: number): ModelPrices {
  return { input, output, cacheRead: input / 10, cacheWrite: 1.25 * input };
}

/** OpenAI and Google ask nothing for keeping. */
function openai(input: number, cacheRead: number, output: number): ModelPrices {
  return { input, output, cacheRead, cacheWrite: input };
}

/** The prices of a model; undefined if the table has none. */
export function pricesOf(
  model: string | undefined,
  table: PriceTable = PRICES,
): ModelPrices | undefined {
  // Thousands of answers are of a few models.
  if (table !== known.table) Object.assign(known, { table, models: new Map() });
  const name = model ?? "";
  if (!known.models.has(name)) {
    if (known.models.size >= MOST_KNOWN) known.models.clear();
    known.models.set(name, listed(name, table));
  }
  return known.models.get(name);
}

/** The prices that were looked up in the table that was asked last. */
const known: { table: PriceTable; models: Map<string, ModelPrices | undefined> } = {
  table: PRICES,
  models: new Map(),
};
const MOST_KNOWN = 1_000;

function listed(model: string, table: PriceTable): ModelPrices | undefined {
  const name = plainName(model);
  let best: string | undefined;
  for (const each of Object.keys(table)) {
    if (!name.startsWith(plainName(each))) continue;
    if (best === undefined || each.length > best.length) best = each;
  }
  return table[best ?? OTHER_MODELS];
}

/** "anthropic/claude-sonnet-4.5:beta" is Anthropic's claude-sonnet-4-5. */
function plainName(model: string): string {
  return model.toLowerCase().replace(/^.*\//, "").replaceAll(".", "-");
}

/** What tokens cost at a model's prices. */
export function dollarsFor(
  usage: {
    input: number;
    cacheRead: number;
    cacheWrite: number;
    cacheWriteLong?: number;
    output: number;
  },
  prices: ModelPrices,
): number {
  const { input, cacheRead, cacheWrite, cacheWriteLong = 0, output } = usage;
  // Tokens that are kept for an hour cost twice the input, where keeping costs at all.
  const long = prices.cacheWrite > prices.input ? 2 * prices.input : prices.cacheWrite;
  const written = (cacheWrite - cacheWriteLong) * prices.cacheWrite + cacheWriteLong * long;
  const read = input * prices.input + cacheRead * prices.cacheRead;
  return (read + written + output * prices.output) / 1e6;
}

/** A sum of dollars without the noise of floating-point additions: millionths are kept. */
export function inMillionths(dollars: number): number {
  return Math.round(dollars * 1_000_000) / 1_000_000;
}
