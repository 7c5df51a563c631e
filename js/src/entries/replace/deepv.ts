export * from "../../replace/deepv/loop-detection-service.js";
export type * from "../../replace/deepv/peer-types.js";
export type { LoopDetectionType, ServerGeminiStreamEvent } from "../../replace/gemini-events.js";
