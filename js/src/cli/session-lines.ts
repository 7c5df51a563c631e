import { createReadStream } from "node:fs";

/** Something about the input that is not the program's fault; the message is for the user. */
export class InputError extends Error {
  /** @param line counts from 1; left out if the whole file is meant */
  constructor(
    readonly file: string,
    message: string,
    readonly line?: number,
  ) {
    super(message);
  }
}

/** A line that is longer than this is no event, in bytes. */
const LONGEST_LINE = 128 * 1024 * 1024;

/** One line of a file that is not blank, parsed. */
export interface SessionLine {
  /** Counts from 1. */
  number: number;
  value: Record<string, unknown>;
}

/**
 * Reads a file of JSON objects, one a line, without ever holding more than a line of it.
 *
 * @param file `-` is standard input
 * @throws {@link InputError} if the file cannot be read, or at the first line that is not an object
 */
export async function* sessionLines(file: string): AsyncGenerator<SessionLine, void, void> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let number = 0;
  for await (const bytes of rawLines(file)) {
    number += 1;
    if (number === 1) refuseUtf16(file, bytes);
    const text = decode(decoder, bytes, file, number).trim();
    if (text === "") continue;
    yield { number, value: parse(text, file, number) };
  }
}

function decode(decoder: TextDecoder, bytes: Buffer, file: string, line: number): string {
  if (bytes.includes(0)) throw new InputError(file, "is a binary file", line);
  try {
    return decoder.decode(bytes);
  } catch {
    throw new InputError(file, "is not UTF-8 text", line);
  }
}

function refuseUtf16(file: string, [first, second]: Buffer): void {
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw new InputError(file, "is UTF-16 text; save it as UTF-8");
  }
}

function parse(text: string, file: string, line: number): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new InputError(file, `is not JSON (${(error as Error).message})`, line);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new InputError(file, "is not an event: a JSON object with a type is needed", line);
  }
  return value as Record<string, unknown>;
}

async function* rawLines(file: string): AsyncGenerator<Buffer, void, void> {
  let pieces: Buffer[] = [];
  let length = 0;
  let number = 1;
  for await (const chunk of chunks(file)) {
    let start = 0;
    for (let end; (end = chunk.indexOf(0x0a, start)) >= 0; start = end + 1) {
      const rest = chunk.subarray(start, end);
      yield pieces.length > 0 ? Buffer.concat([...pieces, rest]) : rest;
      pieces = [];
      length = 0;
      number += 1;
    }
    pieces.push(chunk.subarray(start));
    length += chunk.length - start;
    if (length > LONGEST_LINE) throw new InputError(file, "is longer than 128 MB", number);
  }
  if (length > 0) yield Buffer.concat(pieces);
}

async function* chunks(file: string): AsyncGenerator<Buffer, void, void> {
  const stream = file === "-" ? process.stdin : createReadStream(file);
  try {
    for await (const chunk of stream) yield chunk as Buffer;
  } catch (error) {
    throw new InputError(file, unreadable(error as NodeJS.ErrnoException));
  }
}

function unreadable({ code, message }: NodeJS.ErrnoException): string {
  switch (code) {
    case "ENOENT":
      return "does not exist";
    case "EISDIR":
      return "is a folder; name the files in it";
    case "EACCES":
    case "EPERM":
      return "may not be read";
    default:
      return `cannot be read (${message})`;
  }
}
