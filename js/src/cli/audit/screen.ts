import {
  findingAdvice,
  findingPlace,
  findingTitle,
  headline,
  inDollars,
} from "../../analysis/audit-words.js";
import type { SessionReport } from "../../analysis/audit-report.js";
import { findingsOf, worstFirst, type Finding } from "../../analysis/findings.js";
import { oneLine } from "../../analysis/plain-text.js";
import {
  SESSION_CELLS,
  SESSION_COLUMNS,
  type SessionColumn,
} from "../../analysis/view/overview.js";
import { ENGLISH } from "../../analysis/view/words.js";
import { plural } from "../../analysis/wording.js";
import { COMMAND } from "../command-name.js";
import type { Output } from "../terminal/output.js";
import { fits, tableLines, type Column } from "../terminal/table.js";

import type { AuditRecord } from "./record.js";

/** What the screen shows. */
interface ScreenSettings {
  /** How many sessions are listed. */
  top: number;
  /** Only the headline. */
  quiet: boolean;
  /** Name the files that were skipped. */
  verbose: boolean;
}

/** One screen: what was spent and could have been saved, on what it went, and the sessions that wasted most. */
export function showScreen(
  output: Output,
  record: AuditRecord,
  { top, quiet, verbose }: ScreenSettings,
): void {
  const { bold, dim } = output;
  const { total, period, skipped } = record;
  const reports = record.sessions.map(({ report }) => report);
  if (total.sessions > 0) {
    output.paragraph(headline(total, period.title) + trendOf(record), "", bold);
    if (!quiet) {
      for (const finding of findingsOf(reports)) showFinding(output, finding);
      showSessions(output, reports, top);
    }
  }
  for (const message of record.missing) output.paragraph(message, "", dim);
  if (quiet || skipped.length === 0) return;
  const how = verbose ? "" : " (--verbose names them)";
  output.line(dim(`${plural(skipped.length, "file")} skipped: no sessions${how}`));
  if (!verbose) return;
  for (const { file, reason } of skipped) {
    output.paragraph(`${oneLine(file)} ${oneLine(reason)}`, "  ", dim);
  }
}

function showFinding(output: Output, finding: Finding): void {
  const amount = finding.dollars === undefined ? "" : `${inDollars(finding.dollars)} `;
  output.line();
  const what = `${amount}${findingTitle(finding)}; ${findingPlace(finding)}`;
  output.paragraph(what, "", output.yellow);
  const { does, command } = findingAdvice(finding);
  // A command stays in one line, so that it can be copied, and is called as the user has called this one.
  const called = command?.replace(/^turnkeeper/, COMMAND);
  output.line(`  ${does}${called === undefined ? "" : `: ${output.bold(oneLine(called, 4_000))}`}`);
}

function showSessions(output: Output, reports: readonly SessionReport[], top: number): void {
  const { dim, red } = output;
  const shown = worstFirst(reports).slice(0, top);
  if (shown.length === 0) return;
  const columns = columnsFor(shown, output.columns);
  const lines = tableLines(columns, NARROWEST_TITLE, output.columns);
  output.line();
  if (lines) output.line(dim(lines[0]));
  shown.forEach(({ loops }, at) => {
    const isStopped = loops.some(({ action }) => action === "stop");
    const style = isStopped ? red : (text: string) => text;
    if (lines) output.line(style(lines[at + 1]!));
    else output.paragraph(columns.map(({ cells }) => cells[at]).join(", "), "", style);
  });
  const rest = reports.length - shown.length;
  const more = rest > 0 ? `${plural(rest, "more session")} (--all), ` : "";
  output.line();
  const all = `${more}all of it with pictures: ${COMMAND} audit --html report.html`;
  output.paragraph(all, "", dim);
}

/** The columns that a session's title keeps. */
const NARROWEST_TITLE = 24;
const LONGEST_PROJECT = 24;
const LEFT: readonly SessionColumn[] = ["session", "agent", "project", "when"];
/** Those that say least, which go first where there is no room. */
const DISPENSABLE: readonly SessionColumn[] = ["project", "agent", "when", "toSave"];

/** The columns that say something, as many as there is room for. */
function columnsFor(shown: readonly SessionReport[], room: number): Column[] {
  const columns = new Map(
    SESSION_COLUMNS.map((name): [SessionColumn, Column] => [name, columnOf(name, shown)]),
  );
  for (const [name, { cells }] of columns) {
    if (name !== "session" && cells.every((cell) => cell === "-")) columns.delete(name);
  }
  for (const name of DISPENSABLE) {
    if (fits([...columns.values()], NARROWEST_TITLE, room)) break;
    columns.delete(name);
  }
  return [...columns.values()];
}

function columnOf(name: SessionColumn, shown: readonly SessionReport[]): Column {
  const title = ENGLISH.columns[name];
  return {
    title: name === "outdated" ? [title, "outdated"] : title,
    align: LEFT.includes(name) ? "left" : "right",
    clip: "end",
    cells: shown.map((report) => {
      const cell = SESSION_CELLS[name](report, ENGLISH) || "-";
      if (name === "project") return cell.slice(0, LONGEST_PROJECT);
      return name === "cost" ? cell.replace(/ tokens$/, " t") : cell;
    }),
  };
}

/** How this week compares with the one before. */
function trendOf({ trend, total }: AuditRecord): string {
  const before = trend?.weekBefore();
  const now = total.usage.dollars;
  if (before === undefined || before < 0.01 || now === undefined) return "";
  const share = Math.round((100 * (now - before)) / before);
  if (share === 0) return " (as much as the week before)";
  return ` (${Math.abs(share)}% ${share > 0 ? "more" : "less"} than the week before)`;
}
