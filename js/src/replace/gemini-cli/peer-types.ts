// What the service uses of gemini-cli's own objects. The shapes are this package's, under the peer's
// names, so it depends on no version of `@google/gemini-cli-core`; its objects fit them as they are.

import type { LoopDetectionType } from "../gemini-events.js";

/** The service's constructor takes the `AgentLoopContext` or `Config` of gemini-cli. */
export interface AgentLoopContext {
  readonly config: {
    getDisableLoopDetection(): boolean;
    getBaseLlmClient(): {
      generateJson(options: GenerateJsonOptions): Promise<Record<string, unknown>>;
    };
    getModelAvailabilityService(): { snapshot(model: string): { readonly available: boolean } };
    readonly modelConfigService: {
      getResolvedConfig(key: { readonly model: string }): { readonly model: string };
    };
  };
  readonly geminiClient: { getHistory(): readonly Content[] };
}

/** A request to one of gemini-cli's models. Its own types, where they are narrower, fit these. */
export interface GenerateJsonOptions {
  modelConfigKey: { model: string };
  contents: Content[];
  schema: Record<string, unknown>;
  systemInstruction?: unknown;
  abortSignal: AbortSignal;
  promptId: string;
  role: string;
  maxAttempts?: number;
}

/** A message of the history. */
export interface Content {
  role?: string;
  parts?: ContentPart[];
}

/** What the service looks at in a part, or writes. */
export interface ContentPart {
  text?: string;
  functionCall?: object;
  functionResponse?: object;
}

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
