// What belongs to the loop detector.

export { LoopDetector, type Lack } from "../../loop/loop-detector.js";
export { guardStream, type GuardedStream, type ToolResult } from "../../loop/guard-stream.js";
export type { LoopDetectedEvent } from "../../loop/told.js";
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
