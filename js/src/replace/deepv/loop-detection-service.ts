import { LoopDetector } from "turnkeeper/peers";
import {
  observedIn,
  typeOf,
  type LoopDetectionType,
  type ServerGeminiStreamEvent,
} from "../gemini-events.js";
import { askModel } from "./model-check.js";
import type { DeepvConfig } from "./peer-types.js";

/** What may be left out. */
export interface LoopDetectionOptions {
  /**
   * The run of calls of one monitored tool, whatever the arguments, that stops a preview model:
   * at least 1, or `false` for never. Default: 32. DeepV Code changed it several times.
   */
  monitoredCalls?: number | false;
  /** Called once for each loop that is found, where DeepV Code logs a `LoopDetectedEvent`. */
  loopDetected?: (type: LoopDetectionType, promptId: string) => void;
}

/**
 * DeepV Code's `LoopDetectionService`, with the `deepv` profile of {@link LoopDetector} inside.
 *
 * Call {@link reset} for each prompt of the user, {@link turnStarted} before each request to the model
 * and {@link addAndCheck} for each event of its stream. After a detection every answer is `true`, until
 * {@link reset}.
 */
export class LoopDetectionService {
  readonly #config: DeepvConfig;
  readonly #loopDetected: LoopDetectionOptions["loopDetected"];
  readonly #detector: LoopDetector;
  #prompts = 0;
  #promptId = "";
  #detected: LoopDetectionType | null = null;

  /**
   * @param config DeepV Code's own: its model, the conversation and its server.
   * @throws `invalid_config` for a number that is none.
   */
  constructor(config: DeepvConfig, options: LoopDetectionOptions = {}) {
    const { monitoredCalls, loopDetected } = options;
    this.#config = config;
    this.#loopDetected = loopDetected;
    const own = monitoredCalls === undefined ? {} : { monitoredCalls };
    this.#detector = new LoopDetector({ profile: "deepv", ...own });
  }

  /**
   * Starts a prompt, whatever its id, with the model that is set then.
   *
   * @throws `disposed` after {@link dispose}.
   */
  reset(promptId: string): void {
    this.#promptId = promptId;
    this.#detected = null;
    // The detector takes the same id for the same prompt, DeepV Code does not.
    this.#prompts += 1;
    this.#detector.startPrompt(`${this.#prompts}`, { model: this.#config.getModel() });
  }

  /**
   * Takes an event of the model's stream: tool calls and content count, all others are ignored.
   *
   * @returns Whether a loop was found in this prompt.
   * @throws `disposed` after {@link dispose}.
   */
  addAndCheck(event: ServerGeminiStreamEvent): boolean {
    if (this.#detected !== null) return true;
    const observed = observedIn(event);
    const verdict = observed && this.#detector.observe(observed);
    return verdict?.action === "stop" && this.#detect(typeOf(verdict.report));
  }

  /**
   * Counts a request to the model, and from the 30th of a prompt on asks the model from time to time
   * whether the agent is stuck.
   *
   * @returns Whether a loop was found in this prompt.
   * @throws `disposed` after {@link dispose}.
   */
  async turnStarted(signal: AbortSignal): Promise<boolean> {
    if (this.#detected !== null) return true;
    this.#detector.observe({ type: "turn_started" });
    const request = this.#detector.takeModelCheck();
    if (request === undefined) return false;
    const prompt = this.#prompts;
    const answer = await askModel(this.#config, request, signal);
    // An answer about a prompt that is over says nothing about the next.
    if (prompt !== this.#prompts) return false;
    const verdict = this.#detector.answerModelCheck(answer);
    return verdict.action === "stop" && this.#detect("llm_detected_loop");
  }

  /** What was found in this prompt. */
  getDetectedLoopType(): LoopDetectionType | null {
    return this.#detected;
  }

  /** Frees the detector's memory now instead of when the object is collected. */
  dispose(): void {
    this.#detector.dispose();
  }

  #detect(type: LoopDetectionType): true {
    this.#detected = type;
    this.#loopDetected?.(type, this.#promptId);
    return true;
  }
}
