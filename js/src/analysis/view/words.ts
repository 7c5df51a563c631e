import { TOKENS_ESTIMATED } from "../../saved/tokens.js";
import {
  costInWords,
  dayOf,
  findingAdvice,
  findingPlace,
  findingTitle,
  headline,
  inDollars,
  whereOf,
} from "../audit-words.js";
import type { SessionReport, TokenKinds, Total } from "../audit-report.js";
import type { Finding } from "../findings.js";
import type { Loop } from "../loops.js";
import type { CallKind } from "../timeline.js";
import type { Usage } from "../usage-count.js";
import { grouped, plural } from "../wording.js";

/** The words of the pictures of an audit; the page has them in other languages, too. */
export interface AuditWords {
  count(value: number): string;
  dollars(amount: number): string;
  cost(usage: Usage): string;
  day(time: string | undefined): string;
  headline(total: Total, period: string): string;
  /** What a session of its own was about. */
  facts(report: SessionReport): string[];
  findings: string;
  findingTitle(finding: Finding): string;
  findingPlace(finding: Finding): string;
  findingAdvice(finding: Finding): { does: string; command?: string };
  sessions: string;
  columns: typeof COLUMNS;
  calls: Record<CallKind, string>;
  tokens: Record<keyof TokenKinds, string>;
  tokensByKind: string;
  estimated: string;
  stripes: string;
  loopStopped: string;
  loopNudged: string;
  action: Record<Loop["action"], string>;
  timelineOf(report: SessionReport): string;
  stretch(first: number, last: number, what: string): string;
  where(loop: Loop): string;
  figures: typeof FIGURES;
}

const COLUMNS = {
  session: "session",
  agent: "agent",
  project: "project",
  when: "when",
  calls: "calls",
  cost: "cost",
  toSave: "to save",
  outdated: "outdated tokens",
  loops: "loops",
};

const FIGURES = {
  cost: "cost",
  toSave: "could be saved",
  calls: "tool calls",
  loops: "loops",
  sent: "tokens sent, of them from the cache",
  written: "tokens written",
  outdated: "outdated tokens",
  rereads: "calls repeated after a compaction",
  pauses: "requests after the cache's lifetime",
  terminals: "commands that could run in an open terminal",
};

/** The words in English. */
export const ENGLISH: AuditWords = {
  count: grouped,
  dollars: inDollars,
  cost: costInWords,
  day: dayOf,
  headline,
  facts: factsOf,
  findings: "What it went on",
  findingTitle,
  findingPlace,
  findingAdvice,
  sessions: "Sessions, the most wasteful first",
  columns: COLUMNS,
  calls: {
    read: "reads",
    search: "searches",
    edit: "edits",
    run: "runs a command",
    browse: "browses",
    ask: "asks or tells the user",
    other: "other",
  },
  tokens: {
    system: "system and host",
    environment: "environment",
    user: "user",
    text: "assistant text",
    reasoning: "reasoning",
    calls: "tool calls",
    results: "tool results",
  },
  tokensByKind: "Tokens by kind",
  estimated: TOKENS_ESTIMATED,
  stripes: "Each call is a stripe",
  loopStopped: "a loop that is stopped",
  loopNudged: "one that is nudged",
  action: { nudge: "nudge", stop: "stop" },
  timelineOf: ({ calls, loops }) =>
    `Timeline of ${plural(calls, "call")}; ${loops.length === 0 ? "no loop" : plural(loops.length, "loop")}`,
  stretch: (first, last, what) =>
    `${first === last ? `call ${grouped(first)}` : `calls ${grouped(first)} to ${grouped(last)}`}: ${what}`,
  where: whereOf,
  figures: FIGURES,
};

function factsOf({ blind, leftOut }: SessionReport): string[] {
  return [
    ...(leftOut > 0 ? [`${plural(leftOut, "line")} of subagents left out`] : []),
    ...(blind.length > 0 ? [`without ${blind.join(" and ")}`] : []),
  ];
}
