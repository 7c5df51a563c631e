// What a tool said, whatever its result is made of: a string, or the parts of a provider's message.
// `src/messages/tool_output.rs` reads the same parts.

import { MEDIA } from "../boundary/generated/shapes.js";
import { fields, text as string, type Fields } from "./fields.js";

/**
 * The text of a tool's result or of a content: a string as it is, parts by their texts, a line each, and
 * anything else as JSON. A picture or a file among parts is its type and a name that is another one for
 * other bytes (`[image qlwrkzth]`), for the bytes themselves would be most of the text.
 */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return "";
  if (Array.isArray(value) && isParts(value)) return value.map(textOfPart).join("\n");
  try {
    return JSON.stringify(value, withoutBytes) ?? "";
  } catch {
    // Cyclic, too deep, or holds a bigint: a tool of the host's may return anything.
    return typeof value === "bigint" ? `${value}` : Object.prototype.toString.call(value);
  }
}

/** Whether an array holds texts, or parts of a message; a tool may also have given a list of its own. */
function isParts(value: readonly unknown[]): boolean {
  return value.some((part) => wordsOf(part) !== undefined) || value.every(isMedia);
}

function textOfPart(part: unknown): string {
  return wordsOf(part) ?? (isMedia(part) ? mediaOf(part) : textOf(part));
}

/** What a part says; undefined if it is no text. */
function wordsOf(part: unknown): string | undefined {
  if (typeof part === "string") return part;
  const given = fields(part);
  if (typeof given.text === "string") return given.text;
  switch (given.type) {
    case undefined:
      return untypedWords(given);
    case "refusal":
      return string(given.refusal);
    // MCP.
    case "resource":
      return string(fields(given.resource).text);
    case "resource_link":
      return string(given.uri);
    // Anthropic's, and other results within a result.
    case "document":
      return documentWords(fields(given.source));
    case "search_result":
    case "tool_result":
    case "tool-result":
      return nested(given.content ?? given.output);
    // The AI SDK's outputs.
    case "text":
    case "json":
    case "error-text":
    case "error-json":
    case "execution-denied":
      return nested(given.value ?? given.reason);
    case "content":
      return nested(given.value ?? given.content);
    default:
      return undefined;
  }
}

/** Gemini's parts, and VS Code's, which are instances of classes. */
function untypedWords(part: Fields): string | undefined {
  if (part.functionResponse !== undefined) {
    const { response } = fields(part.functionResponse);
    const { output, error } = fields(response);
    return nested(output ?? error ?? response);
  }
  const { value } = part;
  const isTextPart = Object.keys(part).every((name) => name === "value" || name === "audience");
  return isTextPart ? string(value) : undefined;
}

function documentWords({ type, data, content }: Fields): string | undefined {
  if (type === "text") return string(data);
  return type === "content" ? nested(content) : undefined;
}

function nested(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  // One part stands for a list of it.
  return wordsOf(value) ?? textOf(value);
}

/** Whether a part of a message is a picture, a file or the like. */
function isMedia(part: unknown): boolean {
  const given = fields(part);
  const { type = "file" } = given;
  return (
    /image|audio|video|media|file|document|resource/.test(string(type) ?? "") &&
    MEDIA.some((name) => given[name] !== undefined)
  );
}

function mediaOf(part: unknown): string {
  const given = fields(part);
  const bytes = MEDIA.map((name) => given[name]).find((value) => value !== undefined);
  return `[${string(given.type) ?? "file"} ${nameOf(bytes)}]`;
}

/** The kinds of objects that hold bytes, of which JSON says nothing, by the names of their classes. */
const BINARY = /^\[object (?:SharedArrayBuffer|ArrayBuffer|Blob|File|ImageData)\]$/;

/** An object that holds bytes; from another window or context it is of another class. */
function hasBytes(value: unknown): value is object {
  return ArrayBuffer.isView(value) || BINARY.test(Object.prototype.toString.call(value));
}

/** A name of an object that holds bytes, another one for other bytes; undefined for any other object. */
export function nameOfBytes(value: object): string | undefined {
  return hasBytes(value) ? nameOf(value) : undefined;
}

/** The bytes; of what gives them only later, such as a `Blob`, what is known of it. */
function bytesOf(holder: object): Uint8Array | string {
  if (ArrayBuffer.isView(holder)) {
    return new Uint8Array(holder.buffer, holder.byteOffset, holder.byteLength);
  }
  if ("byteLength" in holder) {
    // A buffer that was handed over to another thread is empty.
    return holder.byteLength === 0 ? "" : new Uint8Array(holder as ArrayBuffer);
  }
  const { data, type, size, name, lastModified } = holder as Fields;
  return ArrayBuffer.isView(data)
    ? bytesOf(data)
    : JSON.stringify([type, size, name, lastModified]);
}

/** Puts the name of bytes into JSON, also of those that write themselves as a list of numbers. */
function withoutBytes(this: unknown, key: string, value: unknown): unknown {
  const given = (this as Fields)[key];
  return hasBytes(given) ? nameOf(given) : value;
}

/** Letters that make neither a word nor a hexadecimal number, which would not be compared. */
const LETTERS = "ghjklmnpqrstvwxz";

/** A hash (FNV-1a) of a picture's bytes, base64 or address, in eight letters. */
function nameOf(media: unknown): string {
  let hash = 0x811c9dc5;
  const take = (unit: number): void => {
    hash = Math.imul(hash ^ unit, 0x01000193);
  };
  const bytes = hasBytes(media) ? bytesOf(media) : textOf(media);
  if (typeof bytes !== "string") {
    for (const byte of bytes) take(byte);
  } else {
    const written = bytes;
    for (let at = 0; at < written.length; at += 1) take(written.charCodeAt(at));
  }
  let name = "";
  for (let shift = 28; shift >= 0; shift -= 4) name += LETTERS.charAt((hash >>> shift) & 15);
  return name;
}
