import type {
  DedupeReport as SharedReport,
  Superseded,
  SupersededKind,
} from "../boundary/generated/shapes.js";
import type { UndoneContent } from "./dedupe-undo.js";
import type { Rewriting } from "./file-copies/rewriting.js";

export type CoreReport = SharedReport;

/** A copy of a file that gave way to a line. */
export interface SupersededFile {
  /** `file` if a text showed it, `write` if it was the argument of a call. */
  kind: Exclude<SupersededKind, "result">;
  /** The path as the history spells it. */
  path: string;
  /** The index of its message. */
  index: number;
  /** The index of its part in the message as it is now; -1 if the content is a string. */
  part: number;
  /** How much shorter the message is, in UTF-16 code units. */
  characters: number;
  /** The index of the message that has the newest copy. */
  newest: number;
}

/** A tool's result that gave way to a line, since it came again. */
export type SupersededResult = Omit<SupersededFile, "kind" | "path">;

/** What was done to a history. It may be kept as JSON. */
export interface DedupeReport extends CoreReport {
  /** The copies of files that gave way. */
  files: SupersededFile[];
  /** The results that gave way. */
  results: SupersededResult[];
  /** What `restoreHistory` needs. */
  undo: UndoneContent[];
}

/** The core's report with what only the caller knows. */
export function reportOf(
  report: CoreReport,
  superseded: readonly Superseded[],
  rewriting: Rewriting,
  undo: UndoneContent[],
): DedupeReport {
  const files: SupersededFile[] = [];
  const results: SupersededResult[] = [];
  for (const one of superseded) {
    const { kind, path, index, characters, newest } = one;
    const found = { index, part: rewriting.partOf(one), characters, newest };
    if (kind === "result") results.push(found);
    else files.push({ kind, path, ...found });
  }
  return { ...report, files, results, undo };
}
