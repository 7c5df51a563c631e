/** The extension of pi. */

import { fields, list } from "../../messages/fields.js";

import type { WatchOptions } from "./loop-watch.js";
import { PluginWatch } from "./plugin-watch.js";
import type { SentResult } from "./repeated-results.js";

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
export default function turnkeeper(pi: PiApi, options?: WatchOptions): void {
  let watch = new PluginWatch("pi", "marked", options);
  pi.on("session_start", () => {
    watch = new PluginWatch("pi", "marked", options);
  });
  pi.on("before_agent_start", ({ prompt }: PiPrompt) => {
    watch.asked(SESSION, { role: "user", content: prompt ?? "" });
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
    const call = { id: toolCallId, name: toolName, args: input, output: content, isError };
    const reply = watch.finished(SESSION, call);
    if (reply.notice !== undefined && context.hasUI) context.ui?.notify?.(reply.notice, "warning");
    if (reply.end !== undefined) context.abort?.();
    const said = [reply.context, reply.end].filter((text) => text !== undefined);
    if (said.length === 0) return undefined;
    return { content: [...content, ...said.map((text) => ({ type: "text", text }))] };
  });
  pi.on("context", ({ messages }: { messages: readonly PiMessage[] }) => {
    const sent = watch.sending()(messages, resultIn);
    return sent === messages ? undefined : { messages: sent };
  });
  pi.on("session_compact", () => {
    watch.happened(SESSION, { type: "compacted" });
    const ledger = watch.ledger(SESSION);
    // It follows the next result.
    if (ledger !== undefined) watch.tellLater(SESSION, ledger);
  });
}

/** A result that is text alone. */
function resultIn(message: PiMessage): SentResult<PiMessage> | undefined {
  const { role, toolCallId: call = "", content } = message;
  const parts = list(content).map(fields);
  const isText = parts.length > 0 && parts.every(({ type }) => type === "text");
  if (role !== "toolResult" || !isText) return undefined;
  const withText = (text: string): PiMessage => ({ ...message, content: [{ type: "text", text }] });
  return { text: parts.map(({ text }) => text).join("\n"), call, withText };
}
