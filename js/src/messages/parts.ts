// What a message says, whichever provider's it is: the one reading, for whoever does not change it. Whoever
// does takes `readMessages` of `any.ts`, which leads back.

import type { AgentEvent } from "../boundary/generated/shapes.js";
import * as aiSdk from "./ai-sdk/parts.js";
import * as anthropic from "./anthropic/parts.js";
import type { Provider } from "./any.js";
import { answered, called, said } from "./events.js";
import { fields, list, type Fields } from "./fields.js";
import * as gemini from "./gemini/parts.js";
import * as openai from "./openai/parts.js";
import { isMedia } from "./tool-output.js";
import * as vscode from "./vscode/parts.js";

/** A text, thinking, a call or a result, as they are observed, or a picture or another file. */
export type Part = AgentEvent | { readonly type: "image" };

/** Who understands a part; the first that does not say `undefined` has it. */
const READERS: [Provider | undefined, (part: Fields) => AgentEvent[] | undefined][] = [
  // A part of text looks the same wherever it comes from.
  [undefined, (part) => (part.type === "text" ? said("text", part.text) : undefined)],
  ["anthropic", anthropic.eventsOfBlock],
  ["openai", openai.eventsOfPart],
  ["ai-sdk", aiSdk.eventsOfPart],
  ["gemini", gemini.eventsOfPart],
  [undefined, vscode.eventsOfPart],
  // pi's are like Anthropic's, but for calls.
  [
    undefined,
    ({ type, id, name, arguments: args }) =>
      type === "toolCall" ? [called(id, name, args)] : undefined,
  ],
];

/**
 * What a part of a content says; nothing if nobody knows the part.
 *
 * @param isOf is told whose the part is, if it shows
 */
export function partsOfPart(value: unknown, isOf?: (provider: Provider) => void): Part[] {
  if (typeof value === "string") return said("text", value);
  const part = fields(value);
  for (const [provider, read] of READERS) {
    const events = read(part);
    if (events === undefined) continue;
    if (provider !== undefined) isOf?.(provider);
    return events.length === 0 && isMedia(part) ? [{ type: "image" }] : events;
  }
  return isMedia(part) ? [{ type: "image" }] : [];
}

/**
 * What a message or an item says, in its order, with the thinking and the calls that some have beside the
 * content. Of a tool's message it is the results.
 *
 * @param isOf is told whose the message is, as far as it shows
 */
export function partsOf(message: object, isOf?: (provider: Provider) => void): Part[] {
  const given = message as Fields;
  const { role, content, parts } = given;
  if (role === undefined && given.type !== "message" && openai.isItem(given)) {
    isOf?.("openai");
    return openai.eventsOfItem(given);
  }
  const told = typeof content === "string" ? [content] : list(content ?? parts);
  const spoken = told.flatMap((part) => partsOfPart(part, isOf));
  if (openai.isToolMessage(given)) {
    const results = spoken.filter(({ type }) => type === "tool_result");
    if (results.length > 0) return results;
    isOf?.("openai");
    return [openai.resultOf(given)];
  }
  if (role === "toolResult") {
    return [answered(given.toolCallId, content, { isError: given.isError === true })];
  }
  const calls = openai.callsOf(given).map(({ event }) => event);
  if (calls.length > 0) isOf?.("openai");
  return [...openai.thinkingOf(given), ...spoken, ...calls];
}
