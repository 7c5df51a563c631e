import { InputError, refuseUtf16 } from "./event-lines.js";
import { isMarkdownExport } from "./markdown.js";

/** How a file is built: values a line, an array, an object, or an export. */
export type Container = "lines" | "array" | "object" | "markdown";

/** What a database begins with, in which opencode and goose keep their sessions by now. */
const SQLITE = new TextEncoder().encode("SQLite format 3\0");

/** The properties of an object that hold a session. */
export const HOLDERS: ReadonlySet<string> = new Set([
  "messages",
  "trajectory",
  "history",
  "events",
  "items",
  "input",
  "conversation",
  "requests",
  "steps",
]);

/**
 * How a file is built.
 *
 * @param file the name that errors carry
 * @param beginning the file's first bytes; a few hundred kilobytes are enough
 * @throws {@link InputError} if it is no text
 */
export function containerOf(file: string, beginning: Uint8Array): Container {
  refuseUtf16(file, beginning);
  if (SQLITE.every((byte, at) => beginning[at] === byte)) {
    const message = "is an SQLite database, which only the audit of an agent's own folder reads";
    throw new InputError(file, message, undefined, true);
  }
  if (beginning.includes(0)) throw new InputError(file, "is a binary file", 1, true);
  const text = new TextDecoder().decode(beginning);
  const first = text.replace(/^\ufeff/, "").trimStart();
  if (first.startsWith("[")) return "array";
  if (first.startsWith("{")) return isOneObject(first) ? "object" : "lines";
  if (isMarkdownExport(text)) return "markdown";
  if (first === "") throw new InputError(file, "has no events");
  const what = first.startsWith("<") ? "it is no JSON but markup" : "it is no JSON";
  throw new InputError(file, `is in no format that turnkeeper reads: ${what}`, undefined, true);
}

/** Whether a text that begins like JSON goes on as records do: with an object and a name in quotes, or not at all yet. */
export function beginsWithRecord(beginning: Uint8Array): boolean {
  const text = new TextDecoder().decode(beginning.subarray(0, 4_096));
  return /^\ufeff?\s*(\[\s*)?($|\]|\{\s*($|"|\}))/.test(text);
}

/** Whether a file is one object with a session inside, and not an object a line. */
function isOneObject(text: string): boolean {
  if (/^\{\s*\r?\n/.test(text)) return true;
  const { arrays, rest, firstKey } = outline(text);
  if (rest !== undefined && rest.trim() !== "") return false;
  // A run of an evaluation is a line with its instance, even if there is only one.
  if (firstKey === "instance_id") return false;
  return arrays.some((key) => HOLDERS.has(key));
}

interface Outline {
  firstKey: string | undefined;
  /** The keys of the object whose values are arrays. */
  arrays: string[];
  /** What follows the object; undefined if the text ends inside it. */
  rest: string | undefined;
}

/** The outermost level of the object that a text begins with; the text may end anywhere. */
function outline(text: string): Outline {
  const found: Outline = { firstKey: undefined, arrays: [], rest: undefined };
  const token = /"[^"\\]*(?:\\.[^"\\]*)*\\?(?:"|$)|[[\]{}:]/gs;
  let depth = 0;
  let string = "";
  let key = "";
  for (let match = token.exec(text); match; match = token.exec(text)) {
    const [what] = match;
    if (what === "}" || what === "]") {
      depth -= 1;
      if (depth === 0) return { ...found, rest: text.slice(token.lastIndex) };
    } else if (what === "{" || what === "[") {
      if (depth === 1 && what === "[") found.arrays.push(key);
      depth += 1;
    } else if (what !== ":") {
      string = what;
    } else if (depth === 1) {
      key = string.slice(1, -1);
      found.firstKey ??= key;
    }
  }
  return found;
}
