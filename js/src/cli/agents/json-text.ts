/** JSON with comments, changed in place: comments, order, indentation and line ends stay. */

import {
  type FormattingOptions,
  type JSONPath,
  type ParseError,
  applyEdits,
  modify,
  parse,
  printParseErrorCode,
} from "jsonc-parser";

import { UnreadableSettings } from "./file-change.js";

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
    if (this.#text.trim() === "") this.#text = "{}\n";
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

  /** Sets a value, or takes it out if it is `undefined`. */
  set(path: JSONPath, value: unknown): void {
    this.#change(path, value, false);
  }

  append(path: JSONPath, value: unknown): void {
    if (this.get(path) === undefined) this.set(path, [value]);
    else this.#change([...path, -1], value, true);
  }

  toString(): string {
    return this.#start + this.#text;
  }

  #change(path: JSONPath, value: unknown, isArrayInsertion: boolean): void {
    const options = { formattingOptions: formattingOf(this.#text), isArrayInsertion };
    this.#text = applyEdits(this.#text, modify(this.#text, path, value, options));
  }
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
