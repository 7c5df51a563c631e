// The host's counter of tokens, which runs within a call into the module.

import { invalidArgument } from "../boundary/arguments.js";
import { asHost } from "../boundary/runtime.js";

/** Counts the tokens of a text; `undefined` gives the count up. */
type Count = (text: string) => number | undefined;

/** Lends a counter to the module, and keeps what went wrong with it. */
export class TokenCounting {
  #failure: { reason: unknown } | undefined;

  constructor(
    private readonly machine: string,
    private readonly countTokens: ((text: string) => number) | undefined,
  ) {}

  /** Why the last count was given up. */
  get failure(): { reason: unknown } | undefined {
    return this.#failure;
  }

  /** Lends the counter for one call, if there is one. */
  lend<T>(work: (count: Count | undefined) => T): T {
    this.#failure = undefined;
    const countTokens = this.countTokens;
    return work(countTokens && ((text) => this.#count(countTokens, text)));
  }

  #count(countTokens: (text: string) => number, text: string): number | undefined {
    if (this.#failure) return undefined;
    try {
      const tokens: unknown = asHost(() => countTokens(text));
      if (typeof tokens === "number" && tokens >= 0) return tokens;
      const must = "must answer with a number of at least 0";
      throw invalidArgument(this.machine, "countTokens", must);
    } catch (reason) {
      this.#failure = { reason };
      return undefined;
    }
  }
}
