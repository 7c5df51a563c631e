/** What each format's values record of tokens and money. Nothing is estimated here, and no gap is filled. */

import { fields, text, type Fields } from "./fields.js";
import type { FormatName, RecordedUsage } from "./saved-session.js";

/** Reads what a session's values record, one after another; some formats say it in steps. */
export interface UsageReader {
  read(value: unknown): RecordedUsage[];
}

/** The reader for a format; undefined if its files record no usage. */
export function usageReader(format: FormatName): UsageReader | undefined {
  if (format === "codex") return new CodexUsage();
  if (format === "copilot-cli") return new CopilotCliUsage();
  const read = BY_FORMAT[format];
  return read && { read: (value) => read(fields(value)).filter(isSomething) };
}

const BY_FORMAT: Partial<Record<FormatName, (value: Fields) => RecordedUsage[]>> = {
  "claude-code": claudeCode,
  "claude-stream": claudeStream,
  "gemini-cli": geminiCli,
  "qwen-code": qwenCode,
  "cline-ui": clineUi,
  cline: message,
  anthropic: message,
  pi,
  opencode,
  goose,
  crush,
  openhands,
  "copilot-chat": copilotChat,
  kimi,
  atif,
};

/** Parts of a usage that are numbers; whatever else stands there is 0. */
function amount(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}

/** Input, of which a part came from the cache or went into it, as most protocols but Anthropic's have it. */
function inclusive(input: unknown, read: unknown, written?: unknown): TokenParts {
  const [cacheRead, cacheWrite] = [amount(read), amount(written)];
  return { input: Math.max(0, amount(input) - cacheRead - cacheWrite), cacheRead, cacheWrite };
}

type TokenParts = Pick<RecordedUsage, "input" | "cacheRead" | "cacheWrite">;

function isSomething({ input, output, cacheRead, cacheWrite, dollars }: RecordedUsage): boolean {
  return input + output + cacheRead + cacheWrite > 0 || dollars !== undefined;
}

/** An answer's usage with the facts about it that are there. */
function about(
  usage: RecordedUsage,
  id: unknown,
  model?: unknown,
  dollars?: unknown,
): RecordedUsage {
  if (typeof id === "string" && id !== "") usage.id = id;
  if (typeof model === "string" && model !== "") usage.model = model;
  if (typeof dollars === "number" && Number.isFinite(dollars) && dollars >= 0) {
    usage.dollars = dollars;
  }
  return usage;
}

/** Anthropic's usage: its three parts of the input are added. */
function anthropicParts(usage: Fields): RecordedUsage {
  const parts: RecordedUsage = {
    input: amount(usage.input_tokens),
    cacheRead: amount(usage.cache_read_input_tokens),
    cacheWrite: amount(usage.cache_creation_input_tokens),
    output: amount(usage.output_tokens),
  };
  const long = amount(fields(usage.cache_creation).ephemeral_1h_input_tokens);
  if (long > 0) parts.cacheWriteLong = long;
  return parts;
}

/**
 * Each content block of an answer is a line with the answer's usage, and files of resumed sessions repeat
 * answers. Subagents in the same file were paid for, too; what `progress` lines show of them is in files of
 * their own.
 */
function claudeCode({ type, message, requestId, costUSD }: Fields): RecordedUsage[] {
  const { id, model, usage } = fields(message);
  // An error of the API is an answer of the model "<synthetic>".
  if (type !== "assistant" || typeof usage !== "object" || model === "<synthetic>") return [];
  // Other providers' ids are not unique by themselves.
  const key = text(id)?.startsWith("msg_") ? id : `${text(id) ?? ""} ${text(requestId) ?? ""}`;
  const own = id === undefined ? undefined : key;
  return [about(anthropicParts(fields(usage)), own, model, costUSD)];
}

