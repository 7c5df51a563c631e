import { LoopDetector } from "turnkeeper/peers";
import { sortedJson } from "./sorted-json.js";

/** Roo Code's `ToolUse`, of which the detector reads the name, `params` and `nativeArgs`. */
export type ToolUse = {
  readonly type?: string;
  readonly id?: string;
  readonly name: string;
  readonly originalName?: string;
  readonly params: object;
  readonly partial?: boolean;
  /** Left out of the comparison if it is missing or empty. */
  readonly nativeArgs?: unknown;
  readonly usedLegacyFormat?: boolean;
};

/** What {@link ToolRepetitionDetector.check} answers. */
export type RepetitionCheck = {
  /** Whether the call may run. */
  allowExecution: boolean;
  /** What to ask the user, if it may not. */
  askUser?: {
    /** Always `"mistake_limit_reached"`, the kind of question that Roo Code asks. */
    messageKey: string;
    /** The text, which names the tool. */
    messageDetail: string;
  };
};

/**
 * Roo Code's `ToolRepetitionDetector`, with the `roo` profile of {@link LoopDetector} inside: blocks a
 * call that was just made `limit` times, and then counts afresh.
 *
 * @example
 * ```js
 * import { ToolRepetitionDetector } from "turnkeeper/replace/roo";
 *
 * const detector = new ToolRepetitionDetector(3);
 * const block = { name: "read_file", params: { path: "a.ts" } };
 * const allowed = [1, 2, 3, 4, 5].map(() => detector.check(block).allowExecution);
 * console.log(allowed); // [ true, true, true, false, true ]
 * ```
 */
export class ToolRepetitionDetector {
  readonly #detector: LoopDetector;
  readonly #messageDetail: (toolName: string) => string;

  /**
   * @param limit How long a run of identical calls may be; with 0 or less, any number.
   * @param messageDetail The text of `askUser`, such as a translation; left out, one in English.
   */
  constructor(limit = 3, messageDetail: (toolName: string) => string = inEnglish) {
    this.#detector = new LoopDetector({ profile: "roo", limit: wholeLimit(limit) });
    this.#messageDetail = messageDetail;
  }

  /**
   * Counts a call, and says whether it may run.
   *
   * @throws `disposed` after {@link dispose}, and what `JSON.stringify` throws for parameters that it
   * cannot write.
   */
  check(currentToolCallBlock: ToolUse): RepetitionCheck {
    // Nothing but the text is compared, so that a subclass can say what makes two calls the same.
    const args = { toolUse: this.serializeToolUse(currentToolCallBlock) };
    const verdict = this.#detector.observe({ type: "tool_call", name: "tool_use", args });
    if (verdict.action !== "stop") return { allowExecution: true };
    return {
      allowExecution: false,
      askUser: {
        messageKey: "mistake_limit_reached",
        messageDetail: this.#messageDetail(currentToolCallBlock.name),
      },
    };
  }

  /** The text by which calls are compared: JSON with the keys of every object sorted. */
  protected serializeToolUse({ name, params, nativeArgs }: ToolUse): string {
    const isEmpty = !nativeArgs || Object.keys(nativeArgs).length === 0;
    return sortedJson(isEmpty ? { name, params } : { name, params, nativeArgs });
  }

  /** Frees the detector's memory now instead of when the object is collected. */
  dispose(): void {
    this.#detector.dispose();
  }
}

/** Roo Code compares a count with the limit, so a fraction counts as the next integer. */
function wholeLimit(limit: number): number {
  const whole = Math.ceil(limit);
  // No count reaches more than this, nor what is no number; 0 switches the rule off.
  return whole > 0 && whole <= Number.MAX_SAFE_INTEGER ? whole : 0;
}

function inEnglish(toolName: string): string {
  return `The model asked for the same call of ${toolName} again and again, so it may be stuck. Tell it what to do differently.`;
}
