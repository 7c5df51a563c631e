// What belongs to the history deduper.

export {
  TurnStack,
  stripEnvironment,
  withEnvironment,
  type BlockOptions,
  type EnvironmentChange,
  type EnvironmentOptions,
  type TurnStackItem,
} from "../../context/environment.js";
export { HistoryDeduper, dedupeHistory } from "../../context/history-deduper.js";
export type {
  DedupeReport,
  SupersededFile,
  SupersededResult,
  UndoneContent,
  UndonePart,
  UndoneText,
} from "../../context/report.js";
export { restoreHistory } from "../../context/undo.js";
export type {
  CachePrices,
  CacheState,
  DedupeChange,
  DedupeKinds,
  DedupeOptions,
  DedupeReason,
  DedupeWaiting,
  Economy,
  KeepBlock,
  KeepFiles,
  KeepSections,
  KindTotals,
} from "../../boundary/generated/shapes.js";
export * from "./common.js";
