// The shapes of what the analysis in Rust answers, as far as the page looks at them (`src/analysis/page`).

import type { LoopProfile, LoopType } from "turnkeeper";
import type { PeerOptions } from "turnkeeper/peers";

/** A rule set of the package's own, or another agent's. */
export type AnyProfile = LoopProfile | PeerOptions["profile"];

/** The part of a file that could not be read. */
export interface Problem {
  message: string;
  /** The first line or element that could not be read, if it is known. */
  line?: number;
  /** How many could not be read. */
  count: number;
  /** Whether nothing could be read after it. */
  isRest: boolean;
}

/** A session that has been read, as the analysis says it. */
export interface ReadSession {
  format: string;
  /** The format's name for people, in English. */
  title: string;
  unit: "line" | "element";
  /** Whether an agent sends it again, so that it can be repaired. */
  isHistory: boolean;
  problem?: Problem;
}

/** The picture of a session. */
export interface JudgedSession {
  report: SessionReport;
  /** The calls by what they do; of a long session, stretches of them. */
  stretches: Stretch[];
  /** By the rules that were set. */
  play: ProfilePlay;
  /** Those that took most room come first, and not all of very many. */
  tools: ToolShare[];
  /** How long the list of its events is. */
  rows: number;
}

/** The share of a tool in a session. */
export interface ToolShare {
  tool: string;
  calls: number;
  /** Calls whose result is an error. */
  failed: number;
  /** Of its calls and their results, estimated. */
  tokens: number;
  /** The first of its calls, from 0. */
  firstCall: number;
}

/** What `turnkeeper audit --json` says of a session; there is more in it than is named here. */
export interface SessionReport {
  file: string;
  calls: number;
  loops: Loop[];
  usage: Usage;
  saveable: Saveable;
  tokens: Record<TokenKind, number> & { total: number };
  commands: number;
  terminalsReusable: number;
}

/** The usage of requests to models. */
export interface Usage {
  input: number;
  cacheRead: number;
  cacheWrite: number;
  output: number;
  tokens: number;
  dollars?: number;
  /** Whether the tokens are estimated, and whether the dollars are. */
  isEstimated: boolean;
  isCostEstimated?: boolean;
  /** The usage without a price, which is not in the dollars. */
  unpriced?: { tokens: number };
}

/** The part that could have been saved. */
export interface Saveable {
  tokens: number;
  dollars?: number;
  loops: { calls: number; tokens: number };
  outdated: { tokensSent: number };
  rereads: { calls: number; tokensSent: number };
  pauses: { requests: number };
}

export interface Loop {
  action: "nudge" | "stop";
  firstCall: number | null;
  lastCall: number | null;
  message: string;
}

export const TOKEN_KINDS = [
  "system",
  "environment",
  "user",
  "text",
  "reasoning",
  "calls",
  "results",
] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];

/** What a call does, as far as its name tells. */
export const CALL_KINDS = ["read", "search", "edit", "run", "browse", "ask", "other"] as const;
export type CallKind = (typeof CALL_KINDS)[number];

/** Neighbouring calls of a timeline. */
export interface Stretch {
  first: number;
  last: number;
  /** The work that most of them do. */
  kind: CallKind;
}

/** The verdicts of one profile on a session. */
export interface ProfilePlay {
  profile: AnyProfile;
  marks: Mark[];
  /** What came after stops in their prompts. */
  saved: { calls: number };
  blind: Lack[];
}

/** A thing that the events of a session may lack. */
export type Lack = "calls" | "arguments" | "results" | "prompts";

/** A place where a profile nudged the agent, or stopped it. */
export interface Mark {
  action: "nudge" | "stop";
  /** The call that it came at, or the last before it; from 0 over the session, null before the first. */
  call: number | null;
  /** Calls that had been run by then. */
  callsBefore: number;
  type: LoopType;
  rule: string;
  tool?: string;
  channel?: "text" | "reasoning";
  count: number;
  threshold: number;
  /** In the package's words, for the model. */
  feedback: string;
  evidence: string;
}

