import type {
  AuditedFolder,
  CallKind,
  Finding,
  SessionReport,
  TokenKind,
  Usage,
} from "../../worker/shapes.js";

import { about, callNumber, count, dollars, ofWhole, plural } from "./amounts.js";

/** A day as people write it. */
const DAY = new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric", year: "numeric" });

const amount = (value: number, isEstimated = false): string =>
  `${isEstimated ? "~" : ""}${dollars(value)}`;

const cost = (usage: Usage): string => {
  const some = (tokens: number): string =>
    usage.isEstimated ? `${about(tokens)} tokens` : plural(tokens, "token");
  if (usage.dollars === undefined) return some(usage.tokens);
  const unpriced = usage.unpriced?.tokens ?? 0;
  const rest = unpriced > 0 ? ` + ${some(unpriced)} without a price` : "";
  return `${amount(usage.dollars, usage.isCostEstimated)}${rest}`;
};

/** The words for what an audit found. */
export const auditWords = {
  count,
  dollars: amount,
  cost,
  day: (time: string) => DAY.format(new Date(time)),
  headline: ({ usage, saveable, sessions }: AuditedFolder["total"], folder: string) => {
    const head = `${folder}: ${plural(sessions, "session")}, ${cost(usage)}`;
    if (saveable.dollars && usage.dollars !== undefined) {
      const share = ofWhole(saveable.dollars, usage.dollars);
      return `${head}; ${amount(saveable.dollars)} of it${share} could have been saved`;
    }
    return saveable.tokens > 0
      ? `${head}; ${plural(saveable.tokens, "token")} in the histories are outdated`
      : head;
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
