// Who wrote a message that stands in the user's name, or in the model's: agents and their hosts put words of their
// own there. Whatever the format, messages are told apart here, and texts of the user in `person.ts`.

import { fields, list, text, type Fields } from "./fields.js";
import { partsOfPart } from "./parts.js";
import { usersWords } from "./person.js";
import { roleOf } from "./vscode/parts.js";

/** Fields with which an agent marks its own messages and parts in the user's name. */
const MARKS = ["isMeta", "isCompactSummary", "isSynthetic", "synthetic", "ignored"];

/**
 * What a person wrote of a message; undefined for one of another role, for results that are sent in the user's
 * name and what comes with them, and for what an agent or its host wrote. The message may be of any provider or agent.
 */
export function usersWordsIn(message: object): string | undefined {
  const given = message as Fields;
  if (!isInUsersName(given) || isMarked(given)) return undefined;
  const { content, parts } = given;
  const told = typeof content === "string" ? [content] : list(content ?? parts);
  const said = told.filter((part) => !isMarked(fields(part))).flatMap((part) => partsOfPart(part));
  if (said.some(({ type }) => type === "tool_result")) return undefined;
  const texts = said.map((part) => (part.type === "text" ? part.text : ""));
  const words = isSaidByPerson(given) ? texts : texts.map((said) => usersWords(said) ?? "");
  return words.filter((said) => said.trim() !== "").join("\n") || undefined;
}

function isInUsersName(message: Fields): boolean {
  const { role, type, getType, content, parts } = message;
  if (typeof getType === "function") return getType.call(message) === "human";
  if (role !== undefined) return role === "user" || role === "human" || roleOf(message) === "user";
  // gemini-cli's records have a type in its place, and Gemini's contents need none.
  if (type !== undefined) return type === "user" || type === "human";
  return content === undefined && Array.isArray(parts);
}

function isMarked(given: Fields): boolean {
  if (MARKS.some((mark) => given[mark] === true) || given.injected_event !== undefined) return true;
  const kind = authorOf(given);
  return kind !== undefined && !PERSONS.has(kind);
}

function isSaidByPerson(given: Fields): boolean {
  return PERSONS.has(authorOf(given) ?? "");
}

/** Who is said to have written a message, where an agent says it. */
function authorOf({ origin, provenance }: Fields): string | undefined {
  return text(fields(origin).kind) ?? text(fields(provenance).kind);
}

const PERSONS = new Set(["human", "user", "external_user"]);
