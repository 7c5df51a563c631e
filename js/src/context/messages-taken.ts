// Tells the core of the messages of a history, in which it finds copies of files, results that come again, and calls
// that have two, and of which it counts the tokens. A message crosses as far as that needs it.

import { MessageRole } from "../../glue/turnkeeper.js";
import { sendFlat } from "../boundary/flat.js";
import { fields, text, type Fields } from "../messages/fields.js";
import { isOfItem, originOfPart, type AnyMessage } from "../messages/messages.js";
import type { Blocks } from "./blocks.js";

const NONE: ReadonlySet<number> = new Set();

/** Tells of the next message, and answers with the indexes of its parts that answer a call again. */
export function takeMessage(
  machine: string,
  { raw, settings }: Blocks,
  message: AnyMessage,
  index: number,
): ReadonlySet<number> {
  const { role, content } = message;
  const whose = roleOf(role);
  const isItem = role !== "user" && isOfItem(message);
  const told = settings.needsTexts ? whole(content) : ids(content);
  const take = (length: number) => raw.takeMessage(length, index, whose, isItem);
  const again = told === undefined ? take(0) : sendFlat(machine, told, take);
  return again === 0 ? NONE : new Set(raw.partsAgain());
}

function roleOf(role: unknown): MessageRole {
  if (role === "user") return MessageRole.User;
  return role === "assistant" || role === "model" ? MessageRole.Model : MessageRole.Other;
}

/** The calls and results of a content by their ids; undefined without any. */
function ids(content: unknown): unknown {
  const isAny = Array.isArray(content) && content.some(isTools);
  return isAny ? content.map((part) => (isTools(part) ? idsOf(part) : null)) : undefined;
}

function isTools(part: unknown): part is Fields {
  const type = (part as Fields | null | undefined)?.type;
  return type === "tool_use" || type === "tool_result";
}

function idsOf({ type, id, tool_use_id }: Fields): Fields {
  return type === "tool_use" ? { type, id } : { type, tool_use_id };
}

/** A content without what says nothing, such as pictures. */
function whole(content: unknown): unknown {
  return Array.isArray(content) ? content.map(wholePart) : content;
}

function wholePart(part: unknown): unknown {
  const given = fields(part);
  switch (given.type) {
    case "tool_use": {
      const { type, id, name, input } = given;
      // The arguments of OpenAI's calls of 2023, which are no list, stay as they are.
      const isFixed = originOfPart(part)?.function_call !== undefined;
      return isFixed ? { type, id, name, input, isFixed } : { type, id, name, input };
    }
    case "tool_result": {
      const { type, tool_use_id, is_error, content } = given;
      const said = Array.isArray(content) ? content.map(wordsOf) : text(content);
      return { type, tool_use_id, is_error, content: said };
    }
    case "thinking":
      return { type: given.type, thinking: text(given.thinking) };
    default:
      return wordsOf(given);
  }
}

/** What a part says; undefined of one without a text. */
function wordsOf(part: unknown): Fields | undefined {
  const { type, text: words } = fields(part);
  return typeof words === "string" ? { type, text: words } : undefined;
}