function claudeStream({ type, message, total_cost_usd }: Fields): RecordedUsage[] {
  if (type === "result")
    return [about({ ...NOTHING, isSum: true }, "total", undefined, total_cost_usd)];
  const { id, model, usage } = fields(message);
  if (type !== "assistant" || typeof usage !== "object" || model === "<synthetic>") return [];
  return [about(anthropicParts(fields(usage)), id, model)];
}

const NOTHING = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } as const;

/** Of lines with one id the last counts. */
function geminiCli({ id, model, tokens }: Fields): RecordedUsage[] {
  const { input, output, cached, thoughts, tool } = fields(tokens);
  const parts = inclusive(input, cached);
  const written = amount(output) + amount(thoughts);
  return [about({ ...parts, input: parts.input + amount(tool), output: written }, id, model)];
}

function qwenCode({ type, uuid, model, usageMetadata }: Fields): RecordedUsage[] {
  if (type !== "assistant") return [];
  const { promptTokenCount, candidatesTokenCount, thoughtsTokenCount, cachedContentTokenCount } =
    fields(usageMetadata);
  const output = amount(candidatesTokenCount) + amount(thoughtsTokenCount);
  const parts = inclusive(promptTokenCount, cachedContentTokenCount);
  return [about({ ...parts, output }, uuid, model)];
}

/** Requests, and the sums of requests that were taken back and of subagents: all were paid for. */
function clineUi({ say, text: words }: Fields): RecordedUsage[] {
  const isUsage =
    say === "api_req_started" || say === "deleted_api_reqs" || say === "subagent_usage";
  if (!isUsage || typeof words !== "string") return [];
  let said: Fields;
  try {
    said = fields(JSON.parse(words));
  } catch {
    return [];
  }
  const { tokensIn, tokensOut, cacheWrites, cacheReads, cost } = said;
  const parts = { input: amount(tokensIn), cacheRead: amount(cacheReads) };
  const usage = { ...parts, cacheWrite: amount(cacheWrites), output: amount(tokensOut) };
  return [about(usage, undefined, undefined, cost)];
}

/** A message of Cline's newer store, or of Anthropic's API with the usage that it came with. */
function message({ id, role, metrics, modelInfo, usage, model }: Fields): RecordedUsage[] {
  if (role !== "assistant") return [];
  if (typeof metrics === "object" && metrics !== null) {
    const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, cost } = fields(metrics);
    const parts = inclusive(inputTokens, cacheReadTokens, cacheWriteTokens);
    return [about({ ...parts, output: amount(outputTokens) }, id, fields(modelInfo).id, cost)];
  }
  return typeof usage === "object" ? [about(anthropicParts(fields(usage)), id, model)] : [];
}

function pi({ type, id, timestamp, message: said }: Fields): RecordedUsage[] {
  const { role, model, usage } = fields(said);
  if (type !== "message" || role !== "assistant") return [];
  const { input, output, cacheRead, cacheWrite, cost } = fields(usage);
  const parts = {
    input: amount(input),
    cacheRead: amount(cacheRead),
    cacheWrite: amount(cacheWrite),
  };
  // Ids are unique in a session; a fork copies them with their times.
  const own = typeof id === "string" ? `${id} ${text(timestamp) ?? ""}` : undefined;
  return [about({ ...parts, output: amount(output) }, own, model, fields(cost).total)];
}

/** Only the messages: the session and the parts repeat their numbers. */
function opencode(value: Fields): RecordedUsage[] {
  const info = typeof value.info === "object" ? fields(value.info) : value;
  const { id, role, modelID, tokens, cost } = info;
  if (role !== "assistant") return [];
  const { input, output, reasoning, cache } = fields(tokens);
  const { read, write } = fields(cache);
  const parts = { input: amount(input), cacheRead: amount(read), cacheWrite: amount(write) };
  const usage = { ...parts, output: amount(output) + amount(reasoning) };
  // A cost of 0 may be a subscription.
  return [about(usage, id, modelID, cost === 0 ? undefined : cost)];
}

