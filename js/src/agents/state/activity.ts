/** What the hooks did: a log of a line each, and when an agent was last heard. */

import {
  appendFileSync,
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
} from "node:fs";
import path from "node:path";

import { fields, parsed } from "../../messages/fields.js";
import type { Mode } from "../agents.js";
import type { Judgement } from "../judge.js";

import { makePrivate } from "./folder.js";

/**
 * What was done. `found`: a loop, of which nobody was told. `nudge`: the model was told of it. `went_on`: it went on,
 * and nothing was ended. `stop`: the turn was ended, or its calls are refused.
 */
type Done = "found" | "nudge" | "went_on" | "stop" | "ledger" | "failure";

/** A line of the log. It quotes neither prompts nor arguments nor results. */
export interface LogLine {
  /** When, as ISO 8601. */
  at: string;
  agent: string;
  what: Done;
  mode?: string;
  rule?: string;
  tool?: string | undefined;
  count?: number;
  /** Why it failed. */
  why?: string;
}

type Verdict = NonNullable<Judgement["verdict"]>;

const LONGEST_LOG = 1_000_000;

export class Activity {
  constructor(private readonly folder: string) {
    makePrivate(folder);
  }

  /** The file of the log. */
  get file(): string {
    return path.join(this.folder, "log.jsonl");
  }

  /** Two files are kept, the older of which gives way. What cannot be logged is not: the answer is what counts. */
  log(said: Omit<LogLine, "at">): void {
    const line = JSON.stringify({ at: new Date().toISOString(), ...said });
    quietly(() => {
      const size = statSync(this.file, { throwIfNoEntry: false })?.size ?? 0;
      if (size > LONGEST_LOG) renameSync(this.file, path.join(this.folder, "log.old.jsonl"));
      appendFileSync(this.file, `${line}\n`, { mode: 0o600 });
    });
  }

  /** @param isObeyed whether the agent ends something because of a stop */
  logVerdict(agent: string, mode: Mode, verdict: Verdict, isObeyed = mode === "stop"): void {
    const { rule, tool, count } = verdict.report;
    const told = mode === "watch" ? "found" : "nudge";
    const ended = isObeyed && mode === "stop" ? "stop" : "went_on";
    this.log({ agent, what: verdict.action === "stop" ? ended : told, mode, rule, tool, count });
  }

  /** The lines of the log, the oldest first; what is no line of it is left out. */
  lines(): LogLine[] {
    return [path.join(this.folder, "log.old.jsonl"), this.file].flatMap(linesOf);
  }

  /** Remembers that an agent has sent an event. */
  hear(agent: string, now: Date): void {
    const file = this.#heard(agent);
    quietly(() => {
      if (existsSync(file)) utimesSync(file, now, now);
      else closeSync(openSync(file, "a", 0o600));
    });
  }

  /** When an agent sent its last event. */
  lastHeard(agent: string): Date | undefined {
    return statSync(this.#heard(agent), { throwIfNoEntry: false })?.mtime;
  }

  #heard(agent: string): string {
    return path.join(this.folder, `${agent}.heard`);
  }
}

function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // A full disk, or a file that may not be written.
  }
}

function linesOf(file: string): LogLine[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .map((line) => fields(parsed(line)) as unknown as LogLine)
    .filter(({ at, agent }) => typeof at === "string" && typeof agent === "string");
}
