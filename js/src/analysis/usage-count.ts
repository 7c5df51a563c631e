import type { SessionFormat, RecordedUsage } from "../saved/saved-session.js";

import type { Count } from "./count.js";
import { hashOf } from "./hash.js";
import { dollarsFor, inMillionths, pricesOf, type PriceTable } from "./token-prices.js";

/** What requests to models used. */
export interface Usage {
  /** Requests that were answered. */
  requests: Count;
  /** Tokens that were sent and neither read from a prompt cache nor kept in one. */
  input: Count;
  cacheRead: Count;
  cacheWrite: Count;
  /** Tokens that the models wrote, thinking included. */
  output: Count;
  /** All four together. */
  tokens: Count;
  /** In US dollars: as the agent recorded it, else by the list of prices; left out if neither is known. */
  dollars?: number;
  /** Whether the tokens are estimated from the texts, for a file that records none. */
  isEstimated: boolean;
}

type Tokens = Pick<Usage, "input" | "cacheRead" | "cacheWrite" | "output">;

/** One answer of a model, or what a file says of all of them. */
export interface Answer extends Tokens {
  /** The same in every copy of the answer, in whatever file; undefined if it has no id. */
  key: number | undefined;
  /** In milliseconds since 1970. */
  time: number | undefined;
  dollars: number | undefined;
  /** Its dollars are those of the whole session. */
  isSum: boolean;
}

/** Collects what a session's answers used, each once. */
export class UsageCount {
  readonly #prices: PriceTable;
  readonly #answers: Answer[] = [];
  readonly #byId = new Map<string, Answer>();
  /** Of answers so far, to tell what a part of the session cost. */
  readonly spent = { requests: 0, tokens: 0, dollars: 0 };

  constructor(prices: PriceTable) {
    this.#prices = prices;
  }

  /** In the order of the file. */
  get answers(): readonly Answer[] {
    return this.#answers;
  }

  /** @param model the one that answers where the record names none */
  take(usage: RecordedUsage, format: SessionFormat, model: string | undefined): void {
    const known = usage.id === undefined ? undefined : this.#byId.get(usage.id);
    const answer = this.#answerOf(usage, format, model);
    if (known === undefined) {
      this.#answers.push(answer);
      if (usage.id !== undefined) this.#byId.set(usage.id, answer);
      this.#spend(answer, 1);
      return;
    }
    // An answer's lines grow; of sums and of messages that are written again the last one counts.
    if (answer.output < known.output && !answer.isSum) return;
    this.#spend(known, -1);
    Object.assign(known, answer, { time: known.time ?? answer.time });
    this.#spend(known, 1);
  }

  #answerOf(usage: RecordedUsage, format: SessionFormat, model: string | undefined): Answer {
    const { id, isLocal = false, isSum = false, time, dollars } = usage;
    const { input, cacheRead, cacheWrite, output } = usage;
    const prices = pricesOf(usage.model ?? model, this.#prices);
    const isGlobal = id !== undefined && !isLocal && !isSum;
    return {
      key: isGlobal ? hashOf(`${format} ${id}`) : undefined,
      time,
      input,
      cacheRead,
      cacheWrite,
      output,
      dollars: dollars ?? (prices && tokensOf(usage) > 0 ? dollarsFor(usage, prices) : undefined),
      isSum,
    };
  }

  #spend(answer: Answer, times: 1 | -1): void {
    this.spent.tokens += times * tokensOf(answer);
    if (answer.isSum) return;
    this.spent.requests += times;
    this.spent.dollars += times * (answer.dollars ?? 0);
  }
}

/** All tokens of an answer. */
export function tokensOf(answer: Tokens): number {
  return answer.input + answer.cacheRead + answer.cacheWrite + answer.output;
}

export function emptyUsage(): Usage {
  const tokens = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, tokens: 0 };
  return { requests: 0, ...tokens, isEstimated: false };
}

/** What answers used together; undefined if they say nothing. */
export function usageOf(answers: readonly Answer[]): Usage | undefined {
  const usage = emptyUsage();
  let listed: number | undefined;
  let recorded: number | undefined;
  for (const answer of answers) {
    for (const part of ["input", "cacheRead", "cacheWrite", "output"] as const) {
      usage[part] += answer[part];
    }
    usage.tokens += tokensOf(answer);
    if (!answer.isSum) usage.requests += 1;
    if (answer.dollars === undefined) continue;
    if (answer.isSum) recorded = (recorded ?? 0) + answer.dollars;
    else listed = (listed ?? 0) + answer.dollars;
  }
  const dollars = recorded ?? listed;
  if (usage.tokens === 0 && dollars === undefined) return undefined;
  return { ...usage, ...(dollars !== undefined && { dollars: inMillionths(dollars) }) };
}
