import type { Finding } from "../../analysis/comparison.js";
import { oneLine } from "../../analysis/plain-text.js";
import { firsts, median, type Named, type Score, type Total } from "../../analysis/score.js";
import { grouped, plural } from "../../analysis/wording.js";
import type { LoopProfile } from "turnkeeper";
import { clip, textWidth, wrap, wrapList } from "../terminal/columns.js";
import type { Output } from "../terminal/output.js";
import { Table, type Column } from "../terminal/table.js";

import type { Compared, CompareView, Overall } from "./view.js";

/** A session's row: its name, its calls, where its loop starts, and a cell for each profile. */
interface Row {
  name: string;
  calls: string;
  start: string;
  cells: Cell[];
}

interface Cell {
  text: string;
  mark: "good" | "bad" | "none";
}

/** The columns that a session's name has at most, and keeps at least. */
const WIDEST_NAME = 24;
const NARROWEST_NAME = 7;

/** Profiles side by side: a row for each session, and a row for each profile if there are labels. */
export class CompareTable implements CompareView {
  readonly #output: Output;
  readonly #profiles: readonly LoopProfile[];
  readonly #quiet: boolean;
  readonly #rows: Row[] = [];

  constructor(output: Output, profiles: readonly LoopProfile[], quiet: boolean) {
    this.#output = output;
    this.#profiles = profiles;
    this.#quiet = quiet;
  }

