/** What each format's values record of tokens and money. Nothing is estimated here, and no gap is filled. */

import { fields, parsed, text, type Fields } from "../messages/fields.js";
import type { RecordedUsage, SessionFormat } from "./saved-session.js";

/** Reads what a session's values record, one after another; some formats say it in steps. */
export interface UsageReader {
  read(value: unknown): RecordedUsage[];
}

/** The reader for a format; undefined if its files record no usage. */
export function usageReader(format: SessionFormat): UsageReader | undefined {
  if (format === "codex") return new CodexUsage();
  if (format === "copilot-cli") return new CopilotCliUsage();
  const read = BY_FORMAT[format];
  return read && { read: (value) => read(fields(value)) };
}

/** A usage as it is written. Whatever of it is no number above 0, or no name, is not there. */
interface Written {
  id?: unknown;
  model?: unknown;
  dollars?: unknown;
  input?: unknown;
  cacheRead?: unknown;
  cacheWrite?: unknown;
  cacheWriteLong?: unknown;
  output?: unknown;
  isSum?: true;
  isLocal?: true;
}

/** The usage that is written, if it says anything. */
function recorded({ id, model, dollars, isSum, isLocal, ...written }: Written): RecordedUsage[] {
  const parts = {
    input: amount(written.input),
    cacheRead: amount(written.cacheRead),
    cacheWrite: amount(written.cacheWrite),
    output: amount(written.output),
  };
  const cost =
    Number.isFinite(dollars) && (dollars as number) >= 0 ? (dollars as number) : undefined;
  if (cost === undefined && Object.values(parts).every((part) => part === 0)) return [];
  const cacheWriteLong = amount(written.cacheWriteLong);
  return [
    {
      ...parts,
      ...(cacheWriteLong > 0 && { cacheWriteLong }),
      ...(typeof id === "string" && id !== "" && { id }),
      ...(typeof model === "string" && model !== "" && { model }),
      ...(cost !== undefined && { dollars: cost }),
      ...(isSum && { isSum }),
      ...(isLocal && { isLocal }),
    },
  ];
}

function amount(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}

function sum(...parts: unknown[]): number {
  return parts.reduce<number>((all, part) => all + amount(part), 0);
}

/** The input, of which a part came from the cache or went into it, as most protocols but Anthropic's have it. */
function inclusive(input: unknown, cacheRead: unknown, cacheWrite?: unknown): Written {
  const rest = amount(input) - amount(cacheRead) - amount(cacheWrite);
  return { input: Math.max(0, rest), cacheRead, cacheWrite };
}

/** An answer of Anthropic's, with its usage, whose three parts of the input are added. */
function anthropic({ id, model, usage }: Fields, more?: Written): RecordedUsage[] {
  // An error of the API is an answer of the model "<synthetic>".
  if (typeof usage !== "object" || model === "<synthetic>") return [];
  const { input_tokens, output_tokens, cache_creation, ...cached } = fields(usage);
  return recorded({
    id,
    model,
    input: input_tokens,
    cacheRead: cached.cache_read_input_tokens,
    cacheWrite: cached.cache_creation_input_tokens,
    cacheWriteLong: fields(cache_creation).ephemeral_1h_input_tokens,
    output: output_tokens,
    ...more,
  });
}

