export {
  checkRepeatedToolCall,
  createLoopDetectionState,
  resetLoopDetectionState,
  toolCallSignature,
  type LoopCheckResult,
  type LoopDetectionConfig,
  type LoopDetectionState,
} from "../../replace/cline/repeated-calls.js";
export { LoopDetectionTracker, type LoopDetectionVerdict } from "../../replace/cline/tracker.js";
