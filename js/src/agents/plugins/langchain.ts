/** A middleware for LangChain's agents. */

import { changed } from "../../messages/fields.js";
import { LoopWatch, type WatchOptions, checkedOptions } from "./loop-watch.js";
import type { SentResult } from "./repeated-results.js";

export type { WatchOptions } from "./loop-watch.js";

/** A call as LangChain's `wrapToolCall` gives it. */
export type LangChainToolRequest = {
  toolCall: { id?: string; name: string; args: unknown };
  runtime?: { configurable?: { thread_id?: string } };
};

/** A message of a run's state. */
export type LangChainMessage = {
  content: unknown;
  getType?(): string;
  type?: string;
  tool_call_id?: string;
};

/** What `createMiddleware` of the package `langchain` takes. */
export type LangChainMiddleware = {
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
};

/**
 * Makes the settings of a middleware that tells the model of a loop after the result that shows it, and in
 * mode `stop` ends the run. Hand it to `createMiddleware` of the package `langchain`. One serves any number
 * of threads, which it tells apart by `configurable.thread_id`. Each `invoke` is a prompt, with the words of the
 * last message; one that the host wrote in the user's name goes on with the prompt before.
 *
 * @throws `invalid_argument`, naming the option, for one that is unknown or of another type.
 *
 * @example
 * ```js
 * import { turnkeeperMiddleware } from "turnkeeper/adapters/langchain";
 *
 * const settings = turnkeeperMiddleware({ mode: "stop" });
 * // createAgent({ model, tools, middleware: [createMiddleware(settings)] })
 * ```
 */
export function turnkeeperMiddleware(options?: WatchOptions): LangChainMiddleware {
  const watch = new LoopWatch("marked", checkedOptions(options));
  return {
    name: "turnkeeper",
    beforeAgent({ messages }, runtime) {
      const last: Partial<LangChainMessage> = messages.at(-1) ?? {};
      const role = last.getType?.() ?? last.type;
      watch.asked(threadOf(runtime), { role, content: last.content });
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
      const messages = watch.sending()(request.messages, resultIn);
      return handler(messages === request.messages ? request : { ...request, messages });
    },
    async wrapToolCall(request, handler) {
      const result = await handler(request);
      const message = result as { content?: unknown; status?: unknown };
      if (message.content === undefined) return result;
      const { id, name, args } = request.toolCall;
      const isError = message.status === "error" ? true : undefined;
      const call = { id, name, args, output: message.content, isError };
      const { context } = watch.finished(threadOf(request.runtime), call);
      if (context !== undefined) message.content = withNote(message.content, context);
      return result;
    },
  };
}

function resultIn(message: LangChainMessage): SentResult<LangChainMessage> | undefined {
  const { content, tool_call_id: call = "", type } = message;
  const isResult = (message.getType?.() ?? type) === "tool" && typeof content === "string";
  if (!isResult) return undefined;
  return { text: content, call, withText: (text) => changed(message, { content: text }) };
}

function threadOf(runtime: object | undefined): string {
  const { configurable } = (runtime ?? {}) as { configurable?: { thread_id?: unknown } };
  const thread = configurable?.thread_id;
  return typeof thread === "string" ? thread : "thread";
}

function withNote(content: unknown, note: string): unknown {
  if (Array.isArray(content)) return [...(content as unknown[]), { type: "text", text: note }];
  return typeof content === "string"
    ? `${content}\n\n${note}`
    : [content, { type: "text", text: note }];
}
