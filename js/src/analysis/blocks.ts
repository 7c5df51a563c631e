import { HistoryDeduper, stripEnvironment } from "turnkeeper";
import { estimateTokens } from "../saved/tokens.js";

import type { Count } from "./count.js";
import { textOf, viewOf } from "./message-view.js";

/** Blocks of environment that a history need not have, and what they cost. */
export interface BlockTotals {
  /** Blocks that their message has twice. */
  duplicateBlocks: Count;
  /** Messages that have them. */
  messagesWithDuplicates: Count;
  /** Estimated tokens of what a repair removes. */
  duplicateTokens: Count;
  /** The same, times the requests that sent it again. */
  duplicateTokensSent: Count;
  /** Messages before the user's last that still have a block after a repair; a newer one replaces it. */
  outdatedBlocks: Count;
  outdatedTokens: Count;
  outdatedTokensSent: Count;
}

/** Counts the blocks of a history, message by message. */
export class BlockCount {
  readonly #deduper = new HistoryDeduper();
  readonly #duplicates = new Resent();
  readonly #outdated = new Resent();
  #outdatedBlocks = 0;
  /** The block of the newest user message, which is not outdated yet. */
  #newest: { tokens: number; requests: number } | undefined;
  #messagesWithDuplicates = 0;

  /** @param requests how many requests had been made before the message */
  take(role: string, content: unknown, requests: number): void {
    const view = viewOf(role, content);
    if (!view) return;
    const repaired = this.#deduper.push(view);
    if (role !== "user") return;
    if (repaired !== view) {
      const gone = tokensOf(view.content) - tokensOf(repaired.content);
      // A block that only had to move to the end is no duplicate.
      if (gone > 0.5) {
        this.#messagesWithDuplicates += 1;
        this.#duplicates.add(gone, requests);
      }
    }
    const { content: kept } = repaired;
    const bare = stripEnvironment(kept);
    if (this.#newest) {
      this.#outdatedBlocks += 1;
      this.#outdated.add(this.#newest.tokens, this.#newest.requests);
    }
    this.#newest =
      bare === kept ? undefined : { tokens: tokensOf(kept) - tokensOf(bare), requests };
  }

  /** @param requests how many there were in all */
  end(requests: number): BlockTotals {
    const { blocksRemoved } = this.#deduper.report;
    this.#deduper.dispose();
    return {
      duplicateBlocks: blocksRemoved,
      messagesWithDuplicates: this.#messagesWithDuplicates,
      duplicateTokens: Math.round(this.#duplicates.tokens),
      duplicateTokensSent: Math.round(this.#duplicates.sent(requests)),
      outdatedBlocks: this.#outdatedBlocks,
      outdatedTokens: Math.round(this.#outdated.tokens),
      outdatedTokensSent: Math.round(this.#outdated.sent(requests)),
    };
  }
}

/** Tokens that stay in a history, so that every later request sends them. */
class Resent {
  tokens = 0;
  #timesRequests = 0;

  add(tokens: number, requests: number): void {
    this.tokens += tokens;
    this.#timesRequests += tokens * requests;
  }

  sent(requests: number): number {
    return this.tokens * requests - this.#timesRequests;
  }
}

function tokensOf(content: unknown): number {
  return estimateTokens(textOf(content));
}
