// What belongs to the terminal selector.

export { TerminalSelector, pathRelation } from "../../terminals/terminal-selector.js";
export type {
  PathRelation,
  Shell,
  TerminalChange,
  TerminalChoice,
  TerminalRegistration,
  TerminalRequest,
  TerminalSelectorOptions,
  TerminalState,
} from "../../boundary/generated/shapes.js";
export * from "./common.js";
