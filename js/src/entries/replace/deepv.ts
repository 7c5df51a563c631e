export { LoopDetectionService } from "../../replace/deepv/loop-detection-service.js";
export type { LoopDetectionType } from "../../replace/gemini-events.js";
