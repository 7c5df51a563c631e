// Renews the table of prices: LiteLLM's, which is in its Python package, of the models that agents use.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** Where models are looked for: their makers first, and for those that these sell no more, others. */
const PROVIDERS =
  `anthropic openai gemini xai deepseek moonshot zai minimax meta xiaomi_mimo mistral
  dashscope bedrock_converse bedrock vertex_ai-anthropic_models vertex_ai-language-models vertex_ai azure
  openrouter vercel_ai_gateway fireworks_ai novita`.split(/\s+/);

/** The beginnings of the names of models that agents use. */
const MODELS =
  `claude- codestral codex- deepseek- devstral gemini- glm- gpt- grok- kimi- llama-4 magistral
  mimo- minimax- ministral mistral- muse- nova- o1 o3 o4 qwen`.split(/\s+/);

/** Words in the names of models that no agent uses, or that are another offer of the same model. */
const OTHERS =
  `-exp- -vl audio base basic bf16 claude-v coder-33b coder-v2 computer custom daybreak distill
  draft embed experimental fp8 gemma gpt-3 gpt-4-0 gpt-4-1106 guard gv2 highspeed image instant lite-chat
  live math mistral-7b mixtral multi-agent native nemo ocr omni prover qwen-2 qwen-3- qwen-mt qwen1 qwen2
  qwen3-14b qwen3-4b qwen3-8b qwq-32b r1-0528-qwen r1-turbo realtime research robotics rosalind saba search
  spot tiny transcribe tts ultrafast v3-turbo vision`.split(/\s+/);

/** Fast modes that earlier editions of the list had. The makers sell them no more, and sessions of that time cost so. */
const FORMER_FAST = { "claude-opus-4-6": 6, "claude-opus-4-7": 6 };

/** The names of tiers, and the list's endings for their prices. The first are asked where nothing else is said. */
const TIERS = {
  usual: "",
  priority: "_priority",
  flex: "_flex",
  batch: "_batches",
  ultrafast: "_ultrafast",
};

const folder = mkdtempSync(path.join(tmpdir(), "prices-"));
try {
  const file = fileURLToPath(new URL("../src/analysis/prices.json", import.meta.url));
  writeFileSync(file, newest(folder));
} finally {
  rmSync(folder, { recursive: true });
}

/** The table of the newest package. */
function newest(folder) {
  const start = (program, ...words) =>
    execFileSync(program, words, { cwd: folder, stdio: "inherit" });
  start("pip", "download", "--no-deps", "--only-binary=:all:", "--dest", ".", "litellm");
  const [wheel] = readdirSync(folder);
  start("python3", "-m", "zipfile", "-e", wheel, ".");
  const read = (...names) => JSON.parse(readFileSync(path.join(folder, ...names), "utf8"));
  const listed = read("litellm", "model_prices_and_context_window_backup.json");
  const version = wheel.split("-")[1];
  // The day on which the package was made is in its bill of materials; of its files none has a time.
  const bills = path.join(`litellm-${version}.dist-info`, "sboms");
  const [bill] = readdirSync(path.join(folder, bills)).filter((name) => name.endsWith(".json"));
  const day = read(bills, bill).metadata.timestamp.slice(0, 10);
  return table(listed, day, version);
}

/** The table as JSON, a line a model. */
function table(listed, day, version) {
  const models = new Map();
  const providers = new Map();
  for (const provider of PROVIDERS) {
    for (const [key, value] of Object.entries(listed)) {
      const isAsked = value.mode === "chat" || value.mode === "responses";
      if (value.litellm_provider !== provider || !isAsked || isRegional(key)) continue;
      const name = bare(key);
      if (!isUsed(name)) continue;
      const model = family(name);
      if (!providers.has(model)) providers.set(model, provider);
      const entry = providers.get(model) === provider && entryOf(name, value);
      if (entry && !models.has(name)) models.set(name, JSON.stringify(entry));
    }
  }
  // A date adds nothing where the name without it costs the same.
  const isSaid = (name, entry) => undated(name) !== name && models.get(undated(name)) === entry;
  const rows = [...models]
    .filter(([name, entry]) => !isSaid(name, entry))
    .map(([name, entry]) => ` "${name}": ${entry}`)
    .sort();
  if (rows.length < 200) throw new Error(`only ${rows.length} models: the list has another shape`);
  const head = `{\n"date": "${day}",\n"source": "LiteLLM ${version}",\n"models": {\n`;
  return `${head}${rows.join(",\n")}\n}\n}\n`;
}

/** Whether it is an offer of a region, or a model of somebody's own. */
function isRegional(key) {
  return (
    /^(bedrock|azure)\/.*\//.test(key) || /^(ft:|(us|eu|apac|global|jp|au|us-gov)\.)/.test(key)
  );
}

