/** What is kept between two events of a session: a file for each session and subagent of an agent. */

import { createHash } from "node:crypto";
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

import { type SessionRecord, freshRecord } from "../session-record.js";

import { makePrivate } from "./folder.js";
import { withLock } from "./lock.js";

/** Names of files are hashes: an id is the agent's text, and may be a path. */
export function hashOf(...parts: readonly string[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest("hex").slice(0, 32);
}

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
   * Changes a session's record while no other process does.
   *
   * @param broken hears why a record could not be read; the session then begins afresh
   * @returns what `change` gives; `undefined` if other processes kept the record for too long
   */
  update<T>(
    key: string,
    change: (record: SessionRecord) => T,
    broken: (error: unknown) => void,
  ): { value: T } | undefined {
    const file = path.join(this.#folder, `${key}.json`);
    return withLock(`${file}.lock`, () => {
      const record = read(file, broken);
      const value = change(record);
      replace(file, JSON.stringify(record, asBase64));
      return value;
    });
  }

  /** Keeps lines for the ledger of a session, which is read after a compaction. */
  note(key: string, lines: string): void {
    appendFileSync(this.#notes(key), lines, { mode: 0o600 });
  }

  notes(key: string): string {
    return existsSync(this.#notes(key)) ? readFileSync(this.#notes(key), "utf8") : "";
  }

  /** The size of the notes in bytes. */
  notesSize(key: string): number {
    return statSync(this.#notes(key), { throwIfNoEntry: false })?.size ?? 0;
  }

  replaceNotes(key: string, lines: string): void {
    replace(this.#notes(key), lines);
  }

  #notes(key: string): string {
    return path.join(this.#folder, `${key}.jsonl`);
  }

  /** Removes files that nothing has changed for seven days; it looks at a few, so that it costs little. */
  removeOld(now: number): void {
    const names = readdirSync(this.#folder);
    const first = Math.floor(Math.random() * names.length);
    for (let at = 0; at < Math.min(LOOKED_AT, names.length); at++) {
      const file = path.join(this.#folder, names[(first + at) % names.length]!);
      const changed = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? now;
      if (now - changed > KEPT_MS) rmSync(file, { force: true, recursive: true });
    }
  }
}

function read(file: string, broken: (error: unknown) => void): SessionRecord {
  let text;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") broken(error);
    return freshRecord();
  }
  try {
    const record = JSON.parse(text, fromBase64) as SessionRecord;
    const isOne = record?.version === 1 && Array.isArray(record.untold);
    if (isOne && Array.isArray(record.lastEvents)) return record;
    throw new Error("no record of a session");
  } catch (error) {
    broken(error);
    return freshRecord();
  }
}

/** A snapshot within JSON. */
function asBase64(name: string, value: unknown): unknown {
  return name === "detector" ? Buffer.from(value as Uint8Array).toString("base64") : value;
}

function fromBase64(name: string, value: unknown): unknown {
  return name === "detector" ? Buffer.from(String(value), "base64") : value;
}

function replace(file: string, content: string): void {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, content, { mode: 0o600 });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
