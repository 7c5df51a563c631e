// The part of a file that a text is, as far as the arguments of the call and the text itself tell.

import { fields, list, text as textOf } from "../../messages/fields.js";

/** The part of a file that a copy has: all of it, lines that count from 1, or a part that nobody knows. */
export type Extent = "complete" | "unknown" | { readonly first: number; readonly last: number };

/** The arguments that name the first line, the last one, and how many lines there are to be. */
const FIRST = [
  "offset",
  "start_line",
  "startLine",
  "start",
  "from",
  "start_line_one_indexed",
  "line",
];
const LAST = ["end_line", "endLine", "end", "to", "end_line_one_indexed_inclusive"];
const COUNT = ["limit", "count", "max_lines", "num_lines"];
const BOTH = ["line_range", "lineRange", "view_range", "range", "lines"];
/** The arguments that name the file. */
const PATHS = [
  "path",
  "file_path",
  "filePath",
  "absolute_path",
  "absolutePath",
  "target_file",
  "filename",
  "file",
];
/** The arguments that make no difference to what is read. */
const OTHERS = new Set([
  ...PATHS,
  "command",
  "description",
  "explanation",
  "reason",
  "instructions",
  "task_progress",
  "encoding",
  "should_read_entire_file",
  "mode",
]);

const LAST_LINE = 0xffff_fffe;

/** What the arguments of a read ask for. */
export function extentOfArguments(input: object): Extent {
  const args = fields(input);
  let first = 1;
  let last = LAST_LINE;
  let isRange = false;
  let count: number | undefined;
  for (const name of Object.keys(args)) {
    const value = args[name];
    // Roo Code picks blocks of code by their indentation.
    if (name === "mode" && value === "indentation") return "unknown";
    if (value === undefined || value === null || value === "" || OTHERS.has(name)) continue;
    const number = numberOf(value);
    if (BOTH.includes(name)) {
      const range = rangeOf(value);
      if (range === undefined) return "unknown";
      [first, last] = range;
    } else if (number === undefined) return "unknown";
    else if (FIRST.includes(name)) first = number;
    else if (LAST.includes(name)) last = number < 0 ? LAST_LINE : number;
    else if (COUNT.includes(name)) count = number;
    else return "unknown";
    isRange = true;
  }
  if (count !== undefined) last = first + count - 1;
  return isRange ? linesOf(first, last) : "complete";
}

function linesOf(first: number, last: number): Extent {
  if (last < first) return "unknown";
  return { first: Math.max(0, first), last: Math.min(last, LAST_LINE) };
}

function numberOf(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isInteger(number) && number >= -1
    ? number
    : undefined;
}

/** A range as `[1, 50]` or `"1-50"`. */
export function rangeOf(value: unknown): [first: number, last: number] | undefined {
  const both: unknown = typeof value === "string" ? value.trim().split(/\s*[-:,]\s*/) : value;
  if (!Array.isArray(both) || both.length !== 2) return undefined;
  const [first, last] = both.map(numberOf);
  if (first === undefined || last === undefined) return undefined;
  return [first, last < 0 ? LAST_LINE : last];
}

/** Within this many units of the beginning and of the end of a text, tools say what they left out. */
const EDGE = 400;
/** `cat -n`, as editors and Claude Code print it. */
const NUMBERED = /^\s*(\d+)(?:\u2192|\t| \| )/;
/** The lines that Claude Code reads unless it is told otherwise. */
const LINES_AT_MOST = 2_000;

/** Words without one of which a text says nothing of its extent: most texts are done after a look at these. */
const HINTS = /showing|truncated|omitted|more lines|\u2026/i;

