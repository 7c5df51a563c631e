// What belongs to the loop detector.

export { LoopDetector } from "../../loop/loop-detector.js";
export {
  guardStream,
  isLoopDetected,
  type GuardedStream,
  type LoopDetectedEvent,
} from "../../loop/guard-stream.js";
export { type GuardStreamOptions, type StreamAdapter } from "../../loop/guard-options.js";
export type {
  AgentEvent,
  Counts,
  LoopDetectorOptions,
  LoopProfile,
  LoopReport,
  LoopType,
  LoopVerdict,
  ModelCheckRequest,
  PromptInfo,
} from "../../boundary/generated/shapes.js";
export * from "./common.js";
