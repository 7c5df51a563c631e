import { HistoryDeduper, type DedupeReport } from "turnkeeper";
import type { FileMessage } from "./held-history.js";
import { withContent } from "./json-rewrite.js";
import { tokensRemoved } from "./recount.js";
import type { SavedPiece } from "../saved/read-saved.js";

/** What a repair did. */
export interface RepairTotals {
  messages: number;
  messagesChanged: number;
  blocksRemoved: number;
  charactersRemoved: number;
  /** Estimated. */
  tokensRemoved: number;
  /** The same by what went, if older messages were shortened as well. */
  kinds?: DedupeReport["kinds"];
}

/** How a history is repaired. */
export interface RepairOptions {
  tags?: string[];
  keep?: "last" | "first";
  embedded?: boolean;
}

/** Repairs one saved history. */
export interface Repairing {
  /** What comes next of the repaired file, once this piece is known. */
  take(piece: SavedPiece): Uint8Array;
  /** What was done, and the rest of the repaired file; after the last piece. */
  end(): { totals: RepairTotals; rest: Iterable<Uint8Array> };
  /** Lets go of what it holds. */
  dispose(): void;
}

/** Repairs a saved history piece by piece; a piece that needs none stays as it is, byte for byte. */
export class HistoryRepair implements Repairing {
  readonly #deduper: HistoryDeduper;
  readonly #encoder = new TextEncoder();
  readonly #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  #messages = 0;
  #changed = 0;
  #tokens = 0;

  constructor(options: RepairOptions) {
    this.#deduper = new HistoryDeduper(options);
  }

  /** The piece's bytes as they are in the repaired file. */
  take({ bytes, record }: SavedPiece): Uint8Array {
    const { original, path } = record ?? {};
    if (!path || bytes.length === 0) return bytes;
    const message = original as FileMessage;
    this.#messages += 1;
    const repaired = this.#deduper.push(message);
    if (repaired === message) return bytes;
    this.#changed += 1;
    this.#tokens += tokensRemoved(message, repaired);
    const field = path.at(-1)!;
    const text = this.#decoder.decode(bytes);
    return this.#encoder.encode(withContent(text, path, message[field], repaired[field]));
  }

  end(): { totals: RepairTotals; rest: Iterable<Uint8Array> } {
    const { blocksRemoved, charactersSaved } = this.#deduper.report;
    const totals = {
      messages: this.#messages,
      messagesChanged: this.#changed,
      blocksRemoved,
      charactersRemoved: charactersSaved,
      tokensRemoved: Math.round(this.#tokens),
    };
    return { totals, rest: [] };
  }

  dispose(): void {
    this.#deduper.dispose();
  }
}
