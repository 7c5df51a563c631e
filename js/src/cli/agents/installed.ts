/** The record of what was installed, and copies of the files as they were before. */

import { createHash } from "node:crypto";
import { chmodSync, existsSync, realpathSync, rmSync, rmdirSync } from "node:fs";
import path from "node:path";

import type { AgentName, Mode } from "../../agents/agents.js";
import { makePrivate } from "../../agents/state/folder.js";
import { attempt } from "../files/file-questions.js";

import type { FileChange } from "./file-change.js";
import { isBare, withoutOurs } from "./ours.js";
import { contentOf, readFile, targetOf, writeFile } from "./text-file.js";

/** A file that was changed. */
export interface InstalledFile {
  agents: AgentName[];
  mode: Mode;
  file: string;
  /** The folder of the project that it is for; left out for all projects of the user. */
  project?: string;
  /** The name of the copy of what was there; left out if there was no file. */
  before?: string;
  /** A hash of what was written. */
  after: string;
}

/** For whom and how far a change is made. */
export interface Installing {
  agent: AgentName;
  mode: Mode;
  project: string | undefined;
}

export class Installation {
  readonly #record: string;
  readonly files: InstalledFile[];
  /** Folders that were made for files. */
  #folders: string[];

  constructor(private readonly state: string) {
    this.#record = path.join(state, "installed.json");
    const { files, folders } = recordIn(this.#record);
    this.files = files;
    this.#folders = folders;
  }

  of(agent: AgentName): InstalledFile[] {
    return this.files.filter(({ agents }) => agents.includes(agent));
  }

  /** Makes a change for an agent: whether the file is another one now. */
  add(change: FileChange, { agent, mode, project }: Installing): boolean {
    const target = targetOf(change.file);
    const known = this.#known(target);
    const read = readFile(target);
    const before = this.#before(target, known, read.content);
    const after = change.added(before);
    const entry: InstalledFile = {
      agents: [...new Set([...(known?.agents ?? []), agent])],
      mode,
      file: target,
      ...(project !== undefined && { project }),
      ...(before !== undefined && { before: this.#keep(target, before) }),
      after: hashOf(after),
    };
    const made = missingFolders(target);
    // The record comes first: what it does not know of could not be taken out to the byte.
    const others = this.files.filter((it) => it !== known);
    this.#save([...others, entry], [...this.#folders, ...made]);
    if (after !== read.content) {
      try {
        writeFile(target, after, read);
        if (change.isExecutable) chmodSync(target, 0o755);
      } catch (error) {
        made.forEach(removeIfEmpty);
        attempt(() => this.#save(known ? [...others, known] : others, this.#folders));
        throw error;
      }
    }
    if (known?.before !== entry.before) this.#drop(known);
    return after !== read.content;
  }

  /** Takes what is ours out of a file again, whether the record knows of it or not: whether it is another one now. */
  remove(file: string, agent: AgentName): boolean {
    const isThere = existsSync(file);
    const known = this.#known(isThere ? realpathSync(file) : file);
    if (known === undefined && !hasOurs(file)) return false;
    const target = isThere ? targetOf(file) : file;
    const others = known?.agents.filter((it) => it !== agent) ?? [];
    if (known && others.length > 0) {
      const shared = { ...known, agents: others };
      this.#save(this.files.map((it) => (it === known ? shared : it)));
      return false;
    }
    const read = isThere ? readFile(target) : undefined;
    const now = read?.content;
    const left = now === undefined ? undefined : this.#left(target, known, now);
    if (now !== undefined && left === undefined) {
      rmSync(target);
      // The innermost first.
      const folders = this.#folders.sort((a, b) => b.length - a.length);
      this.#folders = folders.filter((folder) => !removeIfEmpty(folder));
    } else if (left !== undefined && left !== now) {
      writeFile(target, left, read);
    }
    if (known) this.#save(this.files.filter((it) => it !== known));
    this.#drop(known);
    return left !== now;
  }

  #known(target: string): InstalledFile | undefined {
    return this.files.find(({ file }) => file === target);
  }

  /** A file without what is ours: to the byte, if nobody has touched it since. */
  #before(
    target: string,
    known: InstalledFile | undefined,
    now: string | undefined,
  ): string | undefined {
    if (now === undefined) return undefined;
    if (known === undefined || hashOf(now) !== known.after) return withoutOurs(target, now);
    if (known.before === undefined) return undefined;
    return this.#copied(known.before) ?? withoutOurs(target, now);
  }

  /** What stays of a file; undefined if nothing does. */
  #left(target: string, known: InstalledFile | undefined, now: string): string | undefined {
    const left = this.#before(target, known, now);
    const wasMade = known !== undefined && known.before === undefined;
    return wasMade && left !== undefined && isBare(left) ? undefined : left;
  }

  #drop(known: InstalledFile | undefined): void {
    if (known?.before !== undefined) rmSync(this.#copy(known.before), { force: true });
  }

  #copy(name: string): string {
    return path.join(this.state, "backups", name);
  }

  /** A copy that is whole: its name has the hash of what is in it. */
  #copied(name: string): string | undefined {
    const text = attempt(() => contentOf(this.#copy(name)));
    return text !== undefined && name.includes(shortHash(text)) ? text : undefined;
  }

  #keep(target: string, content: string): string {
    const name = `${shortHash(target)}-${shortHash(content)}-${path.basename(target)}`;
    if (this.#copied(name) !== undefined) return name;
    makePrivate(this.state);
    makePrivate(path.join(this.state, "backups"));
    writeFile(this.#copy(name), content);
    chmodSync(this.#copy(name), 0o600);
    return name;
  }

  #save(files: InstalledFile[], folders = this.#folders): void {
    makePrivate(this.state);
    this.files.splice(0, this.files.length, ...files);
    this.#folders = [...new Set(folders)];
    const record = { version: 1, files, folders: this.#folders };
    writeFile(this.#record, `${JSON.stringify(record, undefined, 2)}\n`);
    chmodSync(this.#record, 0o600);
  }
}

/** What a record says; nothing if it is damaged, since what is ours is also found by looking. */
function recordIn(file: string): { files: InstalledFile[]; folders: string[] } {
  const isOne = ({ file: name, agents, after }: InstalledFile): boolean =>
    typeof name === "string" && Array.isArray(agents) && typeof after === "string";
  const record = attempt(() => {
    const { files, folders } = JSON.parse(contentOf(file)!) as ReturnType<typeof recordIn>;
    return { files: files.filter(isOne), folders: folders.filter((it) => typeof it === "string") };
  });
  return record ?? { files: [], folders: [] };
}

/** Whether something of ours is in a file; what is no text has nothing. @throws {@link UnreadableSettings} */
function hasOurs(file: string): boolean {
  const content = attempt(() => contentOf(file));
  return content !== undefined && withoutOurs(file, content) !== content;
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

function shortHash(text: string): string {
  return hashOf(text).slice(0, 12);
}
