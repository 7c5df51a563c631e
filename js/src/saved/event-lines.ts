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

/** The text of a line. */
export function decodeLine(
  decoder: TextDecoder,
  bytes: Uint8Array,
  file: string,
  line: number,
): string {
  if (bytes.includes(0)) throw new InputError(file, "is a binary file", line);
  try {
    return decoder.decode(bytes);
  } catch {
    throw new InputError(file, "is not UTF-8 text", line);
  }
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

/** A file's bytes line by line, without the line ends. */
export async function* rawLines(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, void> {
  let pieces: Uint8Array[] = [];
  let length = 0;
  let number = 1;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end; (end = chunk.indexOf(0x0a, start)) >= 0; start = end + 1) {
      const rest = chunk.subarray(start, end);
      yield pieces.length > 0 ? joined([...pieces, rest]) : rest;
      pieces = [];
      length = 0;
      number += 1;
    }
    pieces.push(chunk.subarray(start));
    length += chunk.length - start;
    if (length > LONGEST_LINE) throw new InputError(file, "is longer than 128 MB", number);
  }
  if (length > 0) yield joined(pieces);
}

/** Pieces as one. */
export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
