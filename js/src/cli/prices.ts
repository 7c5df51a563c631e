/** The option that replaces the table of prices. */

import { readFileSync } from "node:fs";

import { InvalidArgumentError, Option } from "commander";

import { PRICES, type ModelPrices, type PriceTable } from "../analysis/token-prices.js";

/** `--prices FILE`: a {@link PriceTable} as JSON, whose entries go before those of {@link PRICES}. */
export function pricesOption(): Option {
  return new Option(
    "--prices <file>",
    'prices as JSON: {"<model>": {"input", "output", "cacheRead", "cacheWrite"}}, in dollars for a ' +
      'million tokens; "*" stands for models that have none',
  )
    .argParser(readPrices)
    .default(PRICES, "list prices of common models");
}

const FIELDS = ["input", "output", "cacheRead", "cacheWrite"] as const;

function readPrices(file: string): PriceTable {
  const given = readJson(file);
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw new InvalidArgumentError("It holds no object of models.");
  }
  const table: Record<string, ModelPrices> = { ...PRICES };
  for (const [model, prices] of Object.entries(given as Record<string, unknown>)) {
    for (const field of FIELDS) {
      const price = (prices as Record<string, unknown> | null)?.[field];
      if (typeof price !== "number" || !(price >= 0) || price === Infinity) {
        throw new InvalidArgumentError(`${field} of "${model}" must be a number, 0 or more.`);
      }
    }
    table[model] = prices as ModelPrices;
  }
  return table;
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8").replace(/^\ufeff/, ""));
  } catch (error) {
    const isJson = error instanceof SyntaxError;
    throw new InvalidArgumentError(isJson ? "Not valid JSON." : "It cannot be read.");
  }
}
