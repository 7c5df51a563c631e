import type { SessionReport, Total } from "../../analysis/audit-report.js";
import { oneLine } from "../../analysis/plain-text.js";
import { grouped, plural } from "../../analysis/wording.js";
import { FORMAT_TITLES } from "../../saved/saved-session.js";
import { TOKENS_ESTIMATED } from "../../saved/tokens.js";
import { textWidth, wrap, wrapList } from "../terminal/columns.js";
import type { Output } from "../terminal/output.js";
import { Table, type Column } from "../terminal/table.js";

import { economyLine, economyRows, inDollars } from "./economy.js";
import type { AuditRecord, AuditView } from "./record.js";
import { afterNudgeInWords } from "./after-nudge.js";
import { percent, whereOf } from "./words.js";

const COLUMNS: readonly Column[] = [
  { title: "session", align: "left" },
  { title: "calls", align: "right", least: 6 },
  { title: "loops", align: "right" },
  { title: "late", align: "right" },
  { title: ["duplicate", "dupl."], align: "right" },
  { title: ["outdated", "outd."], align: "right" },
  { title: "tokens", align: "right", least: 9 },
  { title: "cost", align: "right", least: 7 },
  { title: "reuse", align: "right", least: 7 },
];

/** The columns that the name of a session keeps at least. */
const NARROWEST_NAME = 12;

/** A row for each session as it comes, its loops below it, and the total. */
export class AuditTable implements AuditView {
  readonly #output: Output;
  readonly #quiet: boolean;
  #table: Table;
  #hasHead = false;

  constructor(output: Output, quiet: boolean) {
    this.#output = output;
    this.#quiet = quiet;
    this.#table = new Table(COLUMNS, { room: output.columns, narrowest: NARROWEST_NAME });
  }

  begin(names: readonly string[]): void {
    const room = this.#output.columns;
    const widest = names.reduce((most, name) => Math.max(most, textWidth(name.slice(0, 500))), 0);
    this.#table = new Table(COLUMNS, { room, narrowest: NARROWEST_NAME, widest });
  }

