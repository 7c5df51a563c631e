import {
  agentTitle,
  costInWords,
  dayOf,
  findingAdvice,
  findingPlace,
  findingTitle,
  headline,
  inDollars,
  projectName,
  sessionTitle,
} from "../../analysis/audit-words.js";
import type { SessionReport } from "../../analysis/audit-report.js";
import { findingsOf, worstFirst, type Finding } from "../../analysis/findings.js";
import { oneLine } from "../../analysis/plain-text.js";
import { grouped, plural } from "../../analysis/wording.js";
import { COMMAND } from "../command-name.js";
import { widestOf, wrap } from "../terminal/columns.js";
import type { Output } from "../terminal/output.js";
import { Table, type Column } from "../terminal/table.js";

import type { AuditRecord, AuditView } from "./record.js";

/** What the screen shows. */
export interface ScreenSettings {
  /** How many sessions are listed. */
  top: number;
  /** Only the headline. */
  quiet: boolean;
  /** Name the files that were skipped. */
  verbose: boolean;
}

/** One screen: what was spent and could have been saved, on what it went, and the sessions that wasted most. */
export class AuditScreen implements AuditView {
  readonly #output: Output;
  readonly #settings: ScreenSettings;

  constructor(output: Output, settings: ScreenSettings) {
    this.#output = output;
    this.#settings = settings;
  }

  session(): void {}

  close(record: AuditRecord): void {
    const { bold, dim } = this.#output;
    const { total, period } = record;
    const reports = record.sessions.map(({ report }) => report);
    if (total.sessions > 0) {
      this.#paragraph(headline(total, period.title) + trendOf(record), "", bold);
      if (!this.#settings.quiet) {
        for (const finding of findingsOf(reports)) this.#finding(finding);
        this.#sessions(reports);
      }
    }
    for (const message of record.missing) this.#paragraph(message, "", dim);
    if (this.#settings.quiet) return;
    const { skipped } = record;
    if (skipped.length > 0) {
      const how = this.#settings.verbose ? "" : " (--verbose names them)";
      this.#output.line(dim(`${plural(skipped.length, "file")} skipped: no sessions${how}`));
      if (!this.#settings.verbose) return;
      for (const { file, reason } of skipped) {
        this.#paragraph(`${oneLine(file)} ${oneLine(reason)}`, "  ", dim);
      }
    }
  }

  #finding(finding: Finding): void {
    const { bold, yellow } = this.#output;
    const amount = finding.dollars === undefined ? "" : `${inDollars(finding.dollars)} `;
    this.#output.line();
    this.#paragraph(`${amount}${findingTitle(finding)}; ${findingPlace(finding)}`, "", yellow);
    const { does, command } = findingAdvice(finding);
    // A command stays in one line, so that it can be copied.
    this.#output.line(
      command === undefined ? `  ${does}` : `  ${does}: ${bold(oneLine(called(command), 4_000))}`,
    );
  }

  #sessions(reports: readonly SessionReport[]): void {
    const { dim, red } = this.#output;
    const shown = worstFirst(reports).slice(0, this.#settings.top);
    if (shown.length === 0) return;
    const columns = this.#columnsFor(shown);
    const rows = shown.map((report) => columns.map(({ cell }) => cell(report)));
    const table = new Table(
      columns.map(({ column }, at) => ({
        ...column,
        least: widestOf(rows.map((row) => row[at]!)),
      })),
      {
        room: this.#output.columns,
        narrowest: NARROWEST_TITLE,
        widest: widestOf(rows.map(([title]) => title!)),
      },
    );
    this.#output.line();
    const head = table.head();
    if (head !== undefined) this.#output.line(dim(head));
    rows.forEach((cells, at) => {
      const isStopped = shown[at]!.loops.some(({ action }) => action === "stop");
      const style = isStopped ? red : (text: string) => text;
      const line = table.line(cells);
      if (line === undefined) this.#paragraph(cells.join(", "), "", style);
      else this.#output.line(style(line));
    });
    const rest = reports.length - shown.length;
    const more = rest > 0 ? `${plural(rest, "more session")} (--all), ` : "";
    this.#output.line();
    this.#paragraph(`${more}all of it with pictures: ${COMMAND} audit --html report.html`, "", dim);
  }

