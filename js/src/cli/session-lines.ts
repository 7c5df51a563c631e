import { createReadStream } from "node:fs";

import type { AgentEvent } from "../index.js";
import { InputError, type SessionLine } from "../replay/event-lines.js";
import { SavedReader } from "../saved/read-saved.js";

import { unreadable } from "./inputs.js";

/**
 * Reads the events of a session in any of the formats that are known, without ever holding more than
 * a line or an element of the file.
 *
 * @param file `-` is standard input
 * @throws {@link InputError} if the file cannot be read, or where it does not keep to its format
 */
export async function* sessionLines(file: string): AsyncGenerator<SessionLine, void, void> {
  for await (const { record } of new SavedReader(file).pieces(chunksOf(file))) {
    for (const { event } of record?.items ?? []) {
      yield { number: record!.place, value: event as AgentEvent & Record<string, unknown> };
    }
  }
}

/**
 * A file's bytes, cut anywhere.
 *
 * @param file `-` is standard input
 * @param onRead is told how many bytes have been read
 */
export async function* chunksOf(
  file: string,
  onRead?: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void, void> {
  const stream = file === "-" ? process.stdin : createReadStream(file);
  try {
    for await (const chunk of stream) {
      onRead?.((chunk as Buffer).length);
      yield chunk as Buffer;
    }
  } catch (error) {
    throw new InputError(file, unreadable(error as NodeJS.ErrnoException));
  }
}
