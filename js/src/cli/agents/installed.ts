/** The record of what was installed, and copies of the files as they were before. */

import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

import type { AgentName, Mode } from "../../agents/agents.js";
import { makePrivate } from "../../agents/state/folder.js";
import { writeWhole } from "../files/atomic-file.js";
import { attempt } from "../files/file-questions.js";

import { type FileChange, UnreadableSettings } from "./file-change.js";

/** A file that was changed. */
export interface InstalledFile {
  agents: AgentName[];
  mode: Mode;
  file: string;
  /** The name of the copy of what was there; left out if there was no file. */
  before?: string;
  /** A hash of what was written. */
  after: string;
}

export class Installation {
  readonly #record: string;
  readonly files: InstalledFile[];
  /** Folders that were made for files. */
  #folders: string[];

  constructor(private readonly state: string) {
    this.#record = path.join(state, "installed.json");
    const { files, folders } = read(this.#record);
    this.files = files;
    this.#folders = folders;
  }

  of(agent: AgentName): InstalledFile[] {
    return this.files.filter(({ agents }) => agents.includes(agent));
  }

  /** Makes a change for an agent: whether the file is another one now. */
  add(change: FileChange, agent: AgentName, mode: Mode): boolean {
    const target = targetOf(change.file);
    const known = this.files.find(({ file }) => file === target);
    const now = contentOf(target);
    // What nobody has touched since is written afresh from what was there before.
    let before = now;
    if (known && now !== undefined) {
      before = this.#isUntouched(known, now) ? this.#before(known) : change.removed(now);
    }
    const after = change.added(before);
    const agents = [...new Set([...(known?.agents ?? []), agent])];
    this.#folders.push(...missingFolders(target));
    const entry: InstalledFile = { agents, mode, file: target, after: hashOf(after) };
    if (before !== undefined) entry.before = this.#keep(target, before);
    // The record comes first: what it does not know of could not be taken out to the byte.
    this.#save([...this.files.filter((it) => it !== known), entry]);
    if (after === now) return false;
    write(target, after, change.isExecutable ?? false);
    return true;
  }

  /** Takes a change out again: whether the file is another one now. */
  remove(change: FileChange, agent: AgentName): boolean {
    const target = targetOf(change.file);
    const known = this.files.find(({ file }) => file === target);
    const others = known?.agents.filter((it) => it !== agent) ?? [];
    if (known && others.length > 0) {
      this.#save(this.files.map((it) => (it === known ? { ...it, agents: others } : it)));
      return false;
    }
    const now = contentOf(target);
    if (now === undefined) {
      this.#forget(known);
      return false;
    }
    const left = known && this.#isUntouched(known, now) ? this.#before(known) : change.removed(now);
    if (left === undefined) {
      rmSync(target);
      // The innermost first.
      const folders = this.#folders.sort((a, b) => b.length - a.length);
      this.#folders = folders.filter((folder) => !removeIfEmpty(folder));
    } else if (left !== now) {
      write(target, left, false);
    }
    this.#forget(known);
    return left !== now;
  }

  /** Whether a file is as it was written, and the copy of what was there before is not lost. */
  #isUntouched({ before, after }: InstalledFile, now: string): boolean {
    return hashOf(now) === after && (before === undefined || existsSync(this.#copy(before)));
  }

  #forget(known: InstalledFile | undefined): void {
    if (!known) return;
    this.#save(this.files.filter((it) => it !== known));
    if (known.before !== undefined) rmSync(this.#copy(known.before), { force: true });
  }

  #before({ before }: InstalledFile): string | undefined {
    return before === undefined ? undefined : contentOf(this.#copy(before));
  }

  #copy(name: string): string {
    return path.join(this.state, "backups", name);
  }

  #keep(target: string, content: string): string {
    const name = `${hashOf(target).slice(0, 12)}-${path.basename(target)}`;
    makePrivate(this.state);
    makePrivate(path.join(this.state, "backups"));
    writeFileSync(this.#copy(name), content, { mode: 0o600 });
    return name;
  }

  #save(files: InstalledFile[]): void {
    makePrivate(this.state);
    this.files.splice(0, this.files.length, ...files);
    const record = { version: 1, files, folders: this.#folders };
    writeWhole(this.#record, [`${JSON.stringify(record, undefined, 2)}\n`]);
    chmodSync(this.#record, 0o600);
  }
}

function read(record: string): { files: InstalledFile[]; folders: string[] } {
  const content = contentOf(record);
  if (content === undefined) return { files: [], folders: [] };
  try {
    const { files, folders } = JSON.parse(content) as ReturnType<typeof read>;
    const isOne = ({ file, agents }: InstalledFile): boolean =>
      typeof file === "string" && Array.isArray(agents);
    return { files: files.filter(isOne), folders: folders.filter((it) => typeof it === "string") };
  } catch {
    return { files: [], folders: [] };
  }
}

/** The file itself, where its name is a link to it. */
function targetOf(file: string): string {
  return existsSync(file) ? realpathSync(file) : file;
}

/** @throws {@link UnreadableSettings} for a file that is not UTF-8, which could not be written as it was */
function contentOf(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  const bytes = readFileSync(file);
  const text = bytes.toString("utf8");
  if (Buffer.from(text).equals(bytes)) return text;
  throw new UnreadableSettings(file, "is not UTF-8; it stays as it is");
}

function write(target: string, content: string, isExecutable: boolean): void {
  mkdirSync(path.dirname(target), { recursive: true });
  writeWhole(target, [content]);
  if (isExecutable) chmodSync(target, 0o755);
}

function missingFolders(target: string): string[] {
  const missing = [];
  for (let folder = path.dirname(target); !existsSync(folder); folder = path.dirname(folder)) {
    missing.push(folder);
  }
  return missing;
}

/** Whether the folder is gone: others may have put something there. */
function removeIfEmpty(folder: string): boolean {
  attempt(() => rmdirSync(folder));
  return !existsSync(folder);
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
