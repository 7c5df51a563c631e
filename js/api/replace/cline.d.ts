// What turnkeeper/replace/cline exports, and the types that this needs.
// Written by `cargo xtask api`. Do not edit.

type LoopCheckResult = {
  softWarning: boolean;
  hardEscalation: boolean;
};

interface LoopDetectionCall {
  name: string;
  input: unknown;
}

interface LoopDetectionConfig {
  softThreshold: number;
  hardThreshold: number;
}

interface LoopDetectionState {
  lastToolName: string;
  lastToolSignature: string;
  consecutiveIdenticalCount: number;
}

declare class LoopDetectionTracker {
  #private;
  constructor(config?: Partial<LoopDetectionConfig>);
  inspect(call: LoopDetectionCall): LoopDetectionVerdict;
  reset(): void;
  dispose(): void;
}

type LoopDetectionVerdict = {
  kind: "ok" | "soft" | "hard";
  message?: string;
};

declare function checkRepeatedToolCall(
  state: LoopDetectionState,
  toolName: string,
  signature: string,
  config: LoopDetectionConfig,
): LoopCheckResult;

declare function createLoopDetectionState(): LoopDetectionState;

declare function resetLoopDetectionState(state: LoopDetectionState): void;

declare function toolCallSignature(input: unknown): string;

export { LoopDetectionConfig };

export { LoopDetectionState };

export { LoopDetectionTracker };

export { checkRepeatedToolCall };

export { createLoopDetectionState };

export { resetLoopDetectionState };

export { toolCallSignature };
