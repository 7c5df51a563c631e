// What every entry of the package exports; they differ only in where the Wasm comes from.

import { start } from "../boundary/runtime.js";

export { LoopDetector } from "../loop/loop-detector.js";
export { guardStream, isLoopDetected, type LoopDetectedEvent } from "../loop/guard-stream.js";
export {
  type CheckWithModel,
  type GuardStreamOptions,
  type StreamAdapter,
} from "../loop/guard-options.js";
export { handleStream, type StreamHandlers } from "../loop/handle-stream.js";
export { GhostBlockAssembler } from "../prompt/ghost-block.js";
export type { AssembledPrompt, PreparedSkill } from "../prompt/assembled-prompt.js";
export type { AssemblerOptions } from "../prompt/options.js";
export { stripGhostBlocks } from "../prompt/strip-ghost-blocks.js";
export type { AssemblerHost } from "../prompt/host.js";
export {
  TurnStack,
  stripEnvironment,
  withEnvironment,
  type BlockOptions,
  type EnvironmentChange,
  type EnvironmentOptions,
  type TurnStackItem,
} from "../context/environment.js";
export { HistoryDeduper, dedupeHistory } from "../context/history-deduper.js";
export type {
  DedupeReport,
  SupersededFile,
  SupersededResult,
  UndoneContent,
  UndonePart,
  UndoneText,
} from "../context/report.js";
export { restoreHistory } from "../context/undo.js";
export { SummaryInjector, type SummaryLogEntry } from "../memory/summary-injector.js";
export type { HistoryMessage, Phase, PromptParts, TurnPrompt } from "../memory/turn-prompt.js";
export {
  TerminalSelector,
  canChangeDirectory,
  pathRelation,
} from "../terminals/terminal-selector.js";
export { AgentSession, type SessionLogEntry } from "../agent-session.js";
export type { AgentSessionOptions } from "../session-machines.js";
export { type ErrorCode, TurnkeeperError, type ErrorDetail } from "../boundary/errors.js";
export type {
  AfterFiring,
  AgentEvent,
  CachePrices,
  CacheState,
  CallLoopReport,
  CallLoopType,
  CallRule,
  Channel,
  CompareArguments,
  CompareResults,
  ContextItem,
  CurrentTurn,
  Diagnostic,
  DiagnosticCode,
  DedupeChange,
  DedupeKinds,
  DedupeOptions,
  DedupeReason,
  DedupeWaiting,
  Economy,
  FoldRequest,
  InjectorTexts,
  ItemOrigin,
  ItemType,
  JudgedLoopReport,
  JudgedLoopType,
  JudgedRule,
  KeepBlock,
  KeepFiles,
  KeepSections,
  KindTotals,
  LoopDetectorOptions,
  LoopProfile,
  LoopReport,
  LoopReportFields,
  LoopType,
  LoopVerdict,
  MessageTexts,
  ModelCheckOptions,
  ModelCheckRequest,
  OriginSource,
  PathOptions,
  PathPlatform,
  PathRelation,
  Placement,
  Reference,
  ReferenceKind,
  RuleName,
  RunBreak,
  Severity,
  SummaryInjectorOptions,
  SummaryRequest,
  Shell,
  TerminalChange,
  TerminalChoice,
  TerminalRegistration,
  TerminalRequest,
  TerminalSelectorOptions,
  TerminalState,
  TextLoopReport,
  TextLoopType,
  TextRule,
} from "../boundary/generated/shapes.js";

/**
 * Compiles the WebAssembly now instead of at the first use. That takes 30 to 50 ms, and nothing the second
 * time.
 *
 * @throws `csp_blocks_wasm` where a content security policy, or the program that runs it, forbids that.
 */
export function preload(): void {
  start(undefined);
}
