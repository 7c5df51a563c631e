// What turnkeeper/replace/deepv exports, and the types that this needs.
// Written by `cargo xtask api`. Do not edit.

interface DeepvConfig {
  getModel(): string;
  getGeminiClient?():
    | {
        getHistory(): readonly object[];
        getContentGenerator(): {
          generateContent(request: never, scene: never): Promise<unknown>;
        };
      }
    | undefined;
}

interface LoopDetectionOptions {
  monitoredCalls?: number | false;
  loopDetected?: (type: LoopDetectionType, promptId: string) => void;
}

declare class LoopDetectionService {
  #private;
  constructor(config: DeepvConfig, options?: LoopDetectionOptions);
  reset(promptId: string): void;
  addAndCheck(event: ServerGeminiStreamEvent): boolean;
  turnStarted(signal: AbortSignal): Promise<boolean>;
  getDetectedLoopType(): LoopDetectionType | null;
  dispose(): void;
}

type LoopDetectionType =
  "consecutive_identical_tool_calls" | "chanting_identical_sentences" | "llm_detected_loop";

interface ServerGeminiStreamEvent {
  readonly type: string;
  readonly value?: unknown;
}

export { LoopDetectionService };

export { LoopDetectionType };