/** A name without its provider and its place there. */
function bare(key) {
  return key
    .replace(/.*\//, "")
    .toLowerCase()
    .replace(/^([a-z-]*\.)+/, "")
    .replace(/(-v\d*|-1)?:.*/, "")
    .replaceAll("@", "-");
}

function isUsed(name) {
  return (
    MODELS.some((beginning) => name.startsWith(beginning)) &&
    // "2p5" is Fireworks' for 2.5.
    !/\dp\d|-default$|-us$/.test(name) &&
    !OTHERS.some((word) => name.includes(word))
  );
}

/** A name without its date. */
function undated(name) {
  return name.replace(/-latest$/, "").replace(/-(\d{4}|\d{8}|[^-]{4}-[^-]{2}-[^-]{2})$/, "");
}

/** The same for all spellings and dates of a model. */
function family(name) {
  const plain = undated(name).replace(/[._]/g, "-");
  if (!plain.startsWith("claude-")) return plain;
  // "claude-3-5-sonnet" and "claude-sonnet-4-5"
  const parts = plain.split("-").filter((part) => part !== "v1");
  return parts.sort((one, other) => /^\d/.test(one) - /^\d/.test(other)).join("-");
}

/**
 * What the list has of a model: the longest request that it takes, the prices of each tier and length, and factors.
 * "priority>272000" are the prices of priority requests that send more than 272,000 tokens.
 */
function entryOf(name, value) {
  const usual = byLength(value, TIERS.usual);
  if (usual[0]?.above !== 0) return undefined;
  const entry = {};
  if (Number.isInteger(value.max_input_tokens)) entry.window = value.max_input_tokens;
  for (const [tier, ending] of Object.entries(TIERS)) {
    const lengths = byLength(value, ending);
    if (lengths[0]?.above !== 0) continue;
    const factor = tier !== "usual" && factorOf(lengths, usual);
    if (factor) entry[tier] = factor;
    else {
      for (const { above, prices } of lengths) {
        entry[above === 0 ? tier : `${tier}>${above}`] = prices;
      }
    }
  }
  const listed = value.provider_specific_entry;
  const fast = listed?.fast ?? FORMER_FAST[undated(name)];
  if (fast) entry.fast = fast;
  if (listed?.us) entry.us = listed.us;
  return entry;
}

/** The prices of a tier by the number of tokens above which they are asked. */
function byLength(value, ending) {
  const input = "input_cost_per_token";
  if (ending === "" && value.tiered_pricing && value[input] === undefined) {
    return value.tiered_pricing
      .map((tier) => ({ above: tier.range?.[0] ?? 0, prices: pricesOf(tier, "", "") }))
      .filter(({ prices }) => prices);
  }
  const longer = new RegExp(`^${input}_above_(\\d+)k_tokens${ending}$`);
  const lengths = Object.keys(value).flatMap((key) => longer.exec(key)?.slice(1).map(Number) ?? []);
  return [0, ...lengths.sort((one, other) => one - other)]
    .map((above) => {
      const length = above === 0 ? "" : `_above_${above}k_tokens`;
      return { above: above * 1_000, prices: pricesOf(value, length, ending) };
    })
    .filter(({ prices }) => prices);
}

/** Of a million tokens: input, output, read from the cache, kept in it, and kept for an hour, as far as they are listed. */
function pricesOf(value, length, ending) {
  const price = (name) => value[`${name}${length}${ending}`] ?? null;
  const kept = "cache_creation_input_token_cost";
  const prices = [
    price("input_cost_per_token"),
    price("output_cost_per_token"),
    price("cache_read_input_token_cost"),
    price(kept) || null,
    price(`${kept}_above_1hr`) || null,
  ];
  if (prices[0] === null || prices[1] === null) return undefined;
  while (prices.at(-1) === null) prices.pop();
  // In dollars for a million tokens, to the millionth of a dollar.
  return prices.map((one) => one && Math.round(one * 1e12) / 1e6);
}

/** The number by which all prices differ from the usual ones, if it is one for all lengths and kinds. */
function factorOf(lengths, usual) {
  const flat = (lengths) =>
    lengths.flatMap(({ above, prices }) => prices.map((price) => ({ above, price })));
  const [prices, others] = [flat(lengths), flat(usual)];
  const factor = prices[0].price / others[0].price;
  const isSame = ({ above, price }, at) => {
    const other = others[at];
    const isNear = Math.abs(price - other.price * factor) < 1e-9;
    return above === other.above && (price === null ? other.price === null : isNear);
  };
  if (prices.length !== others.length || !prices.every(isSame)) return undefined;
  return Math.round(factor * 1e6) / 1e6;
}
