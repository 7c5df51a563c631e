// What belongs to the loop detector.

export { LoopDetector } from "../../loop/loop-detector.js";
export { guardStream, isLoopDetected, type LoopDetectedEvent } from "../../loop/guard-stream.js";
export {
  type CheckWithModel,
  type GuardStreamOptions,
  type StreamAdapter,
} from "../../loop/guard-options.js";
export { handleStream, type StreamHandlers } from "../../loop/handle-stream.js";
export type {
  AfterFiring,
  AgentEvent,
  CallLoopReport,
  CallLoopType,
  CallRule,
  Channel,
  CompareArguments,
  CompareResults,
  JudgedLoopReport,
  JudgedLoopType,
  JudgedRule,
  LoopDetectorOptions,
  LoopProfile,
  LoopReport,
  LoopReportFields,
  LoopType,
  LoopVerdict,
  MessageTexts,
  ModelCheckOptions,
  ModelCheckRequest,
  RuleName,
  RunBreak,
  TextLoopReport,
  TextLoopType,
  TextRule,
} from "../../boundary/generated/shapes.js";
export * from "./common.js";
