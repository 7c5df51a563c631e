import type { Container } from "./container.js";
import { Lines, parseLine, type Line } from "./event-lines.js";
import { JsonCutter, type Cutter, type Piece } from "./json-pieces.js";
import { MarkdownCutter } from "./markdown.js";

/** The cutter of a file that is built so. @param file the name that errors carry */
export function cutterOf(container: Container, file: string): Cutter {
  if (container === "lines") return new LineCutter(file);
  return new (container === "markdown" ? MarkdownCutter : JsonCutter)(file);
}

/** Cuts a file into its lines, each with its line end. */
class LineCutter implements Cutter {
  readonly #file: string;
  readonly #cut: Lines;

  constructor(file: string) {
    this.#file = file;
    this.#cut = new Lines(file);
  }

  *push(chunk: Uint8Array): Generator<Piece, void, void> {
    for (const line of this.#cut.push(chunk)) yield this.#piece(line);
  }

  *end(): Generator<Piece, void, void> {
    for (const line of this.#cut.end()) yield this.#piece(line);
  }

  #piece({ bytes, text, number: place }: Line): Piece {
    if (text.trim() === "") return { bytes };
    const json = parseLine(text.trim(), this.#file, place);
    return { bytes, value: { key: undefined, place, isElement: true, json } };
  }
}