/** A row of the list of events. */
export interface Row {
  /** The line or element of the file. */
  place: number;
  /** Its kind: `call`, `result`, `error`, `text`, `thinking` and so on, or `prompt`. */
  label: string;
  /** Its call, from 0 over the session. */
  call?: number;
  /** The beginning of its text, on one line. */
  excerpt: string;
  /** How many events it joins: the pieces of one text. */
  pieces: number;
  action: "ok" | "nudge" | "stop";
  /** Whether it came after a stop. */
  saved: boolean;
  /** Of a call: the longest run under way when its result was there. */
  run?: Run;
}

/** How many calls a run has, and how many the rules let it have. */
export interface Run {
  count: number;
  threshold: number;
}

/** A row, and all of its text. */
export interface WholeRow extends Row {
  text: string;
  /** When it was, in milliseconds since 1970, where the file says it. */
  time?: number;
  /** How much of the text is left out: UTF-16 code units. */
  more: number;
  /** Its call, or the last before it; -1 before the first. */
  lastCall: number;
  /** The run of that call, and what came of it. */
  lastRun?: Run;
  lastAction: Row["action"];
}

/** The cost of a folder's sessions. */
export interface AuditedFolder {
  /** The most wasteful first, and not all of very many. */
  sessions: FolderRow[];
  findings: Finding[];
  total: { sessions: number; usage: Usage; saveable: Saveable };
  /** How many files are no sessions, or could not be read. */
  skipped: number;
}

/** A session of a folder. */
export interface FolderRow {
  /** Below the folder. */
  file: string;
  /** Its title. */
  title: string;
  agent: string;
  /** The last name of its folder. */
  project?: string;
  ended?: string;
  calls: number;
  usage: Usage;
  /** In US dollars. */
  toSave?: number;
  /** Outdated tokens. */
  outdated: number;
  loops: number;
  /** The first call of its first loop. */
  firstCall?: number;
}

/** On what money went that could have been saved, and where most of it did. */
export interface Finding {
  waste: "loops" | "outdated" | "rereads" | "pauses";
  dollars?: number;
  /** How many loops, items, calls or requests it is. */
  count: number;
  tokens: number;
  agent: string;
  project?: string;
  /** In English: what it is, where most of it came from, and what to do. */
  title: string;
  place: string;
  does: string;
  /** The command that does it. */
  command?: string;
}

/** What a part of a message is. */
export const BLOCK_KINDS = [
  "system",
  "environment",
  "user",
  "text",
  "reasoning",
  "calls",
  "results",
  "images",
] as const;
export type BlockKind = (typeof BLOCK_KINDS)[number];

/** The fate of a block: it is gone, it has taken the place of one that is, or neither. */
export type Fate = "kept" | "removed" | "new";

/** A history, before and after. */
export interface JudgedHistory {
  messages: number;
  messagesChanged: number;
  /** The savings of the repair, in estimated tokens. */
  tokensSaved: number;
  before: Sizes;
  after: Sizes;
  /** Everything that gave way, by the reason: how many blocks or copies, and their estimated tokens. */
  gone: { kind: GoneKind; items: number; tokens: number }[];
  /** The blocks in their order, a strip from left to right. */
  strip: StripPiece[];
  /** How long the list of blocks is. */
  rows: number;
}

export type Sizes = Record<BlockKind | "total", number>;

export type GoneKind = "duplicate" | "environment" | "file" | "result" | "write";

/** Neighbouring blocks of one kind and fate, by the tokens before them and their own. */
export interface StripPiece {
  kind: BlockKind;
  fate: Fate;
  start: number;
  tokens: number;
}

/** A row of the list of blocks. */
export interface BlockRow {
  /** The message, from 0. */
  message: number;
  kind: BlockKind;
  fate: Fate;
  tokens: number;
  excerpt: string;
}
