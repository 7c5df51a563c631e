import type { SessionFindings } from "../../analysis/comparison.js";

/** A session that was played to its end, and the verdicts on it. */
export interface Compared {
  /** Below the folder that was named, and then without its extension. */
  name: string;
  file: string;
  result: SessionFindings;
}

/** How a comparison is shown. */
export interface CompareView {
  session(compared: Compared): void;
  close(overall: { sessions: number; problems: number }, exitCode: number): void;
}
