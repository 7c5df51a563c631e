import type {
  CopySource,
  DedupeReport as SharedReport,
  Superseded,
  SupersededKind,
} from "../boundary/generated/shapes.js";
import type { Rewriting } from "./rewriting.js";

export type CoreReport = SharedReport;

/** A copy of a file that was replaced by a line. */
export type SupersededFile = {
  /** `file` if a text showed it, `write` if it was the argument of a call. */
  kind: Exclude<SupersededKind, "result">;
  /** Where it came from: a read, the answer to an edit or the call that wrote it, or the user's mention. */
  from: CopySource;
  /** The path as the history spells it. */
  path: string;
  /** The index of its message. */
  index: number;
  /** The index of its part in the message as it is now; -1 if the content is a string. */
  part: number;
  /** The units of UTF-16 by which the message is shorter. */
  characters: number;
  /** The index of the message that has the newest copy. */
  newest: number;
};

/** A tool's result that was replaced by a line, since an equal one comes later. */
export type SupersededResult = Omit<SupersededFile, "kind" | "from" | "path">;

/**
 * What was done to a history. It survives `JSON.stringify` and `JSON.parse`. The indexes of messages are those of
 * the history as it was given.
 */
export interface DedupeReport extends CoreReport {
  /** The copies of files that were replaced. */
  files: SupersededFile[];
  /** The results that were replaced. */
  results: SupersededResult[];
  /** What `restoreHistory` needs: the messages that were removed, and then what others have lost. */
  undo: (UndoneMessage | UndoneContent)[];
}

/** A message that was removed. */
export interface UndoneMessage {
  /** The index that it had. */
  index: number;
  message: unknown;
}

/** What the content of a message was before. */
export interface UndoneContent {
  /** The index of the message. */
  index: number;
  /** The field that was changed, where it is another one than `content`. */
  field?: "content" | "parts" | "output" | "tool_calls" | "arguments";
  /** What stood in the string that it is, the string that it was, or its parts. */
  content: UndoneText | string | UndonePart[];
  /** A hash of its content now. Only one that has it is led back. */
  hash: string;
}

/** What stood in a string in place of what is there now, from `start` to `end` in UTF-16 code units. */
export interface UndoneText {
  start: number;
  end: number;
  was: string;
}

/** A part as it was: one that is still there, by its index in the message as it is now, or itself. */
export type UndonePart = { kept: number } | { part: unknown };

/** The core's report with what only the caller knows. */
export function reportOf(
  report: CoreReport,
  superseded: readonly Superseded[],
  rewriting: Rewriting,
  undo: DedupeReport["undo"],
): DedupeReport {
  const files: SupersededFile[] = [];
  const results: SupersededResult[] = [];
  for (const one of superseded) {
    const { kind, from, place, path, characters, newest } = one;
    const found = { index: place.index, part: rewriting.partOf(place), characters, newest };
    if (kind === "result") results.push(found);
    else files.push({ kind, from: from!, path, ...found });
  }
  return { ...report, files, results, undo };
}
