// The host's counter of tokens, which runs within a call into the module.

import { invalidArgument } from "../boundary/arguments.js";
import { asHost } from "../boundary/runtime.js";

/**
 * A counter as the module takes it for one call: `undefined` gives the count up.
 *
 * @param failed Hears why that is, once.
 */
export function lent(
  machine: string,
  countTokens: (text: string) => number,
  failed: (reason: unknown) => void,
): (text: string) => number | undefined {
  let hasFailed = false;
  return (text) => {
    if (hasFailed) return undefined;
    try {
      const tokens: unknown = asHost(() => countTokens(text));
      if (typeof tokens === "number" && tokens >= 0) return tokens;
      throw invalidArgument(machine, "countTokens", "must answer with a number of at least 0");
    } catch (reason) {
      hasFailed = true;
      failed(reason);
      return undefined;
    }
  };
}
