export {
  LoopDetectionService,
  type LoopDetectionResult,
} from "../../replace/gemini-cli/loop-detection-service.js";
export type { LoopDetectionType } from "../../replace/gemini-events.js";
