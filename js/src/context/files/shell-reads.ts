// Commands that print one file and do nothing else: `cat a.ts`, `sed -n '1,200p' a.ts`, as Codex and
// others read.

import type { Extent } from "./extent.js";

/** What a command prints of a file. */
export interface ShellRead {
  readonly path: string;
  readonly extent: Extent;
}

/** One word: bare, or in quotes without anything that a shell would look at. */
const WORD = String.raw`(?:'([^'\n]+)'|"([^"\n$\x60\\]+)"|([^\s'"|&;<>()$\x60*?\[\]{}~#!\\]+))`;
const READS: readonly { pattern: RegExp; isRange: boolean }[] = [
  { pattern: new RegExp(`^cat(?: -[nA])? (?:-- )?${WORD}$`), isRange: false },
  {
    pattern: new RegExp(`^(?:type|Get-Content|gc)(?: -Raw| -Path)? ${WORD}$`, "i"),
    isRange: false,
  },
  { pattern: new RegExp(`^(?:nl -ba|bat -p|bat --plain) ${WORD}$`), isRange: false },
  { pattern: new RegExp(`^sed -n ['"]?(\\d+),\\s*(\\d+)p['"]? ${WORD}$`), isRange: true },
];

/** What a command line reads, if it reads one file and does nothing else. */
export function shellReadOf(command: string): ShellRead | undefined {
  const line = command.trim();
  for (const { pattern, isRange } of READS) {
    const found = pattern.exec(line);
    if (!found) continue;
    const [, ...groups] = found;
    const [first, last] = isRange ? groups.splice(0, 2).map(Number) : [];
    const path = groups.find((group) => group !== undefined)!;
    if (path.startsWith("-")) return undefined;
    const extent = isRange ? { first: first!, last: last! } : "complete";
    return { path, extent };
  }
  return undefined;
}

/** The path of a file that a command names, from the directory in which it ran. */
export function pathFrom(directory: unknown, path: string): string {
  if (typeof directory !== "string" || directory === "" || directory === ".") return path;
  return /^(?:[/\\]|[A-Za-z]:)/.test(path) ? path : `${directory}/${path}`;
}

/** Where a command's output is in a result, and whether it is unreadable or that of a failure. */
export function outputWithin(result: string): { start: number; end: number; failed: boolean } {
  const head = result.slice(0, 600);
  const code = /exit(?:ed)?[ _]?(?:with )?code['"]?\s*[:=]?\s*(-?\d+)/i.exec(head);
  const stillRuns = /^Process running with session ID /m.test(head);
  // Within JSON the output has escapes, and what takes its place would have to have them, too.
  const isJson = /^\s*\{\s*"output"\s*:/.test(head);
  const failed = stillRuns || isJson || (code !== null && Number(code[1]) !== 0);
  const after =
    /(?:^|\n)Output:\r?\n/.exec(head) ?? /(?:^|\n)Command executed\.\r?\nOutput:\r?\n/.exec(head);
  const start = after ? after.index + after[0].length : 0;
  return { start, end: result.length, failed };
}