  session({ name, label, result, scores }: Compared): void {
    if (this.#quiet) return;
    this.#rows.push({
      name: clip(oneLine(name), WIDEST_NAME),
      calls: grouped(result.calls),
      start: !label ? "" : label.label === "loop" ? grouped(label.start) : "none",
      cells: result.profiles.map((findings, index) => cell(firsts(findings), scores?.[index])),
    });
  }

  close(overall: Overall): void {
    const { sessions, labelled, totals, tolerance } = overall;
    if (this.#rows.length > 0) {
      this.#sessions(labelled > 0);
      this.#paragraph(legend(labelled > 0));
      this.#output.line();
    }
    if (labelled === 0) {
      this.#paragraph(`${plural(sessions, "session")}, none with a label (index.tsv)`);
      return;
    }
    this.#totals(totals);
    const [{ loops, healthy }] = totals as [Total];
    this.#paragraph(
      `${plural(sessions, "session")}, ${grouped(labelled)} with a label: ` +
        `${grouped(loops)} with a loop, ${grouped(healthy)} without. ` +
        "Found: a nudge or a stop in time; stopped: a stop in time. Wasted: calls made from the " +
        "labelled start until the nudge or stop that found it, and until the stop, in the median. " +
        `Early: a nudge or stop more than ${plural(tolerance, "call")} before the labelled start. ` +
        "False alarms: sessions without a loop that got a nudge or a stop; false stops: a stop.",
    );
    for (const total of totals) this.#names(total);
  }

  /** As many profiles side by side as there is room for, then the others below. */
  #sessions(labelled: boolean): void {
    const widest = Math.max(NARROWEST_NAME, widestOf(this.#rows.map(({ name }) => name)));
    const left: Column[] = [
      { title: "session", align: "left" },
      { title: "calls", align: "right", least: widestOf(this.#rows.map(({ calls }) => calls)) },
    ];
    if (labelled) {
      const least = widestOf(this.#rows.map(({ start }) => start));
      left.push({ title: "loop", align: "right", least });
    }
    const profiles = this.#profiles.map((profile, index): Column => {
      const least = widestOf(this.#rows.map(({ cells }) => cells[index]!.text));
      return { title: profile, align: "right", least };
    });
    // A table for some profiles and lists for the others would be hard to read.
    if (!profiles.every((profile) => this.#fits([...left, profile], NARROWEST_NAME))) {
      const titles = [...left, ...profiles].slice(1).map(({ title }) => title as string);
      for (const row of this.#rows) this.#list(this.#texts(row, labelled, 0), titles);
      return;
    }
    for (let from = 0; from < profiles.length;) {
      if (from > 0) this.#output.line();
      const fits = (end: number): boolean =>
        this.#fits([...left, ...profiles.slice(from, end)], widest);
      let to = from + 1;
      while (to < profiles.length && fits(to + 1)) to += 1;
      const columns = [...left, ...profiles.slice(from, to)];
      const room = this.#output.columns;
      const table = new Table(columns, { room, narrowest: NARROWEST_NAME, widest });
      this.#output.line(this.#output.dim(table.head()));
      for (const row of this.#rows) {
        this.#output.line(table.line(this.#texts(row, labelled, from, to)));
      }
      from = to;
    }
  }

  #fits(columns: readonly Column[], narrowest: number): boolean {
    return new Table(columns, { room: this.#output.columns, narrowest }).head() !== undefined;
  }

  #texts(
    { name, calls, start, cells }: Row,
    labelled: boolean,
    from: number,
    to?: number,
  ): string[] {
    const coloured = cells.slice(from, to).map((each) => this.#colour(each));
    return [name, calls, ...(labelled ? [start] : []), ...coloured];
  }

  #colour({ text, mark }: Cell): string {
    if (mark === "none") return this.#output.dim(text);
    return mark === "good" ? this.#output.green(text) : this.#output.red(text);
  }

  #totals(totals: readonly Total[]): void {
    const rows = totals.map((total) => [
      total.profile,
      `${grouped(total.found)}/${grouped(total.loops)}`,
      grouped(total.stopped),
      grouped(total.early.length),
      number(median(total.wasted)),
      number(median(total.wastedUntilStop)),
      `${grouped(total.falseAlarms.length)}/${grouped(total.healthy)}`,
      grouped(total.falseStops.length),
    ]);
    const columns = TOTALS.map(({ above, title }, at): Column => {
      const least = Math.max(textWidth(above), widestOf(rows.map((row) => row[at]!)));
      return { title, align: at === 0 ? "left" : "right", least };
    });
    const narrowest = widestOf([TOTALS[0]!.title, ...rows.map(([profile]) => profile!)]);
    const room = this.#output.columns;
    const table = new Table(columns, { room, narrowest, widest: narrowest });
    const above = table.line(TOTALS.map(({ above }) => above));
    if (above === undefined) {
      const titles = TOTALS.slice(1).map(({ above, title }) => `${above} ${title}`.trim());
      for (const row of rows) this.#list(row, titles);
    } else {
      this.#output.line(above);
      this.#output.line(table.head());
      for (const row of rows) this.#output.line(table.line(row));
    }
    this.#output.line();
  }

  /** A row where the terminal is too narrow for a table: its name, and below it what it says. */
  #list([name, ...cells]: readonly string[], titles: readonly string[]): void {
    this.#output.line(this.#output.bold(name));
    const facts = cells.map((cell, at) => `${titles[at]} ${cell}`);
    for (const line of wrapList(facts, this.#output.columns - 2)) this.#output.line(`  ${line}`);
  }

  #names({ profile, missed, early, falseAlarms }: Total): void {
    const lists = [
      ["missed", missed],
      ["early", early],
      ["false alarms", falseAlarms],
    ] as const;
    if (lists.every(([, names]) => names.length === 0)) return;
    this.#output.line();
    this.#output.line(this.#output.bold(profile));
    for (const [what, names] of lists) {
      if (names.length > 0) this.#paragraph(`${what}: ${names.map(named).join(", ")}`, 2);
    }
  }

  #paragraph(text: string, indent = 0): void {
    for (const line of wrap(text, this.#output.textColumns - indent)) {
      this.#output.line(" ".repeat(indent) + line);
    }
  }
}

/** The columns of the totals; a heading of several words has two lines. */
const TOTALS: readonly { above: string; title: string }[] = [
  { above: "", title: "profile" },
  { above: "loops", title: "found" },
  { above: "", title: "stopped" },
  { above: "", title: "early" },
  { above: "wasted", title: "(median)" },
  { above: "until", title: "the stop" },
  { above: "false", title: "alarms" },
  { above: "false", title: "stops" },
];

function widestOf(texts: readonly string[]): number {
  return texts.reduce((widest, text) => Math.max(widest, textWidth(text)), 0);
}

function number(value: number | undefined): string {
  return value === undefined ? "-" : grouped(value);
}

function named({ file, finding }: Named): string {
  if (!finding) return oneLine(file);
  const where = finding.call === null ? "before any call" : `at ${grouped(finding.call)}`;
  return `${oneLine(file)} (${finding.action} ${where}, ${finding.rule})`;
}

/** `~` comes before a nudge; the number alone is a stop. */
function cell({ nudge, stop }: { nudge?: Finding; stop?: Finding }, score?: Score): Cell {
  const nudged = nudge && (!stop || nudge.line < stop.line) ? `~${place(nudge)}` : undefined;
  const both = [nudged, stop && place(stop)].filter((part) => part !== undefined).join(" ");
  const mark = markOf(score);
  const text = both === "" ? (score?.label === "loop" ? "missed" : "-") : both;
  return { text: mark === "bad" && both !== "" ? `${text}!` : text, mark };
}

function place({ call }: Finding): string {
  return call === null ? "start" : grouped(call);
}

function markOf(score: Score | undefined): Cell["mark"] {
  if (!score) return "none";
  if (score.label === "no-loop") return score.falseAlarm ? "bad" : "none";
  return score.found && !score.early ? "good" : "bad";
}

function legend(labelled: boolean): string {
  const cells = "~12: a nudge at call 12; 15: a stop at call 15 (calls count from 0); -: neither.";
  return labelled ? `${cells} !: a false alarm, or too early.` : cells;
}
