// What belongs to the summary injector.

export {
  SummaryInjector,
  type ToolCallRecord,
  type TurnRecord,
} from "../../memory/summary-injector.js";
export { WorkLedger } from "../../memory/work-ledger.js";
export type { TurnPrompt } from "../../memory/turn-prompt.js";
export type {
  CurrentTurn,
  Diagnostic,
  FoldRequest,
  SummaryInjectorOptions,
  SummaryLogEntry,
  SummaryRequest,
} from "../../boundary/generated/shapes.js";
export * from "./common.js";
