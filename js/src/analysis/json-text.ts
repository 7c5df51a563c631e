/** Where the parts of a JSON text are, so that some can be changed and the others stay as written. */

import { createScanner, type JSONScanner } from "jsonc-parser";

/** A part of a text, from `start` up to `end`. */
export interface Range {
  start: number;
  end: number;
}

/**
 * Where a value is in the text of a JSON value that is known to be JSON. Goes from token to token, so
 * the text may be nested as deeply as it likes. Linear in the text.
 *
 * @param keys lead from the outermost object to the value
 */
export function valueAt(text: string, keys: readonly string[]): Range | undefined {
  const tokens = new Tokens(text, 0);
  let range = tokens.value();
  for (const key of keys) {
    const found = new Tokens(text, range.start).property(key);
    if (!found) return undefined;
    range = found;
  }
  return range;
}

/** The elements of the array that starts at an index. */
export function elementsAt(text: string, start: number): Range[] {
  const tokens = new Tokens(text, start);
  tokens.next();
  const elements: Range[] = [];
  let value = tokens.value();
  while (value.end > value.start) {
    elements.push(value);
    if (tokens.next() !== ",") break;
    value = tokens.value();
  }
  return elements;
}

/** Reads a text from token to token; the first character of a token says what it is. */
class Tokens {
  readonly #text: string;
  readonly #scanner: JSONScanner;

  constructor(text: string, start: number) {
    this.#text = text;
    this.#scanner = createScanner(text, true);
    this.#scanner.setPosition(start);
  }

  /** The first character of the next token; undefined at the end of the text. */
  next(): string | undefined {
    for (;;) {
      this.#scanner.scan();
      const first = this.#text[this.#scanner.getTokenOffset()];
      // A byte-order mark, or a space that JSON does not know; whoever reads lines trims them.
      if (first === undefined || first.trim() !== "") return first;
    }
  }

  /** Goes past the value that comes next; it is empty where an array or the text ends instead. */
  value(): Range {
    let token = this.next();
    const start = this.#scanner.getTokenOffset();
    if (token === undefined || token === "]") return { start, end: start };
    for (let depth = 0; token !== undefined; token = this.next()) {
      if (token === "{" || token === "[") depth += 1;
      if (token === "}" || token === "]") depth -= 1;
      if (depth === 0) break;
    }
    return { start, end: this.#scanner.getPosition() };
  }

  /** The value of a key, if an object comes next; of two with one key, the last counts. */
  property(key: string): Range | undefined {
    if (this.next() !== "{") return undefined;
    let found: Range | undefined;
    while (this.next() === '"') {
      const isKey = this.#scanner.getTokenValue() === key;
      // The colon.
      this.next();
      const value = this.value();
      if (isKey) found = value;
      if (this.next() !== ",") break;
    }
    return found;
  }
}

/**
 * The JSON of a string with other text in the place of a part; everything else stays as it was written.
 *
 * @param json the string with its quotes
 * @param from the first UTF-16 unit of the string that goes
 * @param to the first one that stays again
 */
export function withUnits(json: string, from: number, to: number, text = ""): string {
  const inserted = JSON.stringify(text).slice(1, -1);
  let unit = 0;
  let begin = -1;
  // The quote at the end is no unit, but a part may go up to it.
  for (let at = 1; at < json.length; unit += 1) {
    if (unit === from) begin = at;
    if (unit === to) return json.slice(0, begin) + inserted + json.slice(at);
    at += json[at] !== "\\" ? 1 : json[at + 1] === "u" ? 6 : 2;
  }
  return json;
}
