// The host's counter of tokens, which runs within a call into the module.

import { invalidArgument } from "../boundary/arguments.js";
import { asHost } from "../boundary/runtime.js";

/** Counts the tokens of a text; `undefined` gives the count up. */
type Count = (text: string) => number | undefined;

/** Lends a counter to the module, and keeps what went wrong with it. */
export class TokenCounting {
  readonly #machine: string;
  readonly #countTokens: ((text: string) => number) | undefined;
  #isUnderWay = false;
  #failure: { reason: unknown } | undefined;

  constructor(machine: string, countTokens: ((text: string) => number) | undefined) {
    this.#machine = machine;
    this.#countTokens = countTokens;
  }

  /** Whether the host counts at this moment. */
  get isUnderWay(): boolean {
    return this.#isUnderWay;
  }

  /** Why the last count was given up. */
  get failure(): { reason: unknown } | undefined {
    return this.#failure;
  }

  /** Gives up the count that is under way; of several reasons the first counts. */
  giveUp(reason: unknown): void {
    this.#failure ??= { reason };
  }

  /** Lends the counter for one call, if there is one. */
  lend<T>(work: (count: Count | undefined) => T): T {
    this.#failure = undefined;
    const countTokens = this.#countTokens;
    return work(countTokens && ((text) => this.#count(countTokens, text)));
  }

  #count(countTokens: (text: string) => number, text: string): number | undefined {
    if (this.#failure) return undefined;
    this.#isUnderWay = true;
    try {
      const tokens: unknown = asHost(() => countTokens(text));
      if (typeof tokens === "number" && tokens >= 0) return this.#failure ? undefined : tokens;
      const must = "must answer with a number of at least 0";
      throw invalidArgument(this.#machine, "countTokens", must);
    } catch (reason) {
      this.giveUp(reason);
      return undefined;
    } finally {
      this.#isUnderWay = false;
    }
  }
}
