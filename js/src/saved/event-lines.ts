/** Something about the input that is not the program's fault; the message is for the user. */
export class InputError extends Error {
  /**
   * @param line counts from 1; left out if the whole file is meant
   * @param isUnknown nothing is wrong with the file, but it is no session
   */
  constructor(
    readonly file: string,
    message: string,
    readonly line?: number,
    readonly isUnknown = false,
  ) {
    super(message);
  }
}

/** A line, or another piece that has to be held whole, is not longer than this, in bytes. */
export const LONGEST_LINE = 128 * 1024 * 1024;

/** One line of a file that is not blank, parsed. */
export interface SessionLine {
  /** Counts from 1. */
  number: number;
  value: Record<string, unknown>;
}

export function refuseUtf16(file: string, [first, second]: Uint8Array): void {
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw new InputError(file, "is UTF-16 text; save it as UTF-8");
  }
}

/** The JSON object that a line is. */
export function parseLine(text: string, file: string, line: number): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // Some engines add a place, but count lines from the beginning of this one.
    const reason = (error as Error).message.replace(/ \(line \d+ column \d+\)$/, "");
    throw new InputError(file, `is not JSON (${reason})`, line);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new InputError(file, "is not an event: a JSON object with a type is needed", line);
  }
  return value as Record<string, unknown>;
}

/** A line of a file, with its line end. */
export interface Line {
  bytes: Uint8Array;
  text: string;
  /** Counts from 1. */
  number: number;
}

/** Cuts a file's bytes into its lines. */
export class Lines {
  readonly #file: string;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  /** What has come of the last line. */
  #pieces: Uint8Array[] = [];
  #length = 0;
  #number = 0;

  /** @param file the name that errors carry */
  constructor(file: string) {
    this.#file = file;
  }

  /** The lines that end in the next bytes. */
  *push(chunk: Uint8Array): Generator<Line, void, void> {
    let start = 0;
    for (let end; (end = chunk.indexOf(0x0a, start) + 1) > 0; start = end) {
      this.#pieces.push(chunk.subarray(start, end));
      yield this.#line();
    }
    if (start === chunk.length) return;
    this.#pieces.push(chunk.subarray(start));
    this.#length += chunk.length - start;
    if (this.#length > LONGEST_LINE) {
      throw new InputError(this.#file, "is longer than 128 MB", this.#number + 1);
    }
  }

  /** The last line, if nothing ends it. */
  *end(): Generator<Line, void, void> {
    if (this.#length > 0) yield this.#line();
  }

  #line(): Line {
    const bytes = joined(this.#pieces);
    this.#pieces = [];
    this.#length = 0;
    const number = (this.#number += 1);
    if (bytes.includes(0)) throw new InputError(this.#file, "is a binary file", number);
    try {
      return { bytes, text: this.#decoder.decode(bytes), number };
    } catch {
      throw new InputError(this.#file, "is not UTF-8 text", number);
    }
  }
}

/** Pieces as one. */
export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  if (pieces.length === 1) return pieces[0]!;
  const bytes = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