/** One sum for a session. */
function goose({
  accumulated_input_tokens,
  accumulated_output_tokens,
  ...rest
}: Fields): RecordedUsage[] {
  const input = amount(accumulated_input_tokens);
  const output = amount(accumulated_output_tokens);
  const { accumulated_cost, model_config } = rest;
  const usage = { ...NOTHING, input, output, isSum: true };
  return [about(usage, "sum", fields(model_config).model_name, accumulated_cost)];
}

/** Its tokens are those of the last request alone, so only the money is taken; a child's is in its parent's. */
function crush({ session }: Fields): RecordedUsage[] {
  const { cost, parent_session_id } = fields(session);
  if (typeof cost !== "number" || cost === 0 || parent_session_id != null) return [];
  return [about({ ...NOTHING, isSum: true }, "sum", undefined, cost)];
}

/** A response with several calls stands at several actions. */
function openhands({ tool_call_metadata, llm_metrics }: Fields): RecordedUsage[] {
  const { id, model, usage } = fields(fields(tool_call_metadata).model_response);
  const { prompt_tokens, completion_tokens, prompt_tokens_details, cache_creation_input_tokens } =
    fields(usage);
  const read = fields(prompt_tokens_details).cached_tokens ?? fields(usage).cache_read_input_tokens;
  const parts = inclusive(prompt_tokens, read, cache_creation_input_tokens);
  const { accumulated_cost } = fields(llm_metrics);
  return [
    about({ ...parts, output: amount(completion_tokens) }, id, model),
    about({ ...NOTHING, isSum: true }, "total", undefined, accumulated_cost),
  ];
}

function copilotChat({ requestId, modelId, result, ...rest }: Fields): RecordedUsage[] {
  const metadata = fields(fields(result).metadata);
  const input = amount(metadata.promptTokens ?? rest.promptTokens);
  const output = amount(metadata.outputTokens ?? rest.completionTokens);
  return [about({ ...NOTHING, input, output }, requestId, metadata.resolvedModel ?? modelId)];
}

/** What subagents of older versions used stands inside the parent's lines. */
function kimi({ message: said }: Fields): RecordedUsage[] {
  const { type, payload } = fields(said);
  const inner = fields(payload);
  if (type === "SubagentEvent") return kimi({ message: inner.event });
  if (type !== "StatusUpdate") return [];
  const { input_other, output, input_cache_read, input_cache_creation } = fields(inner.token_usage);
  const usage = {
    input: amount(input_other),
    cacheRead: amount(input_cache_read),
    cacheWrite: amount(input_cache_creation),
    output: amount(output),
  };
  return [about(usage, inner.message_id)];
}

function atif({ source, model_name, metrics }: Fields): RecordedUsage[] {
  if (source !== "agent") return [];
  const { prompt_tokens, completion_tokens, cached_tokens, cost_usd } = fields(metrics);
  const parts = inclusive(prompt_tokens, cached_tokens);
  const usage = { ...parts, output: amount(completion_tokens) };
  return [about(usage, undefined, model_name, cost_usd)];
}

/**
 * Codex writes the last request's usage and the sum so far, again and again: a request is new where the sum
 * changed. Newer versions also write a record an answer, and the count after it says the same again. A
 * rollout that goes on from another begins with the other's lines, dated at its own start.
 */
class CodexUsage implements UsageReader {
  #model: unknown;
  #id: unknown;
  #sum = "";
  #isSaid = false;
  /** When a rollout began that has another's lines before its own. */
  #copiedAt: number | undefined;

