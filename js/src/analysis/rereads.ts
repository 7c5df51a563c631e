import type { AgentEvent } from "turnkeeper";
import { estimateTokens } from "../saved/tokens.js";

import type { Count } from "./count.js";
import { hashOf } from "./hash.js";
import { kindOfCall } from "./timeline.js";

/** Reads and commands after a compaction whose result had been there before it. */
export interface Rereads {
  compactions: Count;
  calls: Count;
  /** Of their results, estimated. */
  tokens: Count;
  /** The same, times the requests that sent them. */
  tokensSent: Count;
}

/** The results that are remembered at most. */
const MOST_KEPT = 20_000;

/** Finds calls that bring back what a compaction has taken out of the model's sight. */
export class RereadCount {
  readonly #total: Rereads = { compactions: 0, calls: 0, tokens: 0, tokensSent: 0 };
  /** What calls had answered before the last compaction, and since. */
  readonly #before = new Map<number, number>();
  #since = new Map<number, number>();
  readonly #open = new Map<string | undefined, number>();
  /** Tokens of results that every request sends again until the next compaction. */
  #carried = 0;

  /** @param words what the event says; of a call its name and arguments */
  take(event: AgentEvent, words: string): void {
    switch (event.type) {
      case "condensation":
        return this.#condensed();
      case "turn_started":
        this.#total.tokensSent += this.#carried;
        return;
      case "tool_call":
        if (!isRead(event.name)) return;
        this.#open.set(event.id, hashOf(words));
        return;
      case "tool_result":
        return this.#answered(event.id, words);
    }
  }

  end(): Rereads {
    const { tokens, tokensSent, ...counts } = this.#total;
    return { ...counts, tokens: Math.round(tokens), tokensSent: Math.round(tokensSent) };
  }

  #condensed(): void {
    // Files often begin with the mark of one, or have it twice.
    if (this.#since.size === 0) return;
    this.#total.compactions += 1;
    for (const [call, result] of this.#since) this.#before.set(call, result);
    this.#since = new Map();
    this.#carried = 0;
    while (this.#before.size > MOST_KEPT) {
      this.#before.delete(this.#before.keys().next().value!);
    }
  }

  #answered(id: string | undefined, result: string): void {
    const call = this.#open.get(id);
    if (call === undefined) return;
    this.#open.delete(id);
    const answer = hashOf(result);
    if (this.#before.get(call) === answer && !this.#since.has(call) && result !== "") {
      const tokens = estimateTokens(result);
      this.#total.calls += 1;
      this.#total.tokens += tokens;
      this.#carried += tokens;
    }
    this.#since.set(call, answer);
  }
}

function isRead(tool: string): boolean {
  const kind = kindOfCall(tool);
  return kind === "read" || kind === "search" || kind === "run";
}
