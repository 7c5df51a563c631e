// Gemini's contents as messages of this package, and the way back.

import { textOf } from "../events.js";
import { fields, type Fields } from "../fields.js";
import {
  converted,
  convertedPart,
  hasSameInput,
  imageOf,
  mapBack,
  mapHistory,
  originOfPart,
  partOf,
  contentParts,
  type AnyMessage,
  type Build,
  type Message,
  type MessagePart,
} from "../messages.js";
import type { GeminiContent } from "./shapes.js";
import { eventsOfPart, spokenBy } from "./parts.js";

/**
 * A history in Anthropic's shape, for a host that reads or writes both; {@link toMessages} converts back.
 * `dedupeHistory` and the like take contents as they are. One message comes out for each that is given. Calls without an id are given one that their answers
 * share: the function's name and its number among those of the message.
 */
export function fromMessages<H extends GeminiContent>(contents: readonly H[]): Message<H>[] {
  return mapHistory(contents, fromContent);
}

/** A message of this package for one of Gemini's. */
export function fromContent(content: GeminiContent): object {
  if (!Array.isArray(content.parts)) return content;
  const names = new Map<unknown, number>();
  const parts = content.parts.map((part) => fromContentPart(part as Fields, names));
  return converted(content, content.role === "model" ? "assistant" : "user", parts);
}

function fromContentPart(part: Fields, names: Map<unknown, number>): MessagePart {
  const { functionCall, functionResponse, text } = fields(part);
  // Code that the provider runs stays as it is.
  const isRead = functionCall ?? functionResponse ?? text;
  const made = isRead === undefined ? undefined : partOf(eventsOfPart(fields(part))?.[0]);
  if (made === undefined) {
    return typeof text === "string"
      ? convertedPart(part, { type: "text", text })
      : (part as MessagePart);
  }
  if (functionCall) return convertedPart(part, { ...made, id: idOf(functionCall, names) });
  if (functionResponse) {
    return convertedPart(part, { ...made, tool_use_id: idOf(functionResponse, names) });
  }
  return convertedPart(part, made);
}

function idOf(called: unknown, names: Map<unknown, number>): string {
  const { id, name = "" } = fields(called);
  if (id) return id as string;
  const count = (names.get(name) ?? 0) + 1;
  names.set(name, count);
  return `${name as string}#${count}`;
}

/**
 * Converts back. A message that is as {@link fromMessages} made it comes out as the object that it was
 * made of (`===`); in one that was changed, only the changes are new. Messages that were not made
 * by it, such as an assembled prompt, are converted; a system message becomes one of the user, for
 * Gemini takes its instruction elsewhere.
 */
export function toMessages<H extends object = any>(messages: readonly AnyMessage<H>[]): H[] {
  return mapBack(messages, toContents());
}

/** Makes contents of messages, which know the names of the calls of those before. */
export function toContents(): Build {
  const names = new Map<unknown, unknown>();
  return (message, origin) => {
    const parts = contentParts(message.content).map((part) => toContentPart(part, names));
    return origin ? { ...origin, parts } : { role: modelOrUser(message.role), parts };
  };
}

function modelOrUser(role: unknown): string {
  return role === "assistant" || role === "model" ? "model" : "user";
}

function toContentPart(part: MessagePart, names: Map<unknown, unknown>): object {
  const origin = originOfPart(part);
  switch (part?.type) {
    case "text":
      return origin && origin.text === part.text ? origin : { ...origin, text: part.text };
    case "thinking":
      return origin ?? { text: part.thinking, thought: true };
    case "tool_use":
      names.set(part.id, part.name);
      return origin ? withArguments(origin, part) : toCall(part);
    case "tool_result":
      return origin ? withSpoken(origin, part) : toResponse(part, names);
    default: {
      const image = imageOf(part);
      return image ? { inlineData: { mimeType: image.mediaType, data: image.data } } : part;
    }
  }
}

function toCall({ id, name, input: args }: MessagePart): object {
  return { functionCall: { id, name, args } };
}

function withArguments(origin: Fields, part: MessagePart): object {
  const functionCall = fields(origin.functionCall);
  if (hasSameInput(functionCall.args, part)) return origin;
  return { ...origin, functionCall: { ...functionCall, args: part.input } };
}

function toResponse(part: MessagePart, names: Map<unknown, unknown>): object {
  const { tool_use_id: id, content, is_error } = part;
  const response = { [is_error ? "error" : "output"]: textOf(content) };
  return { functionResponse: { id, name: names.get(id) ?? id, response } };
}

/** The response with its changed text, which takes the place of the old one. */
function withSpoken(origin: Fields, part: MessagePart): object {
  const functionResponse = fields(origin.functionResponse);
  const response = fields(functionResponse.response);
  const text = textOf(part.content);
  if (textOf(spokenBy(response)) === text) return origin;
  let changed: Fields = { output: text };
  if (response.output !== undefined) changed = { ...response, output: text };
  else if (response.error !== undefined) changed = { ...response, error: text };
  return { ...origin, functionResponse: { ...functionResponse, response: changed } };
}
