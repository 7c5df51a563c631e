import type { LoopVerdict } from "../boundary/generated/shapes.js";
import type { LoopDetector } from "./loop-detector.js";
import type { CheckWithModel } from "./guard-options.js";

/** A verdict of a loop. */
export type Found = Exclude<LoopVerdict, { action: "ok" }>;

/** The check that goes on for each detector. There is at most one: a newer one takes its place. */
const running = new WeakMap<LoopDetector, AbortController>();

/**
 * Asks the host's model for the detector, beside a stream. No error comes out of it: whatever goes
 * wrong with a check, it has found no loop.
 */
export class ModelCheck {
  #check: AbortController | undefined;
  #found: Found | undefined;

  /** `hostAbort` ends a check, even one that outlasts its stream; `found` is called when there is something to take. */
  constructor(
    private readonly detector: LoopDetector,
    private readonly ask: CheckWithModel,
    private readonly hostAbort: AbortController | undefined,
    private readonly found: () => void,
  ) {}

  /** Asks, if the detector has something to ask; call it when a stream or a turn has started, and after results. */
  begin(): void {
    const request = this.detector.takeModelCheck();
    if (request === undefined) return;
    running.get(this.detector)?.abort();
    const check = new AbortController();
    running.set(this.detector, check);
    this.#check = check;
    const { signal } = this.hostAbort ?? {};
    const abort = () => check.abort();
    signal?.addEventListener("abort", abort);
    const letGo = () => signal?.removeEventListener("abort", abort);
    check.signal.addEventListener("abort", letGo);
    void this.#answerOf(request, check.signal).then((answer) => {
      letGo();
      if (running.get(this.detector) !== check) return;
      running.delete(this.detector);
      if (!check.signal.aborted) this.#answer(answer);
    });
  }

  /**
   * The loop that a model has found since this was asked last, if the host has not cleared it. A nudge is told
   * although another event has come since.
   */
  take(): Found | undefined {
    const found = this.#found;
    this.#found = undefined;
    return found?.action === "nudge" || found === this.detector.verdict ? found : undefined;
  }

  /** Ends the check that goes on, if one does. */
  abort(): void {
    this.#check?.abort();
  }

  async #answerOf(request: Parameters<CheckWithModel>[0], signal: AbortSignal): Promise<unknown> {
    try {
      return await this.ask(request, { signal });
    } catch {
      return undefined;
    }
  }

  #answer(answer: unknown): void {
    let verdict: LoopVerdict;
    try {
      verdict = this.detector.answerModelCheck(answer);
    } catch {
      // The detector was disposed of while the model thought.
      return;
    }
    // Without a loop it is the verdict that there was before.
    if (verdict.action === "ok" || verdict.report.type !== "llm_detected_loop") return;
    this.#found = verdict;
    this.found();
  }
}
