import { createReadStream } from "node:fs";
import zlib from "node:zlib";

import { InputError, type SessionLine } from "../../saved/event-lines.js";
import { SavedReader } from "../../saved/read-saved.js";

import { databaseLines } from "../find/database.js";

import { unreadable } from "./file-errors.js";
import type { Input } from "./inputs.js";
import { openRegular, readRegular } from "./regular-file.js";

/**
 * Reads the events of a session in any known format, and never holds more than a line or an element
 * of the file.
 *
 * @param onRead is told how many bytes have been read
 * @throws {@link InputError} if the file cannot be read, or where it does not keep to its format
 */
export async function* sessionLines(
  input: Input,
  onRead?: (bytes: number) => void,
): AsyncGenerator<SessionLine, void, void> {
  for await (const { record } of new SavedReader(input.file).pieces(chunksOf(input, onRead))) {
    for (const { event } of record?.items ?? []) {
      yield { number: record!.place, value: event };
    }
  }
}

/** Most sessions are read at once: each read is a way to another thread and back. */
const AT_ONCE = 262_144;

/**
 * A file's bytes, cut anywhere; standard input's for `-`. What was named by itself may be a pipe or a
 * device; what was found in a folder is a regular file.
 *
 * @param onRead is told how many bytes have been read
 */
export async function* chunksOf(
  { file, folder, parts, database, session }: Input,
  onRead?: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void, void> {
  if (parts) {
    yield* linesOf(parts, onRead);
    return;
  }
  if (database !== undefined) {
    yield* databaseLines(file, database, session!);
    return;
  }
  const found = folder === undefined ? {} : { fd: openRegular(file) };
  const how = { ...found, highWaterMark: AT_ONCE };
  const stream = file === "-" ? process.stdin : createReadStream(file, how);
  try {
    for await (const chunk of file.endsWith(".zst") ? unpacked(file, stream) : stream) {
      onRead?.((chunk as Buffer).length);
      yield chunk as Buffer;
    }
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(file, unreadable(error as NodeJS.ErrnoException));
  }
}

/** @throws {@link InputError} where this Node cannot unpack it */
function unpacked(file: string, packed: NodeJS.ReadableStream): NodeJS.ReadableStream {
  const { createZstdDecompress } = zlib as { createZstdDecompress?: () => NodeJS.ReadWriteStream };
  if (createZstdDecompress === undefined) {
    throw new InputError(file, "is packed with zstd, which Node 22.15 and later unpacks");
  }
  const stream = createZstdDecompress();
  packed.once("error", (error) => stream.emit("error", error));
  return packed.pipe(stream);
}

/** Files of one value each, as lines. The values stay as they are written, but for their line breaks. */
function* linesOf(
  files: readonly string[],
  onRead?: (bytes: number) => void,
): Generator<Uint8Array, void, void> {
  for (const file of files) {
    const bytes = readRegular(file);
    onRead?.(bytes.length);
    let text: string;
    try {
      text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
      JSON.parse(text);
    } catch (error) {
      throw new InputError(file, `is not JSON (${(error as Error).message})`);
    }
    // In JSON a line break stands between tokens alone.
    yield new TextEncoder().encode(`${text.replace(/[\r\n]+/g, " ")}\n`);
  }
}