function extentSaid(edges: string): Extent | undefined {
  const shown = /showing (?:only )?(?:lines? )?(\d+)\s*(?:-|\u2013|to)\s*(\d+)\b/i.exec(edges);
  if (shown) return linesOf(Number(shown[1]), Number(shown[2]));
  const top = /showing (?:only )?(?:the first )?(\d+) (?:of|out of) \d+/i.exec(edges);
  if (top) return linesOf(1, Number(top[1]));
  if (
    /[[(<][^\n]{0,200}(?:truncated|omitted|more lines)[^\n]{0,200}[\])>]|\[\u2026|\u2026 \d+ |tokens truncated/i.test(
      edges,
    )
  ) {
    return "unknown";
  }
  return undefined;
}

/** The note in place of the middle of a text that was left out: `[… cut …]`, `…812 tokens truncated…`. */
const CUT =
  /(?:(?:\[(?:\u2026|\.\.\.)|\.\.\. ?\[)[\w ]{0,60}?|\u2026 ?\d[\d,]* \w{0,20} ?)\b(?:cut|truncated|omitted|clipped|elided|left out)\b(?![,;(]|\.\w)/gi;

/** One of these begins such a note; to look for them first is fast. */
const CUT_SIGNS = ["\u2026", "[...", "... [", "...["];

/** Whether a text says anywhere in it that a part was left out there; in a string of a program it says nothing. */
export function isCut(text: string): boolean {
  if (!CUT_SIGNS.some((sign) => text.includes(sign))) return false;
  for (const { 0: note, index } of text.matchAll(CUT)) {
    const start = text.lastIndexOf("\n", index) + 1;
    const end = text.indexOf("\n", index + note.length);
    const before = /["'`]/.exec(text.slice(start, index))?.[0];
    const after = text.slice(index + note.length, end < 0 ? text.length : end);
    if (before === undefined || !after.includes(before)) return true;
  }
  return false;
}

/** What the text says of its own extent, against what was asked for. */
export function extentOfText(text: string, asked: Extent): Extent {
  const edges = text.length <= 2 * EDGE ? text : `${text.slice(0, EDGE)}\n${text.slice(-EDGE)}`;
  const said = HINTS.test(edges) ? extentSaid(edges) : undefined;
  if (said !== undefined) return said;
  const first = NUMBERED.exec(text);
  if (first === null || asked !== "complete") return asked;
  const lastLine = text.slice(text.trimEnd().lastIndexOf("\n") + 1);
  const last = NUMBERED.exec(lastLine);
  if (last === null || Number(last[1]) < Number(first[1])) return asked;
  const isWhole = Number(first[1]) <= 1 && Number(last[1]) < LINES_AT_MOST;
  return isWhole ? asked : linesOf(Number(first[1]), Number(last[1]));
}

/** Where the file is in a result that holds it, after what the agent says around it. */
export function contentWithin(text: string): { start: number; end: number } {
  let end = text.length;
  if (text.trimEnd().endsWith("</system-reminder>")) {
    const at = text.lastIndexOf("<system-reminder>");
    if (at > 0) end = at;
  }
  return { start: 0, end };
}

/** The beginnings of results that hold no file: refusals, errors, and notes of agents that removed one. */
const NO_FILE = new RegExp(
  "^(?:The tool execution failed|The user (?:denied|rejected|doesn't want)|\\(tool did not return|" +
    "\\[?ERROR\\b|<error>|<tool_use_error>|ENOENT|E(?:ACCES|ISDIR|PERM)\\b|File (?:does not|doesn't|not|unchanged)|" +
    "Tool \\[|\\[\\[NOTE\\]|Failed to |Cannot |Could not |Unable to |Permission denied|No such file|Access denied|" +
    'Operation (?:cancelled|denied)|<system-reminder>|\\(Binary file|\\{\\s*"status"\\s*:\\s*"(?:denied|error)|Missing value|Request interrupted|\\[Request interrupted)',
  "i",
);

/** Whether a text is rather a refusal, an error or a note than a file. */
export function isNoFile(text: string, notices: readonly string[]): boolean {
  const start = text.slice(0, 120).trimStart();
  return start === "" || NO_FILE.test(start) || notices.some((notice) => start.startsWith(notice));
}

/** The paths of `files: [{ path }]`, as Roo Code's native tool reads several at once. */
export function pathsOf(input: unknown): string[] {
  const { files } = fields(input);
  return list(files).flatMap((file) => textOf(fields(file).path) ?? []);
}

/** Whether such a read asks for ranges of any of its files. */
export function asksForRanges(input: unknown): boolean {
  return list(fields(input).files).some((file) => {
    const { line_ranges, lineRanges = line_ranges } = fields(file);
    return list(lineRanges).length > 0;
  });
}

/** A path among the arguments of a call. */
export function pathOf(input: unknown): string | undefined {
  const args = fields(input);
  for (const name of PATHS) if (args[name] != null) return textOf(args[name]);
  return textOf(args.notebook_path);
}