const BY_FORMAT: Partial<Record<SessionFormat, (value: Fields) => RecordedUsage[]>> = {
  /**
   * Each content block of an answer is a line with the answer's usage, and files of resumed sessions repeat
   * answers. Subagents in the same file were paid for, too; what `progress` lines show of them is in files of
   * their own.
   */
  "claude-code"({ type, message, requestId, costUSD: dollars }) {
    const { id } = fields(message);
    // Other providers' ids are not unique by themselves.
    const isOwn = id === undefined || text(id)?.startsWith("msg_");
    const key = isOwn ? id : `${text(id) ?? ""} ${text(requestId) ?? ""}`;
    return type === "assistant" ? anthropic(fields(message), { id: key, dollars }) : [];
  },

  "claude-stream"({ type, message, total_cost_usd: dollars }) {
    if (type === "result") return recorded({ id: "total", dollars, isSum: true });
    return type === "assistant" ? anthropic(fields(message)) : [];
  },

  /** Of lines with one id the last counts. */
  "gemini-cli"({ id, model, tokens }) {
    const { input, output, cached, thoughts, tool } = fields(tokens);
    const parts = inclusive(input, cached);
    const sent = sum(parts.input, tool);
    return recorded({ ...parts, input: sent, output: sum(output, thoughts), id, model });
  },

  "qwen-code"({ type, uuid: id, model, usageMetadata }) {
    if (type !== "assistant") return [];
    const { promptTokenCount, candidatesTokenCount, thoughtsTokenCount, cachedContentTokenCount } =
      fields(usageMetadata);
    const output = sum(candidatesTokenCount, thoughtsTokenCount);
    return recorded({ ...inclusive(promptTokenCount, cachedContentTokenCount), output, id, model });
  },

  /** Requests, and the sums of requests that were taken back and of subagents: all were paid for. */
  "cline-ui"({ say, text: words }) {
    const isUsage =
      say === "api_req_started" || say === "deleted_api_reqs" || say === "subagent_usage";
    if (!isUsage) return [];
    const { tokensIn, tokensOut, cacheWrites, cacheReads, cost } = fields(parsed(text(words)));
    const parts = { input: tokensIn, cacheRead: cacheReads, cacheWrite: cacheWrites };
    return recorded({ ...parts, output: tokensOut, dollars: cost });
  },

  cline: ofMessage,
  anthropic: ofMessage,

  pi({ type, id, timestamp, message }) {
    const { role, model, usage } = fields(message);
    if (type !== "message" || role !== "assistant") return [];
    const { input, output, cacheRead, cacheWrite, cost } = fields(usage);
    // Ids are unique in a session; a fork copies them with their times.
    const key = typeof id === "string" ? `${id} ${text(timestamp) ?? ""}` : undefined;
    const dollars = fields(cost).total;
    return recorded({ input, output, cacheRead, cacheWrite, id: key, model, dollars });
  },

  /** Only the messages: the session and the parts repeat their numbers. */
  opencode(value) {
    const info = typeof value.info === "object" ? fields(value.info) : value;
    const { id, role, modelID: model, tokens, cost } = info;
    if (role !== "assistant") return [];
    const { input, output, reasoning, cache } = fields(tokens);
    const { read, write } = fields(cache);
    const parts = { input, cacheRead: read, cacheWrite: write, output: sum(output, reasoning) };
    // A cost of 0 may be a subscription.
    return recorded({ ...parts, id, model, dollars: cost === 0 ? undefined : cost });
  },

  /** One sum for a session. */
  goose({ accumulated_cost: dollars, model_config, ...accumulated }) {
    return recorded({
      id: "sum",
      isSum: true,
      model: fields(model_config).model_name,
      input: accumulated.accumulated_input_tokens,
      output: accumulated.accumulated_output_tokens,
      dollars,
    });
  },

  /** Its tokens are those of the last request alone, so only the money is taken; a child's is in its parent's. */
  crush({ session }) {
    const { cost, parent_session_id } = fields(session);
    if (cost === 0 || parent_session_id != null) return [];
    return recorded({ id: "sum", dollars: cost, isSum: true });
  },

  /** A response with several calls stands at several actions. */
  openhands({ tool_call_metadata, llm_metrics }) {
    const { id, model, usage } = fields(fields(tool_call_metadata).model_response);
    const { prompt_tokens, completion_tokens, prompt_tokens_details, ...cached } = fields(usage);
    const read = fields(prompt_tokens_details).cached_tokens ?? cached.cache_read_input_tokens;
    const parts = inclusive(prompt_tokens, read, cached.cache_creation_input_tokens);
    const dollars = fields(llm_metrics).accumulated_cost;
    return [
      ...recorded({ ...parts, output: completion_tokens, id, model }),
      ...recorded({ id: "total", dollars, isSum: true }),
    ];
  },

  "copilot-chat"({ requestId: id, modelId, result, ...rest }) {
    const metadata = fields(fields(result).metadata);
    const input = metadata.promptTokens ?? rest.promptTokens;
    const output = metadata.outputTokens ?? rest.completionTokens;
    return recorded({ input, output, id, model: metadata.resolvedModel ?? modelId });
  },

  kimi,

  atif({ source, model_name: model, metrics }) {
    if (source !== "agent") return [];
    const { prompt_tokens, completion_tokens: output, cached_tokens, cost_usd } = fields(metrics);
    const parts = inclusive(prompt_tokens, cached_tokens);
    return recorded({ ...parts, output, model, dollars: cost_usd });
  },
};

/** A message of Cline's newer store, or of Anthropic's API with the usage that it came with. */
function ofMessage(message: Fields): RecordedUsage[] {
  const { id, role, metrics, modelInfo } = message;
  if (role !== "assistant") return [];
  if (typeof metrics !== "object" || metrics === null) return anthropic(message);
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, cost } = fields(metrics);
  const parts = inclusive(inputTokens, cacheReadTokens, cacheWriteTokens);
  const model = fields(modelInfo).id;
  return recorded({ ...parts, output: outputTokens, id, model, dollars: cost });
}

/** What subagents of older versions used stands inside the parent's lines. */
function kimi({ message }: Fields): RecordedUsage[] {
  const { type, payload } = fields(message);
  const { event, token_usage, message_id: id } = fields(payload);
  if (type === "SubagentEvent") return kimi({ message: event });
  if (type !== "StatusUpdate") return [];
  const { input_other, output, input_cache_read, input_cache_creation } = fields(token_usage);
  const parts = { cacheRead: input_cache_read, cacheWrite: input_cache_creation };
  return recorded({ ...parts, input: input_other, output, id });
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

  /** Around a compaction it says only how large the context is. */
  #usage(usage: Fields, id?: unknown): RecordedUsage[] {
    const { input_tokens, cached_input_tokens, cache_write_input_tokens, output_tokens } = usage;
    const parts = inclusive(input_tokens, cached_input_tokens, cache_write_input_tokens);
    return recorded({ ...parts, output: output_tokens, id, model: this.#model });
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
      const { usage } = fields(metrics);
      const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = fields(usage);
      const parts = inclusive(inputTokens, cacheReadTokens, cacheWriteTokens);
      const id = `leg ${this.#leg} ${model}`;
      return recorded({ ...parts, output: outputTokens, id, model, isLocal: true });
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
