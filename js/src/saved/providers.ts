// Whose messages they are: which format that makes it what their messages and parts show.

import type { Provider } from "../messages/any.js";
import * as openai from "../messages/openai/parts.js";
import * as vscode from "../messages/vscode/parts.js";

import { fields, text, type Fields } from "../messages/fields.js";
import type { SessionFormat } from "./saved-session.js";

/** What shows whose messages they are. */
export type Feature = Provider | "calls-in-text" | "environment" | "mini-swe-agent";

/** The formats, by what was seen first of these. */
const BY_FEATURE: [Feature, SessionFormat][] = [
  ["mini-swe-agent", "mini-swe-agent"],
  ["calls-in-text", "cline"],
  ["gemini", "gemini"],
  ["ai-sdk", "ai-sdk"],
  ["openai", "openai"],
  ["environment", "cline"],
  ["anthropic", "anthropic"],
];

/** The format of messages that had these features. */
export function formatOf(features: ReadonlySet<Feature>): SessionFormat {
  // Of those that append the environment to Anthropic's messages, some have reasoning as the AI SDK has it.
  if (features.has("environment") && features.has("anthropic")) return "cline";
  return BY_FEATURE.find(([feature]) => features.has(feature))?.[1] ?? "messages";
}

const ROLES = new Set([
  "system",
  "developer",
  "user",
  "assistant",
  "tool",
  "function",
  "model",
  "exit",
]);

/** The role of a message, in words; undefined if no agent's message has it. */
export function roleOf(message: Fields): string | undefined {
  const role = text(message.role) ?? vscode.roleOf(message);
  return role !== undefined && ROLES.has(role) ? role : undefined;
}

/** Whether it is a message of a chat, in any provider's shape, or an item of OpenAI's Responses. */
export function isMessage(value: unknown): boolean {
  const message = fields(value);
  const { content, parts, tool_calls, output, object } = message;
  if (roleOf(message) !== undefined) {
    return (
      typeof content === "string" ||
      Array.isArray(content) ||
      Array.isArray(parts) ||
      Array.isArray(tool_calls) ||
      content === null
    );
  }
  return openai.isItem(message) || (object === "response" && Array.isArray(output));
}
