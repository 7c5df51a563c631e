// Chat messages as messages of this package, and the way back.

import type { AgentEvent } from "../../boundary/generated/shapes.js";
import { textOf } from "../events.js";
import { fields, type Fields } from "../fields.js";
import {
  converted,
  convertedPart,
  imageOf,
  inputAsJson,
  mapBack,
  mapHistory,
  originOfPart,
  contentParts,
  type AnyMessage,
  type Build,
  type Message,
  type MessagePart,
} from "../messages.js";
import { fromCall, fromItem, fromText, toCallItem, toItem, toText } from "./items.js";
import { callsOf, isCallItem, isToolMessage } from "./parts.js";

/**
 * A history of chat messages in Anthropic's shape, for a host that reads or writes both; {@link toMessages}
 * converts back. `dedupeHistory` and the like take chat messages as they are. Messages of text come out as they
 * are (`===`). An assistant's tool calls become parts of `tool_use`, whose arguments are read only if
 * somebody looks at them, and a tool's message becomes a user's with a `tool_result`. So do the calls and
 * results among the items of the Responses API; its other items pass through as they are.
 */
export function fromMessages<H extends object>(messages: readonly H[]): Message<H>[] {
  return mapHistory(messages, fromChatMessage);
}

/** A message of this package for one of OpenAI's, or for an item of the Responses API. */
export function fromChatMessage(message: object): object {
  const { role, content, tool_call_id, name } = message as Fields;
  const item = role === undefined ? fromItem(message) : undefined;
  if (item !== undefined) return item;
  if (isToolMessage(message as Fields)) {
    const id = (tool_call_id ?? name) as string;
    const made = { type: "tool_result", tool_use_id: id, content } as MessagePart;
    return converted(message, "user", [convertedPart(message, made)]);
  }
  const calls = callsOf(message as Fields);
  const parts = contentParts(content).map(fromText);
  if (calls.length === 0) {
    const isSame = typeof content === "string" || !isChanged(parts, content);
    return isSame ? message : converted(message, role as string, parts);
  }
  const uses = calls.map(({ call, event }) => fromCall(call, named(event)));
  return converted(message, "assistant", [...parts, ...uses]);
}

/** A call of 2023 has no id, and is answered by its name. */
function named(event: AgentEvent): AgentEvent {
  return event.type === "tool_call" ? { ...event, id: event.id ?? event.name } : event;
}

function isChanged(parts: readonly unknown[], content: unknown): boolean {
  return Array.isArray(content) && parts.some((part, at) => part !== content[at]);
}

/**
 * Converts back. A message that is as {@link fromMessages} made it comes out as the object that it was
 * made of (`===`); in one that was changed, only the changes are new. Messages that were not made
 * by it, such as an assembled prompt, are converted; one with several tool results becomes a message
 * for each.
 */
export function toMessages<H extends object = any>(messages: readonly AnyMessage<H>[]): H[] {
  return mapBack(messages, toChatMessage);
}

/** OpenAI's messages for one of this package. */
export const toChatMessage: Build = (message, origin) => {
  const { role, content } = message;
  if (origin && isCallItem(origin)) return toCallItem(origin, contentParts(content)[0]);
  if (typeof content === "string") return origin ? { ...origin, content } : message;
  const results: object[] = [];
  const calls: object[] = [];
  const parts: object[] = [];
  for (const part of contentParts(content)) {
    if (part?.type === "tool_result") results.push(toItem(part) ?? toResult(part));
    else if (part?.type === "tool_use") calls.push(toCall(part));
    else if (part?.type !== "thinking") parts.push(toPart(part));
  }
  if (role === "assistant") {
    if (!origin && calls.length === 0 && !isChanged(parts, content)) return message;
    const known = calls.filter((call) => !("function_call" in call));
    const said = Array.isArray(origin?.content) ? parts : spoken(parts);
    const text = parts.length > 0 || !origin ? { content: said } : {};
    return { ...(origin ?? { role }), ...text, ...(known.length > 0 && { tool_calls: known }) };
  }
  if (parts.length === 0) return results;
  if (!origin && results.length === 0 && !isChanged(parts, content)) return message;
  // Text that somebody added to a tool's result is the user's.
  const isTool = origin?.role === "tool" || origin?.role === "function";
  const said = { ...(isTool ? undefined : (origin ?? message)), role, content: parts };
  return [...results, said];
};

function spoken(parts: readonly object[]): unknown {
  if (parts.length === 0) return null;
  const [{ type, text }] = parts as [Fields];
  return parts.length === 1 && type === "text" ? text : parts;
}

function toResult(part: MessagePart): object {
  const origin = originOfPart(part);
  const { tool_use_id: tool_call_id, content } = part;
  if (origin) return origin.content === content ? origin : { ...origin, content };
  return { role: "tool", tool_call_id, content: textOf(content) };
}

function toCall(part: MessagePart): object {
  const { id, name, input } = part;
  const origin = originOfPart(part);
  if (origin === undefined) {
    return { id, type: "function", function: { name, arguments: JSON.stringify(input ?? {}) } };
  }
  const made = fields(origin.function);
  if (typeof made.arguments !== "string") return origin;
  const json = inputAsJson(made.arguments, part);
  return json === made.arguments ? origin : { ...origin, function: { ...made, arguments: json } };
}

function toPart(part: MessagePart): object {
  const image = originOfPart(part) ? undefined : imageOf(part);
  if (image === undefined) return toText(part);
  return {
    type: "image_url",
    image_url: { url: `data:${image.mediaType};base64,${image.data}` },
  };
}
