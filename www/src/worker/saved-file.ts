import { HeldHistory } from "../../../js/src/analysis/held-history.js";
import { OutdatedCount } from "../../../js/src/analysis/outdated.js";
import { InputError } from "../../../js/src/saved/event-lines.js";
import type { SessionFormat, SavedRecord } from "../../../js/src/saved/saved-session.js";
import { SavedReader } from "../../../js/src/saved/read-saved.js";

import { Breath } from "./breath.js";

/** What is kept of a record; the provider's own message is in the history. */
export type KeptRecord = Omit<SavedRecord, "original">;

/** A saved session that has been read, up to where it is broken. */
export interface SavedFile {
  /** Counts the files that have been opened. */
  id: number;
  name: string;
  /** The file itself: it is read again where its bytes are needed. */
  blob: Blob;
  format: SessionFormat;
  /** What the places of records count. */
  unit: "line" | "element";
  records: KeptRecord[];
  /** Its messages, and what of them is outdated. */
  history: HeldHistory;
  outdated: OutdatedCount;
  /** Why the rest could not be read. */
  problem: InputError | undefined;
}

/** All of a session is kept, and a page has less room than a program. */
const LARGEST = 256 * 1024 * 1024;

let lastId = 0;

/**
 * Reads a saved session.
 *
 * @param onProgress is told the part that has been read, from 0 to 1
 * @throws {@link InputError} if it is in no format that turnkeeper reads, or has no events
 */
export async function readFile(
  name: string,
  blob: Blob,
  signal: AbortSignal,
  onProgress: (part: number) => void,
): Promise<SavedFile> {
  const reader = new SavedReader(name);
  const records: KeptRecord[] = [];
  const history = new HeldHistory();
  const outdated = new OutdatedCount(history);
  const breath = new Breath();
  let problem: InputError | undefined;
  let hasEvents = false;
  try {
    for await (const { record } of reader.pieces(chunksOf(name, blob, onProgress))) {
      if (!record) continue;
      outdated.take(record);
      const { original: _, ...kept } = record;
      records.push(kept);
      hasEvents ||= kept.items.some(({ event }) => (event.type as string) !== "prompt_started");
      await breath.take(signal);
    }
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    problem = error;
  }
  if (!hasEvents || reader.format === undefined)
    throw problem ?? new InputError(name, "has no events");
  const { format, unit } = reader;
  return { id: ++lastId, name, blob, format, unit, records, history, outdated, problem };
}

/** A file's bytes in parts. */
export async function* chunksOf(
  name: string,
  blob: Blob,
  onProgress: (part: number) => void = () => {},
): AsyncGenerator<Uint8Array, void, void> {
  if (blob.size > LARGEST) {
    throw new InputError(
      name,
      "is larger than 256 MB; the command turnkeeper reads files of any size",
    );
  }
  let read = 0;
  // Not every browser can iterate over a stream.
  const reader = blob.stream().getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw new InputError(name, `cannot be read (${(error as Error).message})`);
      });
      if (done) return;
      read += value.length;
      onProgress(read / blob.size);
      yield value;
    }
  } finally {
    void reader.cancel();
  }
}
