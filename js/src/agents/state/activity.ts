/** What the hooks and plugins did: a log of a line each, and when an agent was last heard. */

import { appendFileSync, constants, futimesSync, renameSync, statSync } from "node:fs";
import path from "node:path";

import { makePrivate } from "./folder.js";
import { withOwnFile } from "./regular-file.js";

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
const APPEND = constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY;

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
      withOwnFile(file, APPEND, (it) => appendFileSync(it, `${line}\n`));
    });
  }

  /** Remembers that an agent has sent an event. */
  hear(agent: string, now: Date): void {
    const file = path.join(this.folder, `${agent}.heard`);
    quietly(() => withOwnFile(file, APPEND, (it) => futimesSync(it, now, now)));
  }
}

/** What work gives; undefined if it fails, by a full disk or a file that may not be written, say. */
export function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
