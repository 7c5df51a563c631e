/** What `turnkeeper audit --json` writes. `docs/audit.schema.json` is generated from these types. */

import type { LoopProfile } from "turnkeeper";
import type { FormatName } from "../saved/saved-session.js";

import type { AfterNudge } from "./after-nudge.js";
import type { BlockTotals } from "./blocks.js";
import type { CommandTotals } from "./commands.js";
import type { Count } from "./count.js";
import type { Economy } from "./economy.js";
import type { Loop } from "./loops.js";

/** All sessions that were judged, their total, and what was not judged. */
export interface AuditReport {
  /** In the order in which they were named, and of a folder by name. */
  sessions: SessionReport[];
  total: Total;
  /** Files of folders that are no sessions. */
  skipped: Skipped[];
  /** Bad input, as on standard error. */
  problems: Problem[];
  profile: LoopProfile;
  /** How tokens were estimated, in words. */
  tokensEstimated: string;
}

/** The result of one session: an element of `sessions`, and a line of `--jsonl`. */
export interface SessionReport extends BlockTotals, CommandTotals {
  /** As it was named, or below the folder that was named. */
  file: string;
  format: FormatName;
  /** The session's name, where the file has one. */
  title?: string;
  /** The model that answered last, where the file says it. */
  model?: string;
  /** The rules that judged. */
  profile: LoopProfile;
  events: Count;
  /** Tool calls. */
  calls: Count;
  /** Requests to the model. */
  turns: Count;
  loops: Loop[];
  /** What went into the loops after the model should have been told of them. */
  afterNudge: AfterNudge;
  tokens: TokenKinds & {
    total: Count;
  };
  /** What of the history is redundant; left out if the file holds no messages that are sent again. */
  economy?: Economy;
  /** What the events lack, so that rules that need it stayed silent. */
  blind: ("arguments" | "results")[];
  /** Lines of subagents, which are conversations of their own and not judged here. */
  leftOut: Count;
}

/** Estimated tokens, by what they are. */
export interface TokenKinds {
  user: Count;
  /** Blocks of environment. */
  environment: Count;
  /** System prompts, and what the host said. */
  system: Count;
  /** Assistant text. */
  text: Count;
  reasoning: Count;
  /** Tool calls. */
  calls: Count;
  /** Results of tools. */
  results: Count;
}

/** All sessions together: sums, but for the first fields. */
export interface Total extends BlockTotals, CommandTotals {
  sessions: Count;
  /** Loops that were stopped. */
  stops: Count;
  /** Loops that were only nudged. */
  nudges: Count;
  sessionsWithStops: Count;
  events: Count;
  calls: Count;
  turns: Count;
  leftOut: Count;
  afterNudge: AfterNudge;
  tokens: SessionReport["tokens"];
  economy: Economy;
}

/** A file that is no session. */
export interface Skipped {
  file: string;
  reason: string;
}

/** Input that could not be judged. */
export interface Problem {
  file: string;
  /** Counts from 1; left out if the whole file is meant. */
  line?: Count;
  reason: string;
}
