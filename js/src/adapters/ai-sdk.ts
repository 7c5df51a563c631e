import type { AgentEvent } from "../generated/shapes.js";
import type { LoopDetectedEvent, StreamAdapter } from "../guard-stream.js";
import type { LoopDetector } from "../loop-detector.js";
import {
  converted,
  convertedPart,
  fields,
  identified,
  imageOf,
  mapBack,
  mapHistory,
  originOfPart,
  partsOf,
  textOf,
  type AnyMessage,
  type Fields,
  type Message,
  type MessagePart,
} from "../messages.js";

export type { AnyMessage, Message, MessagePart } from "../messages.js";

/**
 * A part of `fullStream` of `streamText`, of the stream of a language model, or of a step's content.
 *
 * All shapes here are this package's own and say only what the adapter needs, so it does not depend
 * on `ai` and works with its versions 5, 6 and 7.
 */
export interface AiSdkPart {
  readonly type: string;
}

/** What is needed of a `LoopDetector`: any object that has these members of it. */
export type AiSdkDetector = Pick<LoopDetector, "observe" | "verdict">;

/** A step of `streamText` or `generateText`. */
export interface AiSdkStep {
  readonly content: readonly AiSdkPart[];
}

/** The settings of {@link loopMiddleware} and {@link hasLooped}. */
export interface AiSdkOptions {
  /** Is told of each verdict that is not `ok`, as it comes. */
  onLoopDetected?: (event: LoopDetectedEvent) => void;
}

/** What a middleware is given of a call that streams. */
export interface AiSdkStreamCall<R> {
  readonly doStream: () => PromiseLike<R>;
  readonly params: { readonly prompt: readonly AnyMessage[] };
  readonly model: { readonly specificationVersion: string };
}

/** What a middleware is given of a call that does not stream. */
export interface AiSdkGenerateCall<R> {
  readonly doGenerate: () => PromiseLike<R>;
  readonly params: { readonly prompt: readonly AnyMessage[] };
  readonly model: { readonly specificationVersion: string };
}

/** A middleware as `wrapLanguageModel` takes it, in any of its versions. */
export interface AiSdkMiddleware {
  readonly specificationVersion: "v3";
  readonly middlewareVersion: "v2";
  readonly wrapStream: <R>(call: AiSdkStreamCall<R>) => Promise<R>;
  readonly wrapGenerate: <R>(call: AiSdkGenerateCall<R>) => Promise<R>;
}

/**
 * Makes an adapter for one `fullStream` of `streamText`, or for one stream of a language model.
 *
 * | the stream's part | is observed as |
 * |---|---|
 * | `start-step`, `stream-start` | `turn_started` |
 * | `text-delta` | `text` |
 * | `reasoning-delta` | `reasoning` |
 * | `tool-call` | `tool_call` |
 * | `tool-result` that is not preliminary, `tool-error`, `tool-output-denied` | `tool_result` |
 * | `finish` | `finished` |
 *
 * Any other part is `other`, which no rule looks at, or not observed if it says nothing.
 *
 * The SDK runs tools by itself, in older versions before the call comes out of `fullStream`; a guard
 * there ends the stream, and with `abortSignal` the request, but only {@link loopMiddleware} is sure
 * to hold a call back.
 *
 * @example
 * ```js
 * import { LoopDetector, guardStream } from "turnkeeper";
 * import { streamAdapter } from "turnkeeper/adapters/ai-sdk";
 *
 * // Stands for `streamText({ model, prompt, abortSignal: abort.signal }).fullStream`.
 * async function* fullStream() {
 *   for (;;) yield { type: "text-delta", id: "1", text: "I will try again. " };
 * }
 * const detector = new LoopDetector();
 * const abort = new AbortController();
 * const options = { adapter: streamAdapter(), promptId: "prompt-1", abort };
 * for await (const part of guardStream(fullStream(), detector, options)) {
 *   if ("verdict" in part) console.log(part.verdict.report.message);
 * }
 * ```
 */
export function streamAdapter(): StreamAdapter<AiSdkPart> {
  return fromStreamPart;
}

/** Parts without output, of all versions. */
const SILENT =
  /^(start|abort|error|raw|ping|source|file|response-metadata)$|-(start|end|delta|step)$/;

function fromStreamPart(part: AiSdkPart): AgentEvent | undefined {
  const { type, text, delta = text, toolCallId, toolName, ...rest } = fields(part);
  switch (type) {
    case "start-step":
    case "stream-start":
      return { type: "turn_started" };
    case "text-delta":
    case "text":
      return prose("text", delta);
    case "reasoning-delta":
    case "reasoning":
      return prose("reasoning", delta);
    case "tool-call":
      return {
        type: "tool_call",
        ...identified(toolCallId),
        name: String(toolName),
        args: rest.input,
      };
    case "tool-result":
      if (rest.preliminary) return undefined;
      return result(toolCallId, rest.output ?? rest.result, rest.isError === true);
    case "tool-error":
      return result(toolCallId, fields(rest.error).message ?? rest.error, true);
    case "tool-output-denied":
      return result(toolCallId, "denied", true);
    case "finish":
      return { type: "finished" };
    default:
      return typeof type === "string" && SILENT.test(type) ? undefined : { type: "other" };
  }
}

