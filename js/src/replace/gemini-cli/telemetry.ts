import type { LoopDetectionType } from "../gemini-events.js";

/**
 * Where to log what gemini-cli logs of its own accord. Each method gets the arguments of the peer's
 * event of that name, so a host makes the event and passes it to its logger.
 */
export interface LoopDetectionTelemetry {
  /** A loop was found; for one that a model found, with its name, its analysis and the threshold. */
  loopDetected?(
    type: LoopDetectionType,
    promptId: string,
    count: number,
    confirmedByModel?: string,
    analysis?: string,
    confidence?: number,
  ): void;
  /** {@link LoopDetectionService.disableForSession} was called. */
  loopDetectionDisabled?(promptId: string): void;
  /** Models were asked; `mainModelConfidence` is -1 if the first was not sure enough to ask a second. */
  llmLoopCheck?(
    promptId: string,
    flashConfidence: number,
    mainModel: string,
    mainModelConfidence: number,
  ): void;
}
