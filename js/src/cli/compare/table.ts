import type { AnyProfile } from "../../analysis/profiles.js";
import { firsts, type Finding } from "../../analysis/comparison.js";
import { oneLine } from "../../analysis/plain-text.js";
import { grouped, plural } from "../../analysis/wording.js";
import { clip, widestOf, wrap, wrapList } from "../terminal/columns.js";
import type { Output } from "../terminal/output.js";
import { Table, type Column } from "../terminal/table.js";

import type { Compared, CompareView } from "./view.js";

/** A session's row: its name, its calls, and a cell for each profile. */
interface Row {
  name: string;
  calls: string;
  cells: string[];
}

/** The columns that a session's name has at most, and keeps at least. */
const WIDEST_NAME = 24;
const NARROWEST_NAME = 7;

/** Profiles side by side, a row for each session. */
export class CompareTable implements CompareView {
  readonly #output: Output;
  readonly #profiles: readonly AnyProfile[];
  readonly #quiet: boolean;
  readonly #rows: Row[] = [];

  constructor(output: Output, profiles: readonly AnyProfile[], quiet: boolean) {
    this.#output = output;
    this.#profiles = profiles;
    this.#quiet = quiet;
  }

  session({ name, result }: Compared): void {
    if (this.#quiet) return;
    this.#rows.push({
      name: clip(oneLine(name), WIDEST_NAME),
      calls: grouped(result.calls),
      cells: result.profiles.map((findings) => cell(firsts(findings))),
    });
  }

  close({ sessions }: { sessions: number }): void {
    if (this.#rows.length > 0) {
      this.#sessions();
      this.#paragraph(LEGEND);
      this.#output.line();
    }
    this.#paragraph(plural(sessions, "session"));
  }

  /** As many profiles side by side as there is room for, then the others below. */
  #sessions(): void {
    const widest = Math.max(NARROWEST_NAME, widestOf(this.#rows.map(({ name }) => name)));
    const left: Column[] = [
      { title: "session", align: "left" },
      { title: "calls", align: "right", least: widestOf(this.#rows.map(({ calls }) => calls)) },
    ];
    const profiles = this.#profiles.map((profile, index): Column => {
      const least = widestOf(this.#rows.map(({ cells }) => cells[index]!));
      return { title: profile, align: "right", least };
    });
    // A table for some profiles and lists for the others would be hard to read.
    if (!profiles.every((profile) => this.#fits([...left, profile], NARROWEST_NAME))) {
      const titles = [...left, ...profiles].slice(1).map(({ title }) => title as string);
      for (const row of this.#rows) this.#list(this.#texts(row, 0), titles);
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
        this.#output.line(table.line(this.#texts(row, from, to)));
      }
      from = to;
    }
  }

  #fits(columns: readonly Column[], narrowest: number): boolean {
    return new Table(columns, { room: this.#output.columns, narrowest }).head() !== undefined;
  }

  #texts({ name, calls, cells }: Row, from: number, to?: number): string[] {
    return [name, calls, ...cells.slice(from, to).map((text) => this.#colour(text))];
  }

  #colour(text: string): string {
    return text === "-" ? this.#output.dim(text) : text;
  }

  /** A row where the terminal is too narrow for a table: its name, and below it what it says. */
  #list([name, ...cells]: readonly string[], titles: readonly string[]): void {
    this.#output.line(this.#output.bold(name));
    const facts = cells.map((cell, at) => `${titles[at]} ${cell}`);
    for (const line of wrapList(facts, this.#output.columns - 2)) this.#output.line(`  ${line}`);
  }

  #paragraph(text: string, indent = 0): void {
    for (const line of wrap(text, this.#output.textColumns - indent)) {
      this.#output.line(" ".repeat(indent) + line);
    }
  }
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
