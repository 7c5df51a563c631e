// Files under a line that names each of them, as Roo Code shows what its native tool read and what the
// user mentions:
//
//   File: src/a.ts
//   Lines 1-2:
//   1 | import b from "../../machines/file-copies/b";
//   2 | b();

import type { ListedFile } from "./copies-in-text.js";

/** What ends a file that was cut. */
const CUT = /\n\n?Note: (?:Showing only|File truncated|Content truncated|No available)[^\n]*\s*$/;
/** What stands in the place of a file that could not be shown. */
const NOT_SHOWN = /^(?:Error: |Status: |Note: |Binary file |Code Definitions:)/;
const LINES = /^Lines (\d+)-(\d+):\n/;
const OTHER_LINES = /\n\nLines \d+-\d+:\n/;

/**
 * The files of a result, of those that were asked for, in their order.
 *
 * @param from where the first of them may begin
 */
export function filesRead(text: string, asked: readonly string[], from: number): ListedFile[] {
  const starts: { path: string; at: number; start: number }[] = [];
  let at = from;
  for (const path of asked) {
    const header = `File: ${path}\n`;
    const start = at === from && text.startsWith(header, from) ? from : afterRule(text, header, at);
    if (start < 0) continue;
    starts.push({ path, at: start, start: start + header.length });
    at = start + header.length;
  }
  return starts.flatMap(({ path, start }, index) => {
    const next = starts[index + 1];
    const end = next === undefined ? text.length : next.at - RULE.length;
    const file = fileWithin(text, path, start, end);
    return file === undefined ? [] : [file];
  });
}

/** What separates two files. */
const RULE = "\n\n---\n\n";

function afterRule(text: string, header: string, from: number): number {
  const at = text.indexOf(RULE + header, from);
  return at < 0 ? -1 : at + RULE.length;
}

function fileWithin(text: string, path: string, from: number, end: number): ListedFile | undefined {
  const body = text.slice(from, end);
  if (NOT_SHOWN.test(body)) return undefined;
  const lines = LINES.exec(body);
  const start = from + (lines?.[0].length ?? 0);
  const isSeveral = lines !== null && OTHER_LINES.test(body);
  const notes = CUT.exec(body)?.[0] ?? (isSeveral ? "<notice>several ranges</notice>" : "");
  const shown = lines && !isSeveral ? `${lines[1]}-${lines[2]}` : undefined;
  return start < end ? { path, start, end, lines: shown, notes } : undefined;
}

/** The heading of a mention; of a mentioned folder each file has one. */
const MENTION = /(?:^|\n\n)\[read_file for '([^'\n]{1,4000})'\]\n/g;

/**
 * The files of a mention: a text that begins as if it were a result, but for the word.
 *
 * @returns undefined if the text is no mention
 */
export function filesMentioned(text: string): ListedFile[] | undefined {
  const folder = /^\[read_file for folder '([^'\n]{1,4000})'\]\n/.exec(text);
  if (folder === null && !/^\[read_file for '[^'\n]{1,4000}'\]\n/.test(text)) return undefined;
  const headings: { path: string; at: number; from: number }[] = [];
  for (const found of text.matchAll(MENTION)) {
    const path = found[1]!;
    const isFirst = found.index === 0;
    // A path that a file quotes is no file of the folder.
    if (!isFirst && !isListed(text, path, folder?.[1])) continue;
    headings.push({ path, at: found.index, from: found.index + found[0].length });
    if (isFirst) break;
  }
  return headings.flatMap(({ path, from }, index) => {
    const end = headings[index + 1]?.at ?? text.length;
    const header = `File: ${path}\n`;
    const at = text.startsWith(header, from) ? from : text.indexOf(`\n\n${header}`, from) + 2;
    // The host says before it that the file was cut, in a few lines.
    if (at < from || at > from + 1_000 || at >= end) return [];
    const notes = text.slice(from, at);
    const start = at + header.length;
    return start < end ? [{ path, start, end, lines: undefined, notes }] : [];
  });
}

function isListed(text: string, path: string, folder: string | undefined): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return (
    folder !== undefined &&
    path.startsWith(folder.replace(/^\.\//, "")) &&
    text.includes(`── ${name}\n`)
  );
}
