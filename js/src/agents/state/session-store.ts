/** What is kept between two events of a session: a file for each session and subagent of an agent. */

import {
  appendFileSync,
  existsSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

import { makePrivate } from "./folder.js";
import { withLock } from "./lock.js";

const KEPT_MS = 7 * 24 * 60 * 60 * 1000;
const LOOKED_AT = 24;

export class SessionStore {
  readonly #folder: string;

  /** @param folder the state folder, which is made if it is not there */
  constructor(folder: string) {
    makePrivate(folder);
    this.#folder = path.join(folder, "sessions");
    makePrivate(this.#folder);
  }

  /**
   * Changes a session's record while no other process does. `change` gets what was kept, or why it cannot be read.
   *
   * @throws if other processes keep the record for too long
   */
  update(key: string, change: (kept?: Uint8Array, why?: string) => Uint8Array): void {
    const file = path.join(this.#folder, `${key}.state`);
    const done = withLock(`${file}.lock`, () => {
      replace(file, changed(file, change));
      return true;
    });
    if (done === undefined) throw new Error("the session's lock did not become free");
  }

  /** Keeps lines for the ledger of a session, which is read after a compaction: how many bytes there are. */
  addNotes(key: string, lines: string): number {
    const file = this.#notes(key);
    appendFileSync(file, lines, { mode: 0o600 });
    return statSync(file).size;
  }

  notes(key: string): Uint8Array {
    return existsSync(this.#notes(key)) ? readFileSync(this.#notes(key)) : new Uint8Array();
  }

  replaceNotes(key: string, lines: string): void {
    replace(this.#notes(key), lines);
  }

  #notes(key: string): string {
    return path.join(this.#folder, `${key}.jsonl`);
  }

  /** Removes files that nothing has changed for seven days; it looks at a few, so that it costs little. */
  removeOld(): void {
    const now = Date.now();
    const names = readdirSync(this.#folder);
    const first = Math.floor(Math.random() * names.length);
    for (let at = 0; at < Math.min(LOOKED_AT, names.length); at++) {
      const file = path.join(this.#folder, names[(first + at) % names.length]!);
      const changed = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? now;
      if (now - changed > KEPT_MS) rmSync(file, { force: true, recursive: true });
    }
  }
}

function changed(file: string, change: Parameters<SessionStore["update"]>[1]): Uint8Array {
  let kept;
  try {
    kept = readFileSync(file);
  } catch (error) {
    const isNew = (error as NodeJS.ErrnoException).code === "ENOENT";
    return isNew ? change() : change(undefined, String(error));
  }
  return change(kept);
}

function replace(file: string, content: string | Uint8Array): void {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, content, { mode: 0o600 });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
