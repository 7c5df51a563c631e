export * from "../../replace/gemini-cli/loop-detection-service.js";
export type {
  AgentLoopContext,
  Content,
  GenerateJsonOptions,
  LoopDetectionTelemetry,
} from "../../replace/gemini-cli/peer-types.js";
export type { LoopDetectionType, ServerGeminiStreamEvent } from "../../replace/gemini-events.js";
