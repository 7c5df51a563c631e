import { dedupeHistory } from "turnkeeper";
import type { DedupeOptions } from "../boundary/generated/shapes.js";
import type { SavedPiece } from "../saved/read-saved.js";

import { withContent } from "./json-rewrite.js";
import { HeldHistory, type FileMessage } from "./held-history.js";
import { recounted } from "./recount.js";
import type { Repairing, RepairOptions, RepairTotals } from "./repair.js";

/** How a history is shortened as well. */
export interface ShortenOptions extends RepairOptions {
  economy: "resume" | "compact";
  targetTokens?: number;
}

const NOTHING = new Uint8Array();

/** A piece of the file, with the message that it holds. */
interface HeldPiece {
  readonly bytes: Uint8Array;
  /** The message as the file has it. */
  readonly message?: FileMessage;
  /** The keys that lead from the piece's value to the message's content. */
  readonly path: readonly string[];
}

/**
 * Shortens a saved history: what newer messages say better gives way. Older messages change by what newer
 * ones say, so the whole file is held, until `end` says how it is to be written; what did not change
 * stays as it is, byte for byte.
 */
export class HeldRepair implements Repairing {
  readonly #options: DedupeOptions;
  readonly #history = new HeldHistory();
  #pieces: HeldPiece[] = [];

  constructor(options: ShortenOptions | DedupeOptions) {
    this.#options = options;
    // Wrong options are known before a file is read.
    dedupeHistory([], this.#options);
  }

  take({ bytes, record }: SavedPiece): Uint8Array {
    const message = record && this.#history.take(record);
    this.#pieces.push({ bytes, path: record?.path ?? [], ...(message && { message }) });
    return NOTHING;
  }

  end(): { totals: RepairTotals; rest: Iterable<Uint8Array> } {
    const held = this.#pieces.filter(({ message }) => message !== undefined);
    const shortened = this.#history.shorten(this.#options);
    const { before, after } = shortened;
    const changed = new Map<HeldPiece, FileMessage>();
    after.forEach((message, at) => {
      if (message !== before[at]) changed.set(held[at]!, message);
    });
    const { messagesChanged, blocksRemoved, charactersSaved, tokensSaved, kinds } =
      recounted(shortened);
    return {
      totals: {
        messages: held.length,
        messagesChanged,
        blocksRemoved,
        charactersRemoved: charactersSaved,
        tokensRemoved: tokensSaved,
        kinds,
      },
      rest: this.#written(changed),
    };
  }

  dispose(): void {
    this.#pieces = [];
    this.#history.clear();
  }

  *#written(changed: ReadonlyMap<HeldPiece, FileMessage>): Iterable<Uint8Array> {
    const encoder = new TextEncoder();
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    for (const piece of this.#pieces) {
      const after = changed.get(piece);
      yield after === undefined
        ? piece.bytes
        : encoder.encode(withFields(decoder.decode(piece.bytes), piece, after));
    }
  }
}

/** The text of a piece with what is new in the fields of its message. */
function withFields(
  text: string,
  { path, message: before }: HeldPiece,
  after: FileMessage,
): string {
  return Object.keys(after)
    .filter((field) => after[field] !== before![field])
    .reduce(
      (made, field) =>
        withContent(made, [...path.slice(0, -1), field], before![field], after[field]),
      text,
    );
}