  read(value: unknown): RecordedUsage[] {
    const line = fields(value);
    const payload = fields(line.payload);
    if (line.type === "session_meta") this.#begin(payload, line.timestamp);
    if (line.type === "turn_context") this.#model = payload.model ?? this.#model;
    const isRecord = line.type === "token_usage_record" || payload.type === "token_usage_record";
    if (isRecord) return this.#record(payload);
    if (line.type !== "event_msg" || payload.type !== "token_count") return [];
    const { last_token_usage, total_token_usage } = fields(payload.info);
    const sum = JSON.stringify(total_token_usage ?? null);
    const isNew = sum !== this.#sum && payload.info != null;
    if (isNew) this.#sum = sum;
    const isSaid = this.#isSaid;
    this.#isSaid = false;
    if (!isNew || isSaid || this.#isCopy(line.timestamp)) return [];
    return this.#usage(fields(last_token_usage));
  }

  #begin({ id, source, forked_from_id, parent_thread_id, model }: Fields, written: unknown): void {
    // The parent's own first line may be among its lines.
    if (this.#id !== undefined) return;
    this.#id = id;
    this.#model = model;
    const isSpawned = fields(fields(source).subagent).thread_spawn !== undefined;
    if (isSpawned || forked_from_id != null || parent_thread_id != null) {
      this.#copiedAt = Date.parse(text(written) ?? "");
    }
  }

  #isCopy(written: unknown): boolean {
    if (this.#copiedAt === undefined) return false;
    const isCopy = Math.abs(Date.parse(text(written) ?? "") - this.#copiedAt) <= 1_000;
    if (!isCopy) this.#copiedAt = undefined;
    return isCopy;
  }

  #record({ thread_id, response_id, usage }: Fields): RecordedUsage[] {
    const isParents = thread_id !== undefined && this.#id !== undefined && thread_id !== this.#id;
    this.#isSaid = true;
    return isParents ? [] : this.#usage(fields(usage), response_id);
  }

  #usage(usage: Fields, id?: unknown): RecordedUsage[] {
    const { input_tokens, cached_input_tokens, cache_write_input_tokens, output_tokens } = usage;
    const parts = inclusive(input_tokens, cached_input_tokens, cache_write_input_tokens);
    const all = about({ ...parts, output: amount(output_tokens) }, id, this.#model);
    // Around a compaction it says only how large the context is.
    return isSomething(all) ? [all] : [];
  }
}

/** Copilot CLI sums up when it ends; the sums go on when it is resumed, and begin anew after a compaction. */
class CopilotCliUsage implements UsageReader {
  #leg = 0;

  read(value: unknown): RecordedUsage[] {
    const { type, data } = fields(value);
    if (type === "session.compaction_complete" && fields(data).success === true) this.#leg += 1;
    if (type !== "session.shutdown") return [];
    return Object.entries(fields(fields(data).modelMetrics)).flatMap(([model, metrics]) => {
      const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = fields(
        fields(metrics).usage,
      );
      const parts = inclusive(inputTokens, cacheReadTokens, cacheWriteTokens);
      const usage = { ...parts, output: amount(outputTokens), isLocal: true };
      const all = about(usage, `leg ${this.#leg} ${model}`, model);
      return isSomething(all) ? [all] : [];
    });
  }
}

/** When a value was written, in milliseconds since 1970; undefined if it does not say. */
export function timeOf(value: unknown): number | undefined {
  const line = fields(value);
  const info = fields(line.info);
  const time = fields(info.time ?? line.time);
  const message = fields(line.message);
  const written =
    line.timestamp ??
    line.ts ??
    time.created ??
    line.created ??
    line.created_at ??
    message.timestamp;
  if (typeof written === "string") {
    // SQLite's own text has no zone, and is in UTC.
    const isBare = /^\d{4}-\d\d-\d\d[ T][\d:.]+$/.test(written);
    const parsed = Date.parse(isBare ? `${written.replace(" ", "T")}Z` : written);
    return Number.isNaN(parsed) ? undefined : parsed;
  }
  if (typeof written !== "number" || !Number.isFinite(written) || written <= 0) return undefined;
  // Some agents count seconds.
  return written < 1e11 ? written * 1_000 : written;
}