function prose(type: "text" | "reasoning", text: unknown): AgentEvent | undefined {
  return typeof text === "string" && text !== "" ? { type, text } : undefined;
}

function result(id: unknown, output: unknown, isError: boolean): AgentEvent {
  return {
    type: "tool_result",
    ...identified(id),
    output: textOf(output),
    ...(isError && { isError }),
  };
}

/** The detectors that a middleware feeds; a stop condition must not feed them again. */
const fed = new WeakSet<AiSdkDetector>();

/**
 * Makes a middleware for `wrapLanguageModel` that shows the detector all that the model says and
 * calls, and the results of its tools, which come with the next request.
 *
 * A call that loops is held back, so that the SDK does not run it. The model's answer ends there, with
 * the finish reason `other`, upon which the SDK runs none of its calls and no further step, and with
 * the report under `turnkeeper` in its provider metadata; the request is cancelled. While the
 * detector stands at a stop no request is made. The host starts prompts (`detector.startPrompt(id, { model })`), tells
 * the user (`onLoopDetected`), and, to go on, calls `detector.clear()`.
 *
 * One detector watches one conversation: wrap the model for each.
 *
 * @example
 * ```js
 * import { LoopDetector } from "turnkeeper";
 * import { loopMiddleware } from "turnkeeper/adapters/ai-sdk";
 *
 * const detector = new LoopDetector();
 * const middleware = loopMiddleware(detector, {
 *   onLoopDetected: ({ verdict }) => console.log(verdict.report.message),
 * });
 * // streamText({ model: wrapLanguageModel({ model, middleware }), tools, prompt })
 *
 * // What the SDK does with it:
 * const call = { type: "tool-call", toolCallId: "1", toolName: "ls", input: "{}" };
 * const doGenerate = async () => ({ content: Array(12).fill(call) });
 * const model = { specificationVersion: "v3" };
 * const { content } = await middleware.wrapGenerate({ doGenerate, params: { prompt: [] }, model });
 * console.log(content.length); // 9
 * ```
 */
export function loopMiddleware(
  detector: AiSdkDetector,
  options: AiSdkOptions = {},
): AiSdkMiddleware {
  const watch = new Watch(detector, options);
  fed.add(detector);
  return {
    specificationVersion: "v3",
    middlewareVersion: "v2",

    async wrapStream<R>({ doStream, params, model }: AiSdkStreamCall<R>): Promise<R> {
      if (!watch.request(params.prompt)) return { stream: ended(model, watch) } as R;
      const answer = await doStream();
      const { stream } = answer as { stream: ReadableStream<AiSdkPart> };
      return { ...answer, stream: guarded(stream, model, watch) };
    },

    async wrapGenerate<R>({ doGenerate, params, model }: AiSdkGenerateCall<R>): Promise<R> {
      const mayAsk = watch.request(params.prompt);
      if (!mayAsk) return { content: [], warnings: [], ...ending(model, watch) } as R;
      const answer = await doGenerate();
      const { content } = answer as unknown as AiSdkStep;
      const first = content.findIndex((part) => !watch.sees(part));
      if (first < 0) return answer;
      const { finishReason, providerMetadata } = ending(model, watch);
      return { ...answer, finishReason, providerMetadata, content: content.slice(0, first) };
    },
  };
}

/** A detector, and who is told of its verdicts. */
class Watch {
  readonly #detector: AiSdkDetector;
  readonly #tell: AiSdkOptions["onLoopDetected"];
  /** The results that the last request brought: the SDK repeats a request that has failed. */
  #results = new Set<unknown>();

  constructor(detector: AiSdkDetector, { onLoopDetected }: AiSdkOptions) {
    this.#detector = detector;
    this.#tell = onLoopDetected;
  }

  get verdict() {
    return this.#detector.verdict;
  }

  /** Whether the stream may go on behind this part. */
  sees(part: AiSdkPart): boolean {
    const event = part.type === "stream-start" ? undefined : fromStreamPart(part);
    return event === undefined || this.observe(event);
  }

  observe(event: AgentEvent): boolean {
    const verdict = this.#detector.observe(event);
    if (verdict.action !== "ok") this.#tell?.({ type: "loop_detected", verdict });
    return verdict.action !== "stop";
  }

