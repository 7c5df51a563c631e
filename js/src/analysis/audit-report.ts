import type { AnyProfile } from "./profiles.js";
/** What `turnkeeper audit --json` writes. `docs/audit.schema.json` is generated from these types. */

import type { SessionFormat } from "../saved/saved-session.js";

import type { CommandTotals } from "./commands.js";
import type { Count } from "./count.js";
import type { Loop } from "./loops.js";
import type { Lack } from "./player.js";
import type { Saveable } from "./saveable.js";
import type { Usage } from "./usage-count.js";

/** All sessions that were judged, their total, and what was not judged. */
export interface AuditReport {
  /** In the order in which they were named, and of a folder by name. */
  sessions: SessionReport[];
  total: Total;
  /** Files of folders that are no sessions. */
  skipped: Skipped[];
  /** Bad input, as on standard error. */
  problems: Problem[];
  profile: AnyProfile;
  /** The time from which on sessions were taken, as ISO 8601; left out if all were. */
  since?: string;
  until?: string;
  /** How tokens were estimated, in words. */
  tokensEstimated: string;
}

/** The result of one session: an element of `sessions`, and a line of `--jsonl`. */
export interface SessionReport extends CommandTotals {
  /** As it was named, or below the folder that was named. */
  file: string;
  /** The session in a file that holds several. */
  id?: string;
  format: SessionFormat;
  /** The agent in whose folder it was found, or whose format it is. */
  agent?: string;
  /** What the agent calls it, else the first words of the user. */
  title?: string;
  /** The directory that its commands ran in. */
  project?: string;
  /** The model that answered last, where the file says it. */
  model?: string;
  /** When it began and ended, as ISO 8601, by the times in the file. */
  started?: string;
  ended?: string;
  /** The rules that judged. */
  profile: AnyProfile;
  events: Count;
  /** Tool calls. */
  calls: Count;
  /** Requests to the model. */
  turns: Count;
  loops: Loop[];
  usage: Usage;
  saveable: Saveable;
  tokens: TokenKinds & {
    total: Count;
  };
  /** What the events lack, so that rules that need it stayed silent. */
  blind: Lack[];
  /** Lines of subagents, which are conversations of their own and not judged here. */
  leftOut: Count;
}

/** Estimated tokens of the texts in the file, by what they are. */
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
export interface Total extends CommandTotals {
  sessions: Count;
  /** Sessions whose tokens are estimated. */
  sessionsEstimated: Count;
  /** Loops that were stopped. */
  stops: Count;
  /** Loops that were only nudged. */
  nudges: Count;
  sessionsWithStops: Count;
  events: Count;
  calls: Count;
  turns: Count;
  leftOut: Count;
  usage: Usage;
  saveable: Saveable;
  tokens: SessionReport["tokens"];
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