  /** As many columns as there is room for; those that say least go first. */
  #columnsFor(shown: readonly SessionReport[]): readonly ScreenColumn[] {
    let columns = COLUMNS.filter(({ isWanted }) => isWanted?.(shown) ?? true);
    const widthOf = ({ column, cell }: ScreenColumn): number => {
      const title = typeof column.title === "string" ? column.title : column.title[1];
      return GAP + widestOf([title, ...shown.map(cell)]);
    };
    for (const name of DISPENSABLE) {
      const [, ...others] = columns;
      const needed = others.reduce((sum, each) => sum + widthOf(each), NARROWEST_TITLE);
      if (needed <= this.#output.columns) break;
      columns = columns.filter(({ column: { title } }) => title !== name);
    }
    return columns;
  }

  #paragraph(text: string, indent: string, style: (text: string) => string): void {
    for (const line of wrap(text, this.#output.textColumns - indent.length)) {
      this.#output.line(style(indent + line));
    }
  }
}

/** A command of ours, as the user has called this one. */
function called(command: string): string {
  return command.replace(/^turnkeeper/, COMMAND);
}

/** The columns that a session's title keeps. */
const NARROWEST_TITLE = 24;
/** Between two columns of a table. */
const GAP = 2;
const DISPENSABLE = ["project", "agent", "when", "to save"];

interface ScreenColumn {
  column: Column;
  cell: (report: SessionReport) => string;
  /** Not shown where it says nothing. */
  isWanted?: (shown: readonly SessionReport[]) => boolean;
}

const COLUMNS: readonly ScreenColumn[] = [
  {
    column: { title: "session", align: "left", clip: "end" },
    cell: (report) => oneLine(sessionTitle(report), 120),
  },
  {
    column: { title: "agent", align: "left" },
    cell: ({ agent, format }) => agentTitle(agent ?? format),
  },
  {
    column: { title: "project", align: "left" },
    cell: ({ project }) => (project === undefined ? "-" : oneLine(projectName(project), 24)),
    isWanted: (shown) => shown.some(({ project }) => project !== undefined),
  },
  {
    column: { title: "when", align: "left" },
    cell: ({ ended }) => dayOf(ended),
    isWanted: (shown) => shown.some(({ ended }) => ended !== undefined),
  },
  { column: { title: "calls", align: "right" }, cell: ({ calls }) => grouped(calls) },
  {
    column: { title: "cost", align: "right" },
    cell: ({ usage }) => costInWords(usage).replace(/ tokens$/, " t"),
  },
  {
    column: { title: "to save", align: "right" },
    cell: ({ saveable }) =>
      saveable.dollars === undefined || saveable.dollars === 0 ? "-" : inDollars(saveable.dollars),
    isWanted: (shown) => shown.some(({ saveable }) => (saveable.dollars ?? 0) > 0),
  },
  {
    column: { title: ["outdated tokens", "outdated"], align: "right" },
    cell: ({ saveable }) => (saveable.tokens > 0 ? grouped(saveable.tokens) : "-"),
    isWanted: (shown) => shown.some(({ saveable }) => saveable.tokens > 0),
  },
  {
    column: { title: "loops", align: "right" },
    cell: ({ loops }) => (loops.length > 0 ? grouped(loops.length) : "-"),
    isWanted: (shown) => shown.some(({ loops }) => loops.length > 0),
  },
];

/** How this week compares with the one before. */
function trendOf({ trend, total }: AuditRecord): string {
  const before = trend?.weekBefore();
  const now = total.usage.dollars;
  if (before === undefined || before < 0.01 || now === undefined) return "";
  const share = Math.round((100 * (now - before)) / before);
  if (share === 0) return " (as much as the week before)";
  return ` (${Math.abs(share)}% ${share > 0 ? "more" : "less"} than the week before)`;
}
