/** The extension of pi. */

import { finishedCall, resultText } from "../fields.js";
import { replaceRepeated } from "../repeated-results.js";

import { PluginWatch, type PluginOptions } from "./plugin-watch.js";

export type { PluginOptions } from "./plugin-watch.js";

/** What the extension needs of pi. */
export interface PiApi {
  on(event: string, handler: (event: never, context: PiContext) => unknown): void;
}

export interface PiContext {
  abort?(): void;
  hasUI?: boolean;
  ui?: { notify?(message: string, type?: string): void };
}

interface PiPrompt {
  prompt?: string;
}

interface PiCall {
  toolCallId: string;
  toolName: string;
  input: unknown;
}

interface PiResult extends PiCall {
  content: { type: string; text?: string }[];
  isError?: boolean;
}

/** A message of the copy that is sent. */
interface PiMessage {
  role: string;
  toolCallId?: string;
  content: unknown;
}

/** pi has one session at a time in a process. */
const SESSION = "session";

/** Registers the extension, as pi asks for it. */
export default function turnkeeper(pi: PiApi, options: PluginOptions = {}): void {
  let watch = new PluginWatch("pi", "marked", options);
  pi.on("session_start", () => {
    watch = new PluginWatch("pi", "marked", options);
  });
  pi.on("before_agent_start", ({ prompt }: PiPrompt) => {
    watch.happened(SESSION, { type: "prompt", text: prompt ?? "" });
  });
  pi.on("turn_start", () => {
    watch.happened(SESSION, { type: "request" });
  });
  pi.on("tool_call", ({ toolName, input }: PiCall) => {
    const asked = { type: "call_asked", name: toolName, args: input } as const;
    const { refusal } = watch.happened(SESSION, asked);
    return refusal === undefined ? undefined : { block: true, reason: refusal };
  });
  pi.on("tool_result", ({ toolCallId, toolName, input, content, isError }: PiResult, context) => {
    const output = resultText(content);
    const call = finishedCall({ id: toolCallId, name: toolName, args: input, output, isError });
    if (call === undefined) return undefined;
    const reply = watch.happened(SESSION, { type: "results", calls: [call] });
    if (reply.notice !== undefined && context.hasUI) context.ui?.notify?.(reply.notice, "warning");
    if (reply.end !== undefined) context.abort?.();
    const said = [reply.context, reply.end].filter((text) => text !== undefined);
    if (said.length === 0) return undefined;
    return { content: [...content, ...said.map((text) => ({ type: "text", text }))] };
  });
  pi.on("context", ({ messages }: { messages: readonly PiMessage[] }) => {
    const sent = [...messages];
    const results = messages.flatMap((message, at) => {
      if (message.role !== "toolResult" || !isText(message.content)) return [];
      const replace = (text: string): void =>
        void (sent[at] = { ...message, content: [{ type: "text", text }] });
      return [{ text: resultText(message.content), call: message.toolCallId ?? "", replace }];
    });
    return replaceRepeated(results) ? { messages: sent } : undefined;
  });
  pi.on("session_compact", () => {
    watch.happened(SESSION, { type: "compacted" });
    const ledger = watch.ledger(SESSION);
    // It follows the next result.
    if (ledger !== undefined) watch.tellLater(SESSION, ledger);
  });
}

/** Whether a result is text alone. */
function isText(content: unknown): boolean {
  return (
    Array.isArray(content) && content.every((part: { type?: unknown }) => part.type === "text")
  );
}
