import type {
  AuditedFolder,
  CallKind,
  Finding,
  Saveable,
  SessionReport,
  TokenKind,
  Usage,
} from "../../worker/shapes.js";
import { savedOf } from "../saved.js";

import { callNumber, count, dollars, plural, rounded } from "./amounts.js";

/** A day as people write it. */
const DAY = new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric", year: "numeric" });

const amount = (value: number, isEstimated = false): string =>
  `${isEstimated ? "~" : ""}${dollars(value)}`;

const about = (value: number): string => `about ${rounded(value)}`;

const cost = (usage: Usage): string => {
  const some = (tokens: number): string =>
    usage.isEstimated ? `${about(tokens)} tokens` : plural(tokens, "token");
  if (usage.dollars === undefined) return some(usage.tokens);
  const unpriced = usage.unpriced?.tokens ?? 0;
  const rest = unpriced > 0 ? ` + ${some(unpriced)} without a price` : "";
  return `${amount(usage.dollars, usage.isCostEstimated)}${rest}`;
};

/** As in "9 calls, $0.04 of $0.07 (57 %)"; undefined if it is nothing. */
const savedInWords = (usage: Usage, saveable: Saveable): string | undefined => {
  const saved = savedOf(usage, saveable);
  if (!saved) return undefined;
  const { calls, unit, part, whole, share } = saved;
  const amounts =
    unit === "dollars"
      ? `${amount(part)} of ${amount(whole, usage.isCostEstimated)}`
      : `${about(part)} of ${rounded(whole)} tokens`;
  return `${calls > 0 ? `${plural(calls, "call")}, ` : ""}${amounts}${share && ` (${share})`}`;
};

/** The words for what an audit found. */
export const auditWords = {
  count,
  dollars: amount,
  cost,
  day: (time: string) => DAY.format(new Date(time)),
  about,
  saved: savedInWords,
  headline: ({ usage, saveable, sessions }: AuditedFolder["total"], folder: string) => {
    const head = `${folder}: ${plural(sessions, "session")}`;
    const saved = savedInWords(usage, saveable);
    const said = saved === undefined ? "" : `; ${saved} could have been saved`;
    if (savedOf(usage, saveable)?.unit !== "dollars") return `${head}, ${cost(usage)}${said}`;
    const unpriced = usage.unpriced?.tokens ?? 0;
    return `${head}${said}${unpriced > 0 ? `; ${about(unpriced)} tokens have no price` : ""}`;
  },
  findings: "What it went on",
  findingTitle: ({ title }: Finding) => title,
  findingPlace: ({ place }: Finding) => place,
  findingDoes: ({ does }: Finding) => does,
  sessions: "Sessions, the most wasteful first",
  columns: {
    session: "session",
    agent: "agent",
    project: "project",
    when: "when",
    calls: "calls",
    cost: "cost",
    toSave: "to save",
    outdated: "outdated tokens",
    loops: "loops",
  },
  calls: {
    read: "reads",
    search: "searches",
    edit: "edits",
    run: "runs a command",
    browse: "browses",
    ask: "asks or tells the user",
    other: "other",
  } satisfies Record<CallKind, string>,
  tokens: {
    system: "system and host",
    environment: "environment",
    user: "user",
    text: "assistant text",
    reasoning: "reasoning",
    calls: "tool calls",
    results: "tool results",
  } satisfies Record<TokenKind, string>,
  tokensByKind: "Tokens by kind",
  action: { nudge: "nudge", stop: "stop" },
  timelineOf: ({ calls, loops }: SessionReport) =>
    `Timeline of ${plural(calls, "call")}; ${loops.length === 0 ? "no loop" : plural(loops.length, "loop")}`,
  stretch: (first: number, last: number, what: string) =>
    `${first === last ? `call ${callNumber(first)}` : `calls ${callNumber(first)} to ${callNumber(last)}`}: ${what}`,
  figures: {
    cost: "cost",
    toSave: "could be saved",
    calls: "tool calls",
    loops: "loops",
    sent: "tokens sent",
    cached: "of them from the cache",
    written: "tokens written",
    outdated: "outdated tokens",
    rereads: "calls repeated after a compaction",
    pauses: "requests after the cache's lifetime",
    terminals: "commands that could run in an open terminal",
  },
};
