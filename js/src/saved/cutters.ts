import type { Container } from "./container.js";
import { Lines, decodeLine, parseLine, refuseUtf16 } from "./event-lines.js";
import { JsonCutter, type Cutter, type Piece } from "./json-pieces.js";
import { MarkdownCutter } from "./markdown.js";

/** What cuts a file that is built so. @param file the name that errors carry */
export function cutterOf(container: Container, file: string): Cutter {
  if (container === "lines") return new LineCutter(file);
  return new (container === "markdown" ? MarkdownCutter : JsonCutter)(file);
}

/** Cuts a file into its lines, each with its line end. */
class LineCutter implements Cutter {
  readonly #file: string;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  readonly #cut: Lines;
  #place = 0;

  constructor(file: string) {
    this.#file = file;
    this.#cut = new Lines(file);
  }

  *push(chunk: Uint8Array): Generator<Piece, void, void> {
    for (const bytes of this.#cut.push(chunk)) yield this.#piece(bytes);
  }

  *end(): Generator<Piece, void, void> {
    for (const bytes of this.#cut.end()) yield this.#piece(bytes);
  }

  #piece(bytes: Uint8Array): Piece {
    const place = (this.#place += 1);
    if (place === 1) refuseUtf16(this.#file, bytes);
    const text = decodeLine(this.#decoder, bytes, this.#file, place).trim();
    if (text === "") return { bytes };
    const json = parseLine(text, this.#file, place);
    return { bytes, value: { key: undefined, place, isElement: true, json } };
  }
}
