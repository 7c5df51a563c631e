// The models that gemini-cli asks about a suspected loop, and what it shows them of the history. When to
// ask, and what an answer means, is the detector's affair.

import type { ModelCheckRequest } from "../../boundary/generated/shapes.js";
import type { AgentLoopContext, Content, LoopDetectionTelemetry } from "./peer-types.js";

/** From this confidence on, a second model is asked to confirm. */
export const SURE = 0.9;

const FIRST_MODEL = "loop-detection";
const SECOND_MODEL = "loop-detection-double-check";

/** The names that gemini-cli's models answer under. */
const CONFIDENCE = "unproductive_state_confidence";
const ANALYSIS = "unproductive_state_analysis";

const SCHEMA = {
  type: "object",
  properties: {
    [ANALYSIS]: { type: "string", description: "What the agent tried lately and what came of it." },
    [CONFIDENCE]: {
      type: "number",
      description: "How certain it is that the agent is stuck, from 0 to 1.",
    },
  },
  required: [ANALYSIS, CONFIDENCE],
};

/** The answer that counts, and which model gave it. */
export interface ModelAnswer {
  readonly confidence: number;
  readonly reasoning: string;
  readonly model: string;
}

/** A check of one prompt. */
export class ModelCheck {
  constructor(
    private readonly context: AgentLoopContext,
    private readonly telemetry: LoopDetectionTelemetry,
    private readonly promptId: string,
    private readonly userPrompt: string,
  ) {}

  /**
   * The last answer that a model gave: the second's if the first was sure, unless the second cannot be
   * had. Nothing if a model failed or answered anything else.
   */
  async ask(request: ModelCheckRequest, signal: AbortSignal): Promise<ModelAnswer | undefined> {
    const contents = this.#contents(request);
    const first = await this.#answer(FIRST_MODEL, request, contents, signal);
    if (first === undefined) return undefined;
    const second = this.#modelName(SECOND_MODEL);
    if (first.confidence < SURE) {
      this.telemetry.llmLoopCheck?.(this.promptId, first.confidence, second, -1);
      return { ...first, model: this.#modelName(FIRST_MODEL) };
    }
    if (!this.context.config.getModelAvailabilityService().snapshot(second).available) {
      return { ...first, model: this.#modelName(FIRST_MODEL) };
    }
    const confirmed = await this.#answer(SECOND_MODEL, request, contents, signal);
    const confidence = confirmed?.confidence ?? 0;
    this.telemetry.llmLoopCheck?.(this.promptId, first.confidence, second, confidence);
    return confirmed && { ...confirmed, model: second };
  }

  #modelName(model: string): string {
    return this.context.config.modelConfigService.getResolvedConfig({ model }).model;
  }

  async #answer(
    model: string,
    { systemPrompt }: ModelCheckRequest,
    contents: Content[],
    signal: AbortSignal,
  ): Promise<Omit<ModelAnswer, "model"> | undefined> {
    try {
      const answer = await this.context.config.getBaseLlmClient().generateJson({
        modelConfigKey: { model },
        contents,
        schema: SCHEMA,
        systemInstruction: systemPrompt,
        abortSignal: signal,
        promptId: this.promptId,
        role: "utility_loop_detector",
        maxAttempts: 2,
      });
      const confidence = answer[CONFIDENCE];
      const reasoning = answer[ANALYSIS];
      if (typeof confidence !== "number") return undefined;
      return { confidence, reasoning: typeof reasoning === "string" ? reasoning : "" };
    } catch {
      // A model that cannot be asked has found no loop.
      return undefined;
    }
  }

  /** The user's words, the recent history and the question. */
  #contents({ historyCount, prompt }: ModelCheckRequest): Content[] {
    const history = this.context.geminiClient.getHistory().slice(-historyCount);
    // A call without its response and a response without its call are refused by the API.
    while (history.length > 0 && isFunctionCall(history.at(-1)!)) history.pop();
    while (history.length > 0 && isFunctionResponse(history[0]!)) history.shift();
    const contents = [...history, said(prompt)];
    if (this.userPrompt !== "") {
      const words = `<original_user_request>\n${this.userPrompt}\n</original_user_request>`;
      contents.unshift(said(words));
    }
    // The API wants a call to follow a message of the user.
    if (isFunctionCall(contents[0]!)) contents.unshift(said("Recent conversation history:"));
    return contents;
  }
}

function said(text: string): Content {
  return { role: "user", parts: [{ text }] };
}

function isFunctionCall({ role, parts }: Content): boolean {
  return role === "model" && !!parts?.length && parts.every((part) => !!part.functionCall);
}

function isFunctionResponse({ role, parts }: Content): boolean {
  return role === "user" && !!parts?.some((part) => !!part.functionResponse);
}
