/** JSON with comments, changed in place: comments, order, indentation and line ends stay. */

import {
  type FormattingOptions,
  type JSONPath,
  type Node,
  type ParseError,
  applyEdits,
  createScanner,
  findNodeAtLocation,
  modify,
  parse,
  parseTree,
  printParseErrorCode,
  stripComments,
} from "jsonc-parser";

import { UnreadableSettings } from "./file-change.js";

/** The keys below which something of ours is written. */
const WRITTEN = ["hooks", "plugin", "extensions", "version"];

const BOM = "\uFEFF";

export class JsonText {
  #text: string;
  readonly #start: string;

  /** @throws {@link UnreadableSettings} for text that is no JSON object, comments and final commas aside */
  constructor(
    readonly file: string,
    content: string,
  ) {
    this.#start = content.startsWith(BOM) ? BOM : "";
    this.#text = content.slice(this.#start.length);
    if (stripComments(this.#text).trim() === "")
      this.#text = `${this.#text.replace(/[^\n]$/, "$&\n")}{}\n`;
    if (depthOf(this.#text) > DEEPEST)
      throw new UnreadableSettings(file, "is nested too deeply; it stays as it is");
    const errors: ParseError[] = [];
    const value: unknown = parse(this.#text, errors, { allowTrailingComma: true });
    const [error] = errors;
    if (error) {
      const line = this.#text.slice(0, error.offset).split("\n").length;
      const what = printParseErrorCode(error.error);
      throw new UnreadableSettings(
        file,
        `is no valid JSON (line ${line}: ${what}); it stays as it is`,
      );
    }
    if (!isObject(value))
      throw new UnreadableSettings(file, "is no JSON object; it stays as it is");
    this.#refuseDoubled([]);
  }

  get(path: JSONPath): unknown {
    let value: unknown = parse(this.#text, [], { allowTrailingComma: true });
    for (const step of path) {
      if (typeof value !== "object" || value === null) return undefined;
      value = (value as Record<string | number, unknown>)[step];
    }
    return value;
  }

  /** The array at a path, empty if there is none. @throws {@link UnreadableSettings} */
  array(path: JSONPath): unknown[] {
    const value = this.get(path);
    if (value === undefined) return [];
    if (Array.isArray(value)) return value;
    throw new UnreadableSettings(
      this.file,
      `has no list as "${path.join(".")}"; it stays as it is`,
    );
  }

  /** The names in the object at a path. @throws {@link UnreadableSettings} */
  names(path: JSONPath): string[] {
    const value = this.get(path);
    if (value === undefined) return [];
    if (isObject(value)) return Object.keys(value);
    throw new UnreadableSettings(
      this.file,
      `has no object as "${path.join(".")}"; it stays as it is`,
    );
  }

  set(path: JSONPath, value: unknown): void {
    this.#change(path, value, false);
  }

  /** Takes a property or an item out, with its comma and its lines. Comments beside it stay. */
  remove(path: JSONPath): void {
    const tree = parseTree(this.#text, [], { allowTrailingComma: true });
    const value = tree && findNodeAtLocation(tree, path);
    if (value)
      this.#text = without(this.#text, value.parent?.type === "property" ? value.parent : value);
  }

  /** The same for a property that is an empty list or object. One with a comment in it stays. */
  removeEmpty(path: JSONPath): void {
    const tree = parseTree(this.#text, [], { allowTrailingComma: true });
    const property = tree && findNodeAtLocation(tree, path)?.parent;
    if (!property) return;
    const text = this.#text.slice(property.offset, property.offset + property.length);
    if (/^"(?:[^"\\]|\\.)*"\s*:\s*[[{]\s*[\]}]$/.test(text)) this.remove(path);
  }

  append(path: JSONPath, value: unknown): void {
    if (this.get(path) === undefined) this.set(path, [value]);
    else this.#change([...path, -1], value, true);
  }

  toString(): string {
    return this.#start + this.#text;
  }

  /** Agents read the last of two equal keys, and an editor the first: neither is sure to be the right one. */
  #refuseDoubled(path: JSONPath): void {
    const tree = parseTree(this.#text, [], { allowTrailingComma: true });
    const object = tree && findNodeAtLocation(tree, path);
    const keys = (object?.type === "object" ? object.children! : []).map(
      ({ children }) => children![0]!.value as string,
    );
    const doubled = keys.find(
      (key, at) => keys.indexOf(key) !== at && (path.length > 0 || WRITTEN.includes(key)),
    );
    if (doubled !== undefined) {
      throw new UnreadableSettings(this.file, `has "${doubled}" twice; it stays as it is`);
    }
    if (path.length === 0 && keys.includes("hooks")) this.#refuseDoubled(["hooks"]);
  }

  #change(path: JSONPath, value: unknown, isArrayInsertion: boolean): void {
    const options = { formattingOptions: formattingOf(this.#text), isArrayInsertion };
    this.#text = applyEdits(this.#text, modify(this.#text, path, value, options));
  }
}

/** The reader goes into itself at each level, and no settings have as many. */
const DEEPEST = 500;

function depthOf(text: string): number {
  const scanner = createScanner(text, true);
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length;) {
    scanner.scan();
    at = scanner.getTokenOffset();
    const token = text[at];
    if (token === "{" || token === "[") deepest = Math.max(deepest, ++depth);
    else if (token === "}" || token === "]") depth -= 1;
  }
  return deepest;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The indentation and the line ends that a text has. */
function formattingOf(text: string): FormattingOptions {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
  const isTab = indent.startsWith("\t");
  return {
    insertSpaces: !isTab,
    tabSize: isTab ? 1 : indent.length,
    eol: text.includes("\r\n") ? "\r\n" : "\n",
  };
}

/** jsonc-parser's own removal takes comments before a last item with it. */
function without(text: string, node: Node): string {
  const end = node.offset + node.length;
  const siblings = node.parent?.children ?? [];
  const before = siblings[siblings.indexOf(node) - 1];
  const after = commaFrom(text, end);
  if (after !== undefined) {
    const [first, last] = wholeLines(text, node.offset, after === end ? end + 1 : end);
    const rest = after === end ? text.slice(last) : withoutAt(text, after).slice(last);
    return text.slice(0, first) + rest;
  }
  const [first, last] = wholeLines(text, node.offset, end);
  const shorter = text.slice(0, first) + text.slice(last);
  const comma = before && commaFrom(text, before.offset + before.length);
  return comma === undefined ? shorter : withoutAt(shorter, comma);
}

/** Where the next token is a comma, comments aside. */
function commaFrom(text: string, from: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(from);
  scanner.scan();
  const at = scanner.getTokenOffset();
  return text[at] === "," ? at : undefined;
}

function withoutAt(text: string, at: number): string {
  return text.slice(0, at) + text.slice(at + 1);
}

/** A range, and the whole of its lines if nothing else stands there. */
function wholeLines(text: string, start: number, end: number): [start: number, end: number] {
  const indent = /[ \t]*$/.exec(text.slice(0, start))![0].length;
  const isAtStart = start === indent || text[start - indent - 1] === "\n";
  const rest = /^[ \t]*\r?\n/.exec(text.slice(end));
  if (isAtStart && rest) return [start - indent, end + rest[0].length];
  // Between others on a line, the space before goes with it.
  return [start - indent, end];
}
