/** What the hooks and plugins did: a log of a line each, and when an agent was last heard. */

import {
  appendFileSync,
  closeSync,
  existsSync,
  openSync,
  renameSync,
  statSync,
  utimesSync,
} from "node:fs";
import path from "node:path";

import { makePrivate } from "./folder.js";

/** A line of the log, without the time and the agent. It quotes neither prompts nor arguments nor results. */
export interface LogLine {
  /** What was done. */
  what: string;
  mode?: string;
  rule?: string;
  tool?: string;
  count?: number;
  /** Why it failed. */
  why?: string;
}

const LONGEST_LOG = 1_000_000;

export class Activity {
  constructor(private readonly folder: string) {
    makePrivate(folder);
  }

  /** Two files are kept, the older of which gives way. What cannot be logged is not: the answer is what counts. */
  log(agent: string, { what, ...more }: LogLine): void {
    const line = JSON.stringify({ at: new Date().toISOString(), agent, what, ...more });
    const file = path.join(this.folder, "log.jsonl");
    quietly(() => {
      const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
      if (size > LONGEST_LOG) renameSync(file, path.join(this.folder, "log.old.jsonl"));
      appendFileSync(file, `${line}\n`, { mode: 0o600 });
    });
  }

  /** Remembers that an agent has sent an event. */
  hear(agent: string, now: Date): void {
    const file = path.join(this.folder, `${agent}.heard`);
    quietly(() => {
      if (existsSync(file)) utimesSync(file, now, now);
      else closeSync(openSync(file, "a", 0o600));
    });
  }
}

function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // A full disk, or a file that may not be written.
  }
}
