// Whose messages they are: what a message or a part says by itself, and which format that makes it.

import * as aiSdk from "../messages/ai-sdk/parts.js";
import * as anthropic from "../messages/anthropic/parts.js";
import * as gemini from "../messages/gemini/parts.js";
import * as openai from "../messages/openai/parts.js";
import * as vscode from "../messages/vscode/parts.js";
import { said } from "../messages/events.js";
import type { AgentEvent } from "../boundary/generated/shapes.js";

import { fields, text, type Fields } from "./fields.js";
import type { FormatName } from "./saved-session.js";

/** What shows whose messages they are. */
export type Feature =
  "calls-in-text" | "environment" | "anthropic" | "openai" | "ai-sdk" | "gemini" | "mini-swe-agent";

/** The formats, by what was seen first of these. */
const BY_FEATURE: [Feature, FormatName][] = [
  ["mini-swe-agent", "mini-swe-agent"],
  ["calls-in-text", "cline"],
  ["gemini", "gemini"],
  ["ai-sdk", "ai-sdk"],
  ["openai", "openai"],
  ["environment", "cline"],
  ["anthropic", "anthropic"],
];

/** The format of messages that had these features. */
export function formatOf(features: ReadonlySet<Feature>): FormatName {
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

/** Who understands a part; the first that does not say `undefined` has it. */
const READERS: [Feature | undefined, (part: Fields) => AgentEvent[] | undefined][] = [
  // A part of text looks the same wherever it comes from, and so does a picture.
  [undefined, textOrImage],
  ["anthropic", anthropic.eventsOfBlock],
  ["openai", openai.eventsOfPart],
  ["ai-sdk", aiSdk.eventsOfPart],
  ["gemini", gemini.eventsOfPart],
  [undefined, vscode.eventsOfPart],
];

function textOrImage(part: Fields): AgentEvent[] | undefined {
  if (part.type === "text") return said("text", part.text);
  return /^(image|document|file)$/.test(String(part.type)) ? [] : undefined;
}

/** What a part of a message says, and what it shows of whose it is; nothing if nobody knows the part. */
export function readPart(value: unknown): { events: AgentEvent[]; feature?: Feature } {
  const part = fields(value);
  for (const [feature, read] of READERS) {
    const events = read(part);
    if (events !== undefined) return feature === undefined ? { events } : { events, feature };
  }
  return { events: [] };
}
