export {
  checkRepeatedToolCall,
  createLoopDetectionState,
  resetLoopDetectionState,
  toolCallSignature,
  type LoopDetectionConfig,
  type LoopDetectionState,
} from "../../replace/cline/repeated-calls.js";
export { LoopDetectionTracker } from "../../replace/cline/tracker.js";
