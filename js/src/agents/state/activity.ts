/** What the hooks did: a log of a line each, and when an agent was last heard. */

import {
  appendFileSync,
  closeSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
} from "node:fs";
import path from "node:path";

import type { LoopVerdict } from "turnkeeper";

import { makePrivate } from "./folder.js";

/** A line of the log. It quotes neither prompts nor arguments nor results. */
export interface LogLine {
  /** When, as ISO 8601. */
  at: string;
  agent: string;
  what: "nudge" | "stop" | "ledger" | "failure";
  mode?: string;
  rule?: string;
  tool?: string;
  count?: number;
  /** Why it failed. */
  why?: string;
}

/** A verdict that says something. */
type Spoken = Exclude<LoopVerdict, { action: "ok" }>;

const LONGEST_LOG = 1_000_000;

export class Activity {
  constructor(private readonly folder: string) {
    makePrivate(folder);
  }

  /** The file of the log. */
  get file(): string {
    return path.join(this.folder, "log.jsonl");
  }

  /** Two files are kept, the older of which gives way. */
  log(line: LogLine): void {
    const size = statSync(this.file, { throwIfNoEntry: false })?.size ?? 0;
    if (size > LONGEST_LOG) renameSync(this.file, path.join(this.folder, "log.old.jsonl"));
    appendFileSync(this.file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  }

  logVerdict(agent: string, mode: string, verdict: Spoken): void {
    const { rule, tool, count } = verdict.report;
    const about = { rule, ...(tool !== undefined && { tool }), count };
    this.log({ at: new Date().toISOString(), agent, what: verdict.action, mode, ...about });
  }

  /** The lines of the log, the oldest first; what is no line of it is left out. */
  lines(): LogLine[] {
    return [path.join(this.folder, "log.old.jsonl"), this.file].flatMap(linesOf);
  }

  /** Remembers that an agent has sent an event. */
  hear(agent: string, now: Date): void {
    const file = this.#heard(agent);
    try {
      utimesSync(file, now, now);
    } catch {
      closeSync(openSync(file, "a", 0o600));
    }
  }

  /** When an agent sent its last event. */
  lastHeard(agent: string): Date | undefined {
    return statSync(this.#heard(agent), { throwIfNoEntry: false })?.mtime;
  }

  #heard(agent: string): string {
    return path.join(this.folder, `${agent}.heard`);
  }
}

function linesOf(file: string): LogLine[] {
  let text;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return [];
  }
  return text.split("\n").flatMap((line) => {
    try {
      const parsed = JSON.parse(line) as LogLine;
      return typeof parsed.at === "string" && typeof parsed.agent === "string" ? [parsed] : [];
    } catch {
      return [];
    }
  });
}
