import type { LoopReport } from "../../boundary/generated/shapes.js";
import {
  observedIn,
  typeOf,
  type LoopDetectionType,
  type ServerGeminiStreamEvent,
} from "../gemini-events.js";
import { LoopDetector } from "turnkeeper/peers";
import { ModelCheck, SURE } from "./model-check.js";
import type { AgentLoopContext, LoopDetectionTelemetry } from "./peer-types.js";

/** What the service answers. */
export interface LoopDetectionResult {
  /** The number of this detection in its prompt, counting from 1; 0 if there is none. */
  count: number;
  type?: LoopDetectionType;
  /** What was found, in words for the model. */
  detail?: string;
  /** The model that confirmed it. */
  confirmedByModel?: string;
}

/**
 * gemini-cli's `LoopDetectionService`, with the `gemini-cli` profile of {@link LoopDetector} inside.
 *
 * Call {@link reset} for each prompt of the user, {@link turnStarted} before each request to the model
 * and {@link addAndCheck} for each event of its stream. After a detection every answer repeats it,
 * until {@link clearDetection} or {@link reset}.
 */
export class LoopDetectionService {
  readonly #context: AgentLoopContext;
  readonly #telemetry: LoopDetectionTelemetry;
  readonly #detector = new LoopDetector({ profile: "gemini-cli" });
  #isDisabled = false;
  #prompts = 0;
  #promptId = "";
  #userPrompt = "";
  /** The detection that every answer repeats. */
  #detected: LoopDetectionResult | undefined;

  /**
   * @param context gemini-cli's own: its settings, its models and the conversation.
   * @param telemetry Where to log; left out, nothing is logged.
   */
  constructor(context: AgentLoopContext, telemetry: LoopDetectionTelemetry = {}) {
    this.#context = context;
    this.#telemetry = telemetry;
  }

  /** Starts a prompt, whatever its id. */
  reset(promptId: string, userPrompt?: string): void {
    this.#promptId = promptId;
    this.#userPrompt = userPrompt ?? "";
    this.#detected = undefined;
    // The detector takes the same id for the same prompt, gemini-cli does not.
    this.#prompts += 1;
    this.#detector.startPrompt(`${this.#prompts}`);
  }

  /** Finds nothing any more, in this prompt and all others. */
  disableForSession(): void {
    this.#isDisabled = true;
    this.#telemetry.loopDetectionDisabled?.(this.#promptId);
  }

  /** Lets one more turn proceed after a detection; the next has a higher `count`. */
  clearDetection(): void {
    this.#detected = undefined;
    this.#detector.clear();
  }

  /**
   * Takes an event of the model's stream: tool calls and content count, all others are ignored.
   *
   * @throws `disposed` after {@link dispose}.
   */
  addAndCheck(event: ServerGeminiStreamEvent): LoopDetectionResult {
    if (!this.#isWatching()) return { count: 0 };
    if (this.#detected) return { ...this.#detected };
    const observed = observedIn(event);
    const verdict = observed && this.#detector.observe(observed);
    if (verdict?.action !== "stop") return { count: 0 };
    const { report } = verdict;
    return this.#detect(typeOf(report), report, `${report.message} ${report.evidence}`);
  }

  /**
   * Counts a request to the model, and from the 30th of a prompt on asks a model from time to time
   * whether the agent is stuck.
   *
   * @throws `disposed` after {@link dispose}.
   */
  async turnStarted(signal: AbortSignal): Promise<LoopDetectionResult> {
    if (!this.#isWatching()) return { count: 0 };
    if (this.#detected) return { ...this.#detected };
    this.#detector.observe({ type: "turn_started" });
    const request = this.#detector.takeModelCheck();
    if (request === undefined) return { count: 0 };
    const check = new ModelCheck(this.#context, this.#telemetry, this.#promptId, this.#userPrompt);
    const prompt = this.#prompts;
    const answer = await check.ask(request, signal);
    // An answer about a prompt that is over says nothing about the next.
    if (prompt !== this.#prompts || !this.#isWatching()) return { count: 0 };
    const verdict = this.#detector.answerModelCheck(answer);
    if (verdict.action !== "stop" || answer === undefined) return { count: 0 };
    return this.#detect("llm_detected_loop", verdict.report, answer.reasoning, answer.model);
  }

  /** Frees the detector's memory now instead of when the object is collected. */
  dispose(): void {
    this.#detector.dispose();
  }

  #isWatching(): boolean {
    return !this.#isDisabled && !this.#context.config.getDisableLoopDetection();
  }

  /** Keeps the detection and logs it. Which model confirmed it is told once. */
  #detect(
    type: LoopDetectionType,
    { strike: count }: LoopReport,
    detail: string,
    confirmedByModel?: string,
  ): LoopDetectionResult {
    this.#detected = { count, type, detail };
    if (confirmedByModel === undefined) {
      this.#telemetry.loopDetected?.(type, this.#promptId, count);
      return { ...this.#detected };
    }
    this.#telemetry.loopDetected?.(type, this.#promptId, count, confirmedByModel, detail, SURE);
    return { ...this.#detected, confirmedByModel };
  }
}