  /** Whether the model may be asked: observes what is new in the prompt, all behind the last answer. */
  request(prompt: readonly AnyMessage[]): boolean {
    let at = prompt.length;
    while (at > 0 && prompt[at - 1]?.role !== "assistant") at--;
    const before = this.#results;
    this.#results = new Set();
    for (const { role, content } of prompt.slice(at)) {
      if (role !== "tool") continue;
      for (const part of partsOf(content)) {
        if (part?.type !== "tool-result") continue;
        this.#results.add(part.toolCallId);
        if (before.has(part.toolCallId)) continue;
        const [said, isError] = spokenBy(part);
        if (!this.observe(result(part.toolCallId, said, isError))) return false;
      }
    }
    return this.observe({ type: "turn_started" });
  }
}

/** What is needed of a model. */
interface Model {
  readonly specificationVersion: string;
}

/** The stream of a model that is not asked. */
function ended(model: Model, watch: Watch): ReadableStream<AiSdkPart> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue({ type: "stream-start", warnings: [] } as AiSdkPart);
      controller.enqueue({ type: "finish", ...ending(model, watch) });
      controller.close();
    },
  });
}

/** The stream of a model up to where it loops; what was begun then is ended. */
function guarded(
  source: ReadableStream<AiSdkPart>,
  model: Model,
  watch: Watch,
): ReadableStream<AiSdkPart> {
  const reader = source.getReader();
  const open = new Map<string, AiSdkPart>();
  return new ReadableStream<AiSdkPart>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        try {
          if (watch.sees(value)) {
            keepOpen(open, value);
            return controller.enqueue(value);
          }
        } catch (error) {
          await reader.cancel(error).catch(() => {});
          throw error;
        }
        for (const end of open.values()) controller.enqueue(end);
        controller.enqueue({ type: "finish", ...ending(model, watch) });
        controller.close();
        // This cancels the request. How the source takes it is nobody's concern any more.
        await reader.cancel().catch(() => {});
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

function keepOpen(open: Map<string, AiSdkPart>, part: AiSdkPart): void {
  const match = /^(.*)-(start|end)$/.exec(part.type);
  if (match === null) return;
  const { id } = part as unknown as Fields;
  const key = `${match[1]} ${String(id)}`;
  if (match[2] === "end") open.delete(key);
  else if (id !== undefined) open.set(key, { type: `${match[1]}-end`, id } as AiSdkPart);
}

/** How an answer ended that was cut off, in the words of the model's version. */
function ending({ specificationVersion }: Model, { verdict }: Watch) {
  const isOld = specificationVersion === "v2";
  const report = verdict.action === "ok" ? undefined : { ...verdict.report };
  return {
    finishReason: isOld ? "other" : { unified: "other", raw: "loop_detected" },
    usage: isOld ? {} : { inputTokens: {}, outputTokens: {} },
    providerMetadata: { turnkeeper: { report } },
  };
}

/**
 * A condition for `stopWhen`: true once the detector has stopped. If no {@link loopMiddleware} feeds
 * the detector, the condition shows it each step, its calls with their results; then a step that
 * loops has been run, and none follows it.
 *
 * @example
 * ```js
 * import { LoopDetector } from "turnkeeper";
 * import { hasLooped } from "turnkeeper/adapters/ai-sdk";
 *
 * const detector = new LoopDetector();
 * const stopWhen = hasLooped(detector, {
 *   onLoopDetected: ({ verdict }) => console.log(verdict.report.message),
 * });
 * // generateText({ model, tools, prompt, stopWhen: [stepCountIs(50), stopWhen] })
 *
 * // What the SDK does with it, after each step:
 * const call = { type: "tool-call", toolCallId: "1", toolName: "ls", input: {} };
 * const steps = [];
 * do steps.push({ content: [call] });
 * while (!stopWhen({ steps }));
 * console.log(steps.length); // 10
 * ```
 */
export function hasLooped(
  detector: AiSdkDetector,
  options: AiSdkOptions = {},
): (state: { readonly steps: readonly AiSdkStep[] }) => boolean {
  const watch = new Watch(detector, options);
  let seen = 0;
  return ({ steps }) => {
    // Fewer steps than before are those of another call.
    if (steps.length <= seen) seen = 0;
    const fresh = fed.has(detector) ? [] : steps.slice(seen);
    seen = steps.length;
    for (const { content } of fresh) {
      watch.observe({ type: "turn_started" });
      for (const part of content) if (!watch.sees(part)) return true;
    }
    return detector.verdict.action === "stop";
  };
}

/**
 * A history of `ModelMessage`s as messages of this package, for `dedupeHistory`, `HistoryDeduper`,
 * `stripGhostBlocks` and the like; {@link toMessages} leads back. Messages of text come out as they
 * are (`===`). Calls, results and reasoning become parts of `tool_use`, `tool_result` and `thinking`,
 * and a tool's message becomes a user's.
 *
 * @example
 * ```js
 * import { dedupeHistory } from "turnkeeper";
 * import { fromMessages, toMessages } from "turnkeeper/adapters/ai-sdk";
 *
 * const env = (time) => `<environment_details>\n${time}\n</environment_details>`;
 * const output = { type: "text", value: "a.ts" };
 * const history = [
 *   { role: "user", content: `Go on.\n${env("09:00")}\n${env("10:05")}` },
 *   { role: "tool", content: [{ type: "tool-result", toolCallId: "1", toolName: "ls", output }] },
 * ];
 * const repaired = toMessages(dedupeHistory(fromMessages(history)).messages);
 * console.log(repaired[0].content === `Go on.\n${env("10:05")}`); // true
 * console.log(repaired[1] === history[1]); // true
 * ```
 */
export function fromMessages(messages: readonly object[]): Message[] {
  return mapHistory(messages, (message) => {
    const { role, content } = message as AnyMessage;
    if ((role !== "assistant" && role !== "tool") || !Array.isArray(content)) return message;
    const parts = partsOf(content).map(fromPart);
    const isSame = role !== "tool" && parts.every((part, at) => part === content[at]);
    return isSame ? message : converted(message, role === "tool" ? "user" : role, parts);
  });
}

function fromPart(part: MessagePart): MessagePart {
  const { type, toolCallId, toolName, input, text } = fields(part);
  switch (type) {
    case "reasoning":
      return convertedPart(part, { type: "thinking", thinking: text as string });
    case "tool-call":
      return convertedPart(part, {
        type: "tool_use",
        id: toolCallId as string,
        name: toolName as string,
        input,
      });
    case "tool-result": {
      const [content, is_error] = spokenBy(part);
      return convertedPart(part, {
        type: "tool_result",
        tool_use_id: toolCallId as string,
        content: content as string,
        ...(is_error && { is_error }),
      });
    }
    default:
      return part;
  }
}

/** What a result says, as text or as parts, and whether it is an error. */
function spokenBy(part: MessagePart): [said: unknown, isError: boolean] {
  const { type, value, reason } = fields(part.output);
  const isError = String(type).startsWith("error") || type === "execution-denied";
  if (type === "content" && Array.isArray(value)) return [value, isError];
  return [textOf(value ?? reason), isError];
}

/**
 * The way back: those that are as {@link fromMessages} made them come out as the objects that they
 * were made of (`===`), and of the others only what has changed is new. Messages that were not made
 * by it, such as an assembled prompt, are converted; one with tool results becomes a tool's.
 */
export function toMessages<M = AnyMessage>(messages: readonly AnyMessage[]): M[] {
  const names = new Map<unknown, unknown>();
  return mapBack(messages, (message, origin) => {
    const { role, content } = message;
    if (typeof content === "string") return origin ? { ...origin, content } : message;
    const given = partsOf(content);
    if (role === "assistant" || role === "system") {
      const parts = given.map((part) => toPart(part, names));
      if (origin) return { ...origin, content: parts };
      return parts.every((part, at) => part === given[at])
        ? message
        : { ...message, content: parts };
    }
    // A tool's message has results and what the adapter does not know; its text is the user's.
    const isTools = ({ type }: MessagePart) =>
      type === "tool_result" || (origin !== undefined && type !== "text");
    const results = given.filter(isTools).map((part) => toPart(part, names));
    const rest = given.filter((part) => !isTools(part)).map((part) => toPart(part, names));
    if (!origin && results.length === 0 && rest.every((part, at) => part === given[at])) {
      return message;
    }
    const tools = { ...(origin ?? { role: "tool" }), content: results };
    const user = { ...(origin ? undefined : message), role, content: rest };
    return [...(results.length > 0 ? [tools] : []), ...(rest.length > 0 ? [user] : [])];
  });
}

function toPart(part: MessagePart, names: Map<unknown, unknown>): object {
  const origin = originOfPart(part);
  const { type, id: toolCallId, name: toolName, input, tool_use_id: answered } = fields(part);
  switch (type) {
    case "thinking":
      return origin ?? { type: "reasoning", text: part.thinking };
    case "tool_use":
      names.set(toolCallId, toolName);
      return origin ?? { type: "tool-call", toolCallId, toolName, input };
    case "tool_result": {
      if (origin && spokenBy(origin)[0] === part.content) return origin;
      const { content: value, is_error } = part;
      const output = Array.isArray(value)
        ? { type: "content", value }
        : { type: is_error ? "error-text" : "text", value: textOf(value) };
      if (origin) return { ...origin, output };
      const toolName = names.get(answered) ?? answered;
      return { type: "tool-result", toolCallId: answered, toolName, output };
    }
    default: {
      const image = imageOf(part);
      return image ? { type: "file", data: image.data, mediaType: image.mediaType } : part;
    }
  }
}
