export type { LoopDetectionType, ServerGeminiStreamEvent } from "../gemini-events.js";
export { LoopDetectionService, type LoopDetectionOptions } from "./loop-detection-service.js";
export type { Content, DeepvConfig, GenerateContentRequest } from "./peer-types.js";
