export type { LoopDetectionType, ServerGeminiStreamEvent } from "../gemini-events.js";
export type { AgentLoopContext, Content, GenerateJsonOptions } from "./peer-types.js";
export { LoopDetectionService, type LoopDetectionResult } from "./loop-detection-service.js";
export type { LoopDetectionTelemetry } from "./telemetry.js";
