import { LoopDetector } from "turnkeeper/peers";
import { type LoopDetectionConfig, toolCallSignature } from "./repeated-calls.js";

/** What {@link LoopDetectionTracker.inspect} answers. */
export type LoopDetectionVerdict = {
  /** `soft`: warn the model and let the call run; `hard`: end the run. */
  kind: "ok" | "soft" | "hard";
  /** What to tell, unless it is `ok`. */
  message?: string;
};

/** What the tracker reads of a call. */
export interface LoopDetectionCall {
  name: string;
  input: unknown;
}

/**
 * The Cline SDK's `LoopDetectionTracker`, with the `cline` profile of {@link LoopDetector} inside:
 * a run of identical calls is a warning at exactly the soft threshold and ends the turn from the hard
 * one on, until another call comes.
 *
 * @example
 * ```js
 * import { LoopDetectionTracker } from "turnkeeper/replace/cline";
 *
 * const tracker = new LoopDetectionTracker();
 * const call = { name: "read_files", input: { paths: ["a.ts"] } };
 * const kinds = [1, 2, 3, 4, 5].map(() => tracker.inspect(call).kind);
 * console.log(kinds); // [ 'ok', 'ok', 'soft', 'ok', 'hard' ]
 * ```
 */
export class LoopDetectionTracker {
  readonly #detector: LoopDetector;

  /** @param config 3 and 5 where it says nothing else. */
  constructor(config?: Partial<LoopDetectionConfig>) {
    this.#detector = new LoopDetector({
      profile: "cline",
      softThreshold: exactCount(config?.softThreshold ?? 3),
      hardThreshold: leastCount(config?.hardThreshold ?? 5),
    });
  }

  /**
   * Counts a call, before it runs.
   *
   * @throws `disposed` after {@link dispose}.
   */
  inspect(call: LoopDetectionCall): LoopDetectionVerdict {
    const args = { signature: toolCallSignature(call.input) };
    const verdict = this.#detector.observe({ type: "tool_call", name: call.name, args });
    if (verdict.action === "ok") return { kind: "ok" };
    const found = `Detected ${verdict.report.count} consecutive identical calls to \`${call.name}\``;
    return verdict.action === "nudge"
      ? { kind: "soft", message: `${found}; try something else.` }
      : { kind: "hard", message: `${found}; the run ends here.` };
  }

  /** Counts afresh. */
  reset(): void {
    this.#detector.clear();
  }

  /** Frees the detector's memory now instead of when the object is collected. */
  dispose(): void {
    this.#detector.dispose();
  }
}

/** A threshold that a count must equal; one that no count equals is off. */
function exactCount(threshold: number): number | false {
  return Number.isSafeInteger(threshold) && threshold >= 1 ? threshold : false;
}

/** A threshold that a count must reach: the first call reaches any below 1. */
function leastCount(threshold: number): number | false {
  const whole = Math.max(1, Math.ceil(threshold));
  return Number.isSafeInteger(whole) ? whole : false;
}
