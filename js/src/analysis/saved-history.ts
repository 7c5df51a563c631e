/** The messages of a saved history, as the deduper takes them, and the way back. */

import * as aiSdk from "../messages/ai-sdk/history.js";
import * as gemini from "../messages/gemini/history.js";
import * as openai from "../messages/openai/history.js";
import type { FormatName, SavedRecord } from "../saved/saved-session.js";

import { viewOf } from "./message-view.js";

/** A message as its file has it. */
export type FileMessage = Record<string, unknown>;

type Convert = (messages: readonly object[]) => object[];

/** The formats whose messages are others than those that the deduper takes: there, and back. */
export const ADAPTERS: Partial<Record<FormatName, { from: Convert; to: Convert }>> = {
  openai: { from: openai.fromMessages, to: openai.toMessages },
  codex: { from: openai.fromMessages, to: openai.toMessages },
  "ai-sdk": { from: aiSdk.fromMessages, to: aiSdk.toMessages },
  gemini: { from: gemini.fromMessages, to: gemini.toMessages },
  "qwen-code": { from: gemini.fromMessages, to: gemini.toMessages },
};

/** The messages as the deduper takes them. */
export function deduperMessages(format: FormatName, messages: readonly FileMessage[]): object[] {
  return ADAPTERS[format]?.from(messages) ?? messages.map(asView);
}

/** The message of a record as the file has it, if it holds one. */
export function messageOf({ message, original }: SavedRecord): FileMessage | undefined {
  if (original !== undefined) return original as FileMessage;
  return message && { role: message.role, content: message.content };
}

/** Gemini's parts have no type, and neither need those of a chat whose provider nobody knows. */
function asView(message: FileMessage): object {
  const { role = "user", content } = message;
  return (typeof role === "string" && viewOf(role, content)) || message;
}

/** Formats that are records of what happened, and not what is sent again. */
const RECORDS = new Set<FormatName>([
  "events",
  "cline-ui",
  "cline-markdown",
  "claude-stream",
  "gemini-stream",
  "codex",
  "gemini-cli",
  "openhands",
  "openhands-eval",
  "swe-agent",
  "pi",
  "opencode",
  "goose",
  "copilot-chat",
  "copilot-cli",
  "qwen-code",
  "kimi",
  "crush",
  "atif",
]);

/** Whether a format is what an agent sends again, so that it can be repaired. */
export function isHistory(format: FormatName): boolean {
  return !RECORDS.has(format);
}
