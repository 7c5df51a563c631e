import type { AgentEvent } from "turnkeeper";

import type { Count } from "./count.js";
import { inMillionths, type ModelPrices } from "./token-prices.js";
import type { Usage, UsageCount } from "./usage-count.js";

/**
 * What went into loops after the model should have been told of them: from the first verdict on a loop to
 * the last one on it. A host that nudges at once, and whose model heeds it, saves this. What the loop had
 * cost until then is not in it, nor are calls after its last verdict.
 */
export interface LoopCost {
  calls: Count;
  requests: Count;
  /** Of these requests, as recorded, else estimated. */
  tokens: Count;
  /** Left out where nothing is recorded and no prices are known. */
  dollars?: number;
}

/** What a part of a session used. */
interface Spent {
  calls: number;
  requests: number;
  /** By the texts, estimated: sent for the first time, sent again, and written. */
  sent: number;
  sentAgain: number;
  written: number;
  /** By the record. */
  recordedTokens: number;
  recordedDollars: number;
}

const NOTHING: Spent = {
  calls: 0,
  requests: 0,
  sent: 0,
  sentAgain: 0,
  written: 0,
  recordedTokens: 0,
  recordedDollars: 0,
};

/** Counts what a session costs, and what of it went into loops after their first verdicts. */
export class LoopCostCount {
  readonly #usage: UsageCount;
  /** From the beginning of the session. */
  readonly #spent = { ...NOTHING };
  readonly #late = { ...NOTHING };
  /** Where the loop under way was at its last verdict; what comes after it is not known to be part of it. */
  #lastVerdict: Spent | undefined;
  /** Tokens of the history, and those of it that the last request sent. */
  #history = 0;
  #sent = 0;
  /** Whether the next thing that the model says answers a new request. */
  #isAsked = true;

  constructor(usage: UsageCount) {
    this.#usage = usage;
  }

  /** @param tokens of the event, and of what was said with it; each may be a fraction */
  take(event: AgentEvent, tokens: number): void {
    if (event.type === "text" || event.type === "reasoning" || event.type === "tool_call") {
      if (this.#isAsked) this.#request();
      this.#spent.written += tokens;
      if (event.type === "tool_call") this.#spent.calls += 1;
    } else if (event.type !== "other") {
      this.#isAsked = true;
    }
    this.#history += tokens;
  }

  /** @param isSame whether the verdict is on the same loop as the one before it */
  verdict(isSame: boolean): void {
    const before = this.#lastVerdict;
    const now = this.#now();
    this.#lastVerdict = now;
    if (!isSame || before === undefined) return;
    for (const field of FIELDS) this.#late[field] += now[field] - before[field];
  }

  /** @param isRecorded whether the file says what its requests used */
  end(isRecorded: boolean, prices: ModelPrices | undefined): LoopCost {
    const { calls, requests, recordedTokens, recordedDollars } = this.#late;
    if (isRecorded) {
      const dollars = inMillionths(recordedDollars);
      return { calls, requests, tokens: recordedTokens, ...(dollars > 0 && { dollars }) };
    }
    const { tokens, dollars } = estimate(this.#late, prices);
    return { calls, requests, tokens, ...(dollars !== undefined && { dollars }) };
  }

  /** What the whole session used, as far as its texts tell. */
  estimated(prices: ModelPrices | undefined): Usage {
    return estimate(this.#spent, prices);
  }

  #now(): Spent {
    const { tokens, dollars } = this.#usage.spent;
    return { ...this.#spent, recordedTokens: tokens, recordedDollars: dollars };
  }

  #request(): void {
    this.#isAsked = false;
    this.#spent.requests += 1;
    this.#spent.sentAgain += this.#sent;
    this.#spent.sent += this.#history - this.#sent;
    this.#sent = this.#history;
  }
}

const FIELDS = Object.keys(NOTHING) as (keyof Spent)[];

/** What is sent is written into the prompt cache once, and read from it with each later request. */
function estimate({ requests, ...spent }: Spent, prices: ModelPrices | undefined): Usage {
  const [cacheWrite, cacheRead, output] = [spent.sent, spent.sentAgain, spent.written].map(
    Math.round,
  ) as [number, number, number];
  const tokens = cacheWrite + cacheRead + output;
  const dollars =
    prices &&
    (cacheWrite * prices.cacheWrite + cacheRead * prices.cacheRead + output * prices.output) / 1e6;
  return {
    requests,
    input: 0,
    cacheRead,
    cacheWrite,
    output,
    tokens,
    ...(dollars !== undefined && { dollars: inMillionths(dollars) }),
    isEstimated: true,
  };
}
