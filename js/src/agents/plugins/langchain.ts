/** A middleware for LangChain's agents. */

import { DEFAULT_MODE, type Mode } from "../agents.js";
import { finishedCall, resultText } from "../fields.js";
import { type SentResult, repeatsReplaced } from "../repeated-results.js";

import { LoopWatch } from "./loop-watch.js";

/** Settings of {@link turnkeeperMiddleware}. */
export interface LangChainOptions {
  /** `hint`: the model is told of a loop as a fact. `stop`: a stop ends the run. `hint` by default. */
  mode?: Mode;
  /** Whether results that came before are sent once. True by default. */
  dedupe?: boolean;
  /** Is told of each stop, in the words for the user. */
  onStop?: (message: string) => void;
}

/** A call as LangChain's `wrapToolCall` gives it. */
export interface LangChainToolRequest {
  toolCall: { id?: string; name: string; args: unknown };
  runtime?: { configurable?: { thread_id?: string } };
}

/** A message of a run's state. */
export interface LangChainMessage {
  content: unknown;
  getType?(): string;
  type?: string;
  tool_call_id?: string;
}

/** What `createMiddleware` of the package `langchain` takes. */
export interface LangChainMiddleware {
  name: string;
  beforeAgent(state: { messages: readonly LangChainMessage[] }, runtime?: object): void;
  beforeModel: {
    canJumpTo: ["end"];
    hook(
      state: object,
      runtime?: object,
    ): { jumpTo: "end"; messages: { role: "assistant"; content: string }[] } | undefined;
  };
  wrapModelCall<Q extends { messages: LangChainMessage[] }, R>(
    request: Q,
    handler: (request: Q) => R,
  ): R;
  wrapToolCall<R>(
    request: LangChainToolRequest,
    handler: (request: LangChainToolRequest) => Promise<R> | R,
  ): Promise<R>;
}

/**
 * Makes the settings of a middleware that tells the model of a loop after the result that shows it, and in
 * mode `stop` ends the run. Hand it to `createMiddleware` of the package `langchain`. One serves any number
 * of threads, which it tells apart by `configurable.thread_id`.
 *
 * @example
 * ```js
 * import { turnkeeperMiddleware } from "turnkeeper/adapters/langchain";
 *
 * const settings = turnkeeperMiddleware({ mode: "stop" });
 * // createAgent({ model, tools, middleware: [createMiddleware(settings)] })
 * ```
 */
export function turnkeeperMiddleware(options: LangChainOptions = {}): LangChainMiddleware {
  const watch = new LoopWatch(options.mode ?? DEFAULT_MODE, "marked");
  return {
    name: "turnkeeper",
    beforeAgent({ messages }, runtime) {
      const thread = threadOf(runtime);
      const text = resultText(messages.at(-1)?.content);
      watch.happened(thread, { type: "prompt", text });
    },
    beforeModel: {
      canJumpTo: ["end"],
      hook(_state, runtime) {
        const { end } = watch.happened(threadOf(runtime), { type: "request" });
        if (end === undefined) return undefined;
        return { jumpTo: "end", messages: [{ role: "assistant", content: end }] };
      },
    },
    wrapModelCall(request, handler) {
      if (options.dedupe === false) return handler(request);
      return handler({ ...request, messages: repeatsReplaced()(request.messages, resultIn) });
    },
    async wrapToolCall(request, handler) {
      const result = await handler(request);
      const message = result as { content?: unknown; status?: unknown };
      if (message.content === undefined) return result;
      const call = finishedCall({
        id: request.toolCall.id,
        name: request.toolCall.name,
        args: request.toolCall.args,
        output: message.content,
        isError: message.status === "error" ? true : undefined,
      });
      const { context, notice, end } = watch.finished(threadOf(request.runtime), call);
      if (context !== undefined) message.content = withNote(message.content, context);
      const said = end ?? notice;
      if (said !== undefined) options.onStop?.(said);
      return result;
    },
  };
}

function resultIn(message: LangChainMessage): SentResult<LangChainMessage> | undefined {
  const { content, tool_call_id: call = "", type } = message;
  const isResult = (message.getType?.() ?? type) === "tool" && typeof content === "string";
  if (!isResult) return undefined;
  return { text: content, call, withText: (text) => copyOf(message, text) };
}

/** A message of the same class with another text. */
function copyOf(message: LangChainMessage, content: string): LangChainMessage {
  const copy = Object.create(Object.getPrototypeOf(message) as object) as LangChainMessage;
  return Object.assign(copy, message, { content });
}

function threadOf(runtime: object | undefined): string {
  const { configurable } = (runtime ?? {}) as { configurable?: { thread_id?: unknown } };
  const thread = configurable?.thread_id;
  return typeof thread === "string" ? thread : "thread";
}

function withNote(content: unknown, note: string): unknown {
  if (Array.isArray(content)) return [...(content as unknown[]), { type: "text", text: note }];
  return `${resultText(content)}\n\n${note}`;
}
