export type {
  AgentLoopContext,
  Content,
  GenerateJsonOptions,
  ServerGeminiStreamEvent,
} from "./peer-types.js";
export { LoopDetectionService, type LoopDetectionResult } from "./loop-detection-service.js";
export type { LoopDetectionTelemetry, LoopDetectionType } from "./telemetry.js";
