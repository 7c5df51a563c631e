// The AI SDK's messages as messages of this package, and the way back.

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
import { callOf, resultOf, spokenBy } from "./parts.js";

/**
 * A history of `ModelMessage`s in Anthropic's shape, for a host that reads or writes both; {@link toMessages}
 * converts back. `dedupeHistory` and the like take them as they are. Messages of text come out as they
 * are (`===`). Calls, results and reasoning become parts of `tool_use`, `tool_result` and `thinking`,
 * and a tool's message becomes a user's.
 */
export function fromMessages<H extends object>(messages: readonly H[]): Message<H>[] {
  return mapHistory(messages, fromModelMessage);
}

/** A message of this package for one of the AI SDK's. */
export function fromModelMessage(message: object): object {
  const { role, content } = message as AnyMessage;
  if ((role !== "assistant" && role !== "tool") || !Array.isArray(content)) return message;
  const parts = contentParts(content).map(fromPart);
  const isSame = role !== "tool" && parts.every((part, at) => part === content[at]);
  return isSame ? message : converted(message, role === "tool" ? "user" : role, parts);
}

function fromPart(part: MessagePart): MessagePart {
  switch (fields(part).type) {
    case "reasoning":
      return convertedPart(part, { type: "thinking", thinking: part.text });
    case "tool-call": {
      const made = partOf(callOf(part));
      return made === undefined ? part : convertedPart(part, made);
    }
    case "tool-result":
      // Parts stay parts, for what is in them may have to change one by one.
      return convertedPart(part, { ...partOf(resultOf(part)), content: spoken(part) });
    default:
      return part;
  }
}

function spoken(part: MessagePart): MessagePart["content"] {
  const [said] = spokenBy(part);
  return Array.isArray(said) ? (said as MessagePart[]) : textOf(said);
}

/**
 * Converts back. A message that is as {@link fromMessages} made it comes out as the object that it was
 * made of (`===`); in one that was changed, only the changes are new. Messages that were not made
 * by it, such as an assembled prompt, are converted; one with tool results becomes a tool's.
 */
export function toMessages<H extends object = any>(messages: readonly AnyMessage<H>[]): H[] {
  return mapBack(messages, toModelMessages());
}

/** Makes the AI SDK's messages of messages, which know the names of the calls of those before. */
export function toModelMessages(): Build {
  const names = new Map<unknown, unknown>();
  return (message, origin) => {
    const { role, content } = message;
    if (typeof content === "string") return origin ? { ...origin, content } : message;
    const given = contentParts(content);
    if (role === "assistant" || role === "system") {
      const parts = given.map((part) => toPart(part, names));
      if (origin) return { ...origin, content: parts };
      return parts.every((part, at) => part === given[at])
        ? message
        : { ...message, content: parts };
    }
    // A tool's message has results and what the adapter does not know; its text is the user's.
    const isTools = (part: MessagePart) => {
      const { type } = fields(part);
      return (
        type === "tool_result" || (origin !== undefined && (type !== "text" || isOf(origin, part)))
      );
    };
    const results = given.filter(isTools).map((part) => toPart(part, names));
    const rest = given.filter((part) => !isTools(part)).map((part) => toPart(part, names));
    if (!origin && results.length === 0 && rest.every((part, at) => part === given[at])) {
      return message;
    }
    const tools = { ...(origin ?? { role: "tool" }), content: results };
    const user = { ...(origin ? undefined : message), role, content: rest };
    return [...(results.length > 0 ? [tools] : []), ...(rest.length > 0 ? [user] : [])];
  };
}

/** Whether a part was there before. */
function isOf({ content }: Fields, part: unknown): boolean {
  return Array.isArray(content) && content.includes(part);
}

/** Versions before 5 call the arguments `args`. */
function withInput(origin: Fields, part: MessagePart): object {
  const name = origin.input === undefined ? "args" : "input";
  return hasSameInput(origin[name], part) ? origin : { ...origin, [name]: part.input };
}

function toPart(part: MessagePart, names: Map<unknown, unknown>): object {
  const origin = originOfPart(part);
  const { type, id: toolCallId, name: toolName, input, tool_use_id: answered } = fields(part);
  switch (type) {
    case "thinking":
      return origin ?? { type: "reasoning", text: part.thinking };
    case "tool_use":
      names.set(toolCallId, toolName);
      return origin ? withInput(origin, part) : { type: "tool-call", toolCallId, toolName, input };
    case "tool_result": {
      if (origin && spoken(origin) === part.content) return origin;
      const { content: value, is_error } = part;
      const output = Array.isArray(value)
        ? { type: "content", value }
        : { type: is_error ? "error-text" : "text", value: textOf(value) };
      if (origin) return { ...origin, output };
      const toolName = names.get(answered) ?? answered;
      return { type: "tool-result", toolCallId: answered, toolName, output };
    }
    default: {
      const image = imageOf(part);
      return image ? { type: "file", data: image.data, mediaType: image.mediaType } : part;
    }
  }
}
