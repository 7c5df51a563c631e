import { createReadStream } from "node:fs";

import { InputError, eventLines, type SessionLine } from "../replay/event-lines.js";

import { unreadable } from "./inputs.js";

/**
 * Reads a file of JSON objects, one a line, without ever holding more than a line of it.
 *
 * @param file `-` is standard input
 * @throws {@link InputError} if the file cannot be read, or at the first line that is not an object
 */
export function sessionLines(file: string): AsyncGenerator<SessionLine, void, void> {
  return eventLines(file, chunks(file));
}

async function* chunks(file: string): AsyncGenerator<Uint8Array, void, void> {
  const stream = file === "-" ? process.stdin : createReadStream(file);
  try {
    for await (const chunk of stream) yield chunk as Buffer;
  } catch (error) {
    throw new InputError(file, unreadable(error as NodeJS.ErrnoException));
  }
}
