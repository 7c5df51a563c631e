/** The messages of a saved history, as the file has them. */

import type { FormatName, SavedRecord } from "../saved/saved-session.js";

/** A message as its file has it. */
export type FileMessage = Record<string, unknown>;

/** The message of a record as the file has it, if it holds one. */
export function messageOf({ message, original }: SavedRecord): FileMessage | undefined {
  if (original !== undefined) return original as FileMessage;
  return message && { role: message.role, content: message.content };
}

/** The field of a message in which the content is that lies at this path of its record. */
export function fieldAt(message: FileMessage, path: readonly string[]): string {
  const key = path.at(-1);
  return key !== undefined && key in message ? key : "content";
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
