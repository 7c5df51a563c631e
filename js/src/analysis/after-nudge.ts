import type { AgentEvent } from "turnkeeper";

import type { Count } from "./count.js";
import { inMillionths, type TokenPrices } from "./token-prices.js";

/**
 * What went into loops after the model should have been told of them: from the first verdict on a loop to
 * the last one on it. A host that nudges at once, and whose model heeds it, saves this. What the loop had
 * cost until then is not in it, nor are calls after its last verdict. Tokens are estimated.
 */
export interface AfterNudge {
  /** Calls that were made. */
  calls: Count;
  /** Requests to the model. */
  requests: Count;
  /** Tokens that the model wrote: text, reasoning and calls. */
  tokensWritten: Count;
  /** Tokens that the requests sent: those that the request before had not sent, ... */
  tokensSent: Count;
  /** and those that it had, which a provider's cache may hold. */
  tokensSentAgain: Count;
  /**
   * What these tokens cost, in US dollars: what is sent is written into the prompt cache once and read from it
   * with each later request. Left out where no prices are known.
   */
  dollars?: number;
}

/** The fields that are counted. */
export const AFTER_NUDGE = [
  "calls",
  "requests",
  "tokensWritten",
  "tokensSent",
  "tokensSentAgain",
] as const satisfies (keyof AfterNudge)[];

export function nothingAfterNudge(): AfterNudge {
  return { calls: 0, requests: 0, tokensWritten: 0, tokensSent: 0, tokensSentAgain: 0 };
}

export function addAfterNudge(total: AfterNudge, more: AfterNudge): void {
  for (const field of AFTER_NUDGE) total[field] += more[field];
  if (more.dollars !== undefined) {
    total.dollars = inMillionths((total.dollars ?? 0) + more.dollars);
  }
}

/** Counts what a session costs, and what of it went into loops after their first verdicts. */
export class AfterNudgeCount {
  /** From the beginning of the session. */
  readonly #spent = nothingAfterNudge();
  readonly #after = nothingAfterNudge();
  /** Where the loop under way was at its last verdict; what comes after it is not known to be part of it. */
  #lastVerdict: AfterNudge | undefined;
  /** Tokens of the history, and those of it that the last request sent. */
  #history = 0;
  #sent = 0;
  /** Whether the next thing that the model says answers a new request. */
  #isAsked = true;

  /** @param tokens of the event, and of what was said with it; each may be a fraction */
  take(event: AgentEvent, tokens: number): void {
    if (event.type === "text" || event.type === "reasoning" || event.type === "tool_call") {
      if (this.#isAsked) this.#request();
      this.#spent.tokensWritten += tokens;
      if (event.type === "tool_call") this.#spent.calls += 1;
    } else if (event.type !== "other") {
      this.#isAsked = true;
    }
    this.#history += tokens;
  }

  /** @param isSame whether the verdict is on the same loop as the one before it */
  verdict(isSame: boolean): void {
    const before = this.#lastVerdict;
    this.#lastVerdict = { ...this.#spent };
    if (!isSame || before === undefined) return;
    for (const field of AFTER_NUDGE) this.#after[field] += this.#spent[field] - before[field];
  }

  end(prices: TokenPrices | undefined): AfterNudge {
    const rounded = AFTER_NUDGE.map((field) => [field, Math.round(this.#after[field])]);
    const after = Object.fromEntries(rounded) as unknown as AfterNudge;
    if (prices === undefined) return after;
    const { tokensSent, tokensSentAgain, tokensWritten } = after;
    const sent = tokensSent * prices.cacheWrite + tokensSentAgain * prices.cacheRead;
    return { ...after, dollars: inMillionths((sent + tokensWritten * prices.output) / 1_000_000) };
  }

  #request(): void {
    this.#isAsked = false;
    this.#spent.requests += 1;
    this.#spent.tokensSentAgain += this.#sent;
    this.#spent.tokensSent += this.#history - this.#sent;
    this.#sent = this.#history;
  }
}