  session(report: SessionReport, name: string): void {
    if (this.#quiet) return;
    const { bold, red } = this.#output;
    const isLooping = report.loops.length > 0;
    const shown = oneLine(name === "-" ? "standard input" : name, 4_000);
    this.#row(shown, report, report.loops.length, isLooping ? red : (text) => text);
    for (const loop of report.loops) {
      const { action, message, type, rule } = loop;
      const indent = this.#output.columns < 60 ? action.length + 2 : 10;
      const label = bold(
        (action === "stop" ? red : this.#output.yellow)(action.padStart(indent - 2)),
      );
      // A line of --merge may say anything.
      const why = `${oneLine(message, 400)} (${oneLine(type)}, ${oneLine(rule)})`;
      this.#paragraph(`${whereOf(loop)}: ${why}`, `${label}  `, indent);
    }
    const economy = report.economy && economyLine(report.economy);
    if (economy !== undefined) this.#note(economy);
    if (report.leftOut > 0) {
      this.#note(
        `${plural(report.leftOut, "line")} of subagents left out: conversations of their own`,
      );
    }
  }

  close({ total, formats, profile, skipped }: AuditRecord): void {
    const { bold, dim } = this.#output;
    if (total.sessions > 0) {
      this.#row(`total (${grouped(total.sessions)})`, total, total.stops + total.nudges, bold);
      this.#output.line();
      this.#total(total, profile);
      const counts = Array.from(formats, ([format, n]) => ({ n, title: FORMAT_TITLES[format] }));
      counts.sort((a, b) => b.n - a.n || (a.title < b.title ? -1 : 1));
      this.#field("formats", counts.map(({ n, title }) => `${grouped(n)} ${title}`).join(", "));
    }
    if (skipped.length > 0 && !this.#quiet) {
      this.#output.line();
      this.#output.line(dim(`skipped: ${plural(skipped.length, "file")}`));
      for (const { file, reason } of skipped) this.#note(`${oneLine(file)} ${oneLine(reason)}`);
    }
  }

  #row(
    name: string,
    of: SessionReport | Total,
    loops: number,
    style: (text: string) => string,
  ): void {
    const orDash = (count: number): string => (count > 0 ? grouped(count) : "-");
    const cells = [
      name,
      grouped(of.calls),
      orDash(loops),
      orDash(of.afterNudge.calls),
      orDash(of.duplicateBlocks),
      orDash(of.outdatedBlocks),
      grouped(of.tokens.total),
      orDash(of.duplicateTokens + of.outdatedTokens),
      of.commands > 0 ? `${grouped(of.terminalsReusable)}/${grouped(of.commands)}` : "-",
    ];
    const isWider = this.#table.widens(cells);
    const line = this.#table.line(cells);
    if (line === undefined) {
      this.#list(cells, style);
      return;
    }
    // The headings move with the columns.
    if (!this.#hasHead || isWider) this.#output.line(this.#output.dim(this.#table.head()));
    this.#hasHead = true;
    this.#output.line(style(line));
  }

  /** A row where the terminal is too narrow for a table: the name, and below it what it says. */
  #list([name, ...cells]: readonly string[], style: (text: string) => string): void {
    for (const line of wrap(name!, this.#output.columns)) this.#output.line(style(line));
    const facts = cells.flatMap((cell, at) => {
      const { title } = COLUMNS[at + 1]!;
      return cell === "-" ? [] : [`${typeof title === "string" ? title : title[0]} ${cell}`];
    });
    for (const line of wrapList(facts, this.#output.columns - 2)) this.#output.line(`  ${line}`);
  }

  #total(total: Total, profile: string): void {
    const { tokens } = total;
    const stops = `${plural(total.stops, "stop")} in ${plural(total.sessionsWithStops, "session")}`;
    this.#field("loops", `${stops}, ${plural(total.nudges, "nudge")}, by the profile ${profile}`);
    const late = afterNudgeInWords(total.afterNudge);
    if (late !== undefined) this.#field("late", late);
    const shares = Object.entries<number>({ ...tokens })
      .filter(([kind, count]) => kind !== "total" && count > 0)
      .sort(([, a], [, b]) => b - a)
      .map(([kind, count]) => `${kind} ${percent(count, tokens.total)}`)
      .filter((share) => !share.endsWith(" 0%"));
    this.#field("tokens", [grouped(tokens.total), shares.join(", ")].filter(Boolean).join(": "));
    this.#field("", `(${TOKENS_ESTIMATED})`);
    const { duplicateBlocks, duplicateTokens, duplicateTokensSent } = total;
    this.#blocks("duplicate", duplicateBlocks, duplicateTokens, duplicateTokensSent);
    const { outdatedBlocks, outdatedTokens, outdatedTokensSent } = total;
    this.#blocks("outdated", outdatedBlocks, outdatedTokens, outdatedTokensSent);
    this.#economy(total.economy);
    if (total.commands > 0) {
      const need = `${plural(total.commands, "command")} in ${plural(total.terminalsNeeded, "terminal")}`;
      this.#field(
        "terminals",
        `${need}; ${grouped(total.terminalsReusable)} could run in one already open`,
      );
    }
  }

  #blocks(kind: string, blocks: number, tokens: number, sent: number): void {
    if (blocks === 0) return;
    this.#field(
      kind,
      `${plural(blocks, "block")} of environment, ${plural(tokens, "token")}; ` +
        `${grouped(sent)} with every request that sent them again`,
    );
  }

  #economy(economy: Total["economy"]): void {
    economyRows(economy).forEach(({ title, items, characters, share, sentShare, dollars }, at) => {
      const found = `${title}: ${grouped(items)}, ${plural(characters, "character")} (${share})`;
      const cost = `${sentShare} of all that was sent, ${inDollars(dollars)}`;
      this.#field(at === 0 ? "redundant" : "", `${found}; ${cost}`);
    });
  }

  #field(name: string, text: string): void {
    this.#paragraph(text, name.padEnd(12), 12);
  }

  #note(text: string): void {
    this.#paragraph(text, "    ", 4, this.#output.dim);
  }

  /** Text in lines, of which the first begins with a label and the others are indented as far. */
  #paragraph(
    text: string,
    label: string,
    indent: number,
    style: (text: string) => string = (line) => line,
  ): void {
    wrap(text, this.#output.textColumns - indent).forEach((line, at) => {
      this.#output.line(style((at === 0 ? label : " ".repeat(indent)) + line));
    });
  }
}
