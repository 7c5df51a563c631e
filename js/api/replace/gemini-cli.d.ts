// What turnkeeper/replace/gemini-cli exports, and the types that this needs.
// Written by `cargo xtask api`. Do not edit.

interface AgentLoopContext {
  readonly config: {
    getDisableLoopDetection(): boolean;
    getBaseLlmClient(): {
      generateJson(options: GenerateJsonOptions): Promise<Record<string, unknown>>;
    };
    getModelAvailabilityService(): {
      snapshot(model: string): {
        readonly available: boolean;
      };
    };
    readonly modelConfigService: {
      getResolvedConfig(key: { readonly model: string }): {
        readonly model: string;
      };
    };
  };
  readonly geminiClient: {
    getHistory(): readonly Content[];
  };
}

interface Content {
  role?: string;
  parts?: ContentPart[];
}

interface ContentPart {
  text?: string;
  functionCall?: object;
  functionResponse?: object;
}

interface GenerateJsonOptions {
  modelConfigKey: {
    model: string;
  };
  contents: Content[];
  schema: Record<string, unknown>;
  systemInstruction?: unknown;
  abortSignal: AbortSignal;
  promptId: string;
  role: string;
  maxAttempts?: number;
}

interface LoopDetectionResult {
  count: number;
  type?: LoopDetectionType;
  detail?: string;
  confirmedByModel?: string;
}

declare class LoopDetectionService {
  #private;
  constructor(context: AgentLoopContext, telemetry?: LoopDetectionTelemetry);
  reset(promptId: string, userPrompt?: string): void;
  disableForSession(): void;
  clearDetection(): void;
  addAndCheck(event: ServerGeminiStreamEvent): LoopDetectionResult;
  turnStarted(signal: AbortSignal): Promise<LoopDetectionResult>;
  dispose(): void;
}

interface LoopDetectionTelemetry {
  loopDetected?(
    type: LoopDetectionType,
    promptId: string,
    count: number,
    confirmedByModel?: string,
    analysis?: string,
    confidence?: number,
  ): void;
  loopDetectionDisabled?(promptId: string): void;
  llmLoopCheck?(
    promptId: string,
    flashConfidence: number,
    mainModel: string,
    mainModelConfidence: number,
  ): void;
}

type LoopDetectionType =
  "consecutive_identical_tool_calls" | "chanting_identical_sentences" | "llm_detected_loop";

interface ServerGeminiStreamEvent {
  readonly type: string;
  readonly value?: unknown;
}

export { LoopDetectionResult };

export { LoopDetectionService };

export { LoopDetectionType };
