import type { SessionFindings } from "../../analysis/comparison.js";
import type { Label } from "../../analysis/labels.js";
import type { Score, Total } from "../../analysis/score.js";

/** A session that was played to its end, and the verdicts on it. */
export interface Compared {
  /** Below the folder that was named, and then without its extension. */
  name: string;
  file: string;
  label: Label | undefined;
  result: SessionFindings;
  /** For each profile, in the order of the result; there if the session is labelled. */
  scores: Score[] | undefined;
}

/** Everything together. */
export interface Overall {
  sessions: number;
  labelled: number;
  tolerance: number;
  /** For each profile; empty if nothing is labelled. */
  totals: Total[];
  problems: number;
}

/** How a comparison is shown. */
export interface CompareView {
  session(compared: Compared): void;
  close(overall: Overall, exitCode: number): void;
}
