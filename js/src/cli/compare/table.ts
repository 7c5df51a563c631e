import { firsts, type Finding, type SessionFindings } from "../../analysis/comparison.js";
import { oneLine } from "../../analysis/plain-text.js";
import type { AnyProfile } from "../../analysis/profiles.js";
import { grouped } from "../../analysis/wording.js";
import { clip, widestOf, wrapList } from "../terminal/columns.js";
import type { Output } from "../terminal/output.js";
import { fits, tableLines, type Column } from "../terminal/table.js";

/** What is shown of a session: its name, its calls, and a cell for each profile. */
export type Row = readonly [name: string, calls: string, ...cells: string[]];

/** The columns that a session's name has at most, and keeps at least. */
const WIDEST_NAME = 24;
const NARROWEST_NAME = 7;

export function rowOf(name: string, { calls, profiles }: SessionFindings): Row {
  const cells = profiles.map((findings) => cell(firsts(findings)));
  return [clip(oneLine(name), WIDEST_NAME), grouped(calls), ...cells];
}

/** Profiles side by side, as many as there is room for, then the others below; a row for each session. */
export function showRows(
  output: Output,
  profiles: readonly AnyProfile[],
  rows: readonly Row[],
): void {
  const { columns: room, dim } = output;
  const all = ["session", "calls", ...profiles].map((title, at): Column => ({
    title,
    align: at === 0 ? "left" : "right",
    cells: rows.map((row) => (row[at] === "-" ? dim("-") : row[at]!)),
  }));
  const [left, others] = [all.slice(0, 2), all.slice(2)];
  // A table for some profiles and lists for the others would be hard to read.
  if (!others.every((column) => fits([...left, column], NARROWEST_NAME, room))) {
    rows.forEach((_, at) => list(output, all, at));
  } else {
    const widest = Math.max(NARROWEST_NAME, widestOf(left[0]!.cells));
    for (let from = 0; from < others.length;) {
      if (from > 0) output.line();
      let to = from + 1;
      while (to < others.length && fits([...left, ...others.slice(from, to + 1)], widest, room))
        to += 1;
      const shown = [...left, ...others.slice(from, to)];
      const [head, ...lines] = tableLines(shown, NARROWEST_NAME, room)!;
      output.line(dim(head));
      for (const line of lines) output.line(line);
      from = to;
    }
  }
  output.paragraph(LEGEND);
  output.line();
}

/** A row where the terminal is too narrow for a table: its name, and below it what it says. */
function list(output: Output, [names, ...others]: readonly Column[], row: number): void {
  output.line(output.bold(names!.cells[row]));
  const facts = others.map(({ title, cells }) => `${title as string} ${cells[row]}`);
  for (const line of wrapList(facts, output.columns - 2)) output.line(`  ${line}`);
}

/** `~` comes before a nudge; the number alone is a stop. */
function cell({ nudge, stop }: { nudge?: Finding; stop?: Finding }): string {
  const nudged = nudge && (!stop || nudge.line < stop.line) ? `~${place(nudge)}` : undefined;
  return [nudged, stop && place(stop)].filter((part) => part !== undefined).join(" ") || "-";
}

function place({ call }: Finding): string {
  return call === null ? "start" : grouped(call);
}

const LEGEND = "~12: a nudge at call 12; 15: a stop at call 15 (calls count from 0); -: neither.";
