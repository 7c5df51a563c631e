import { lstatSync, readdirSync, realpathSync, statSync, type Stats } from "node:fs";
import path from "node:path";

import type { AgentName } from "../../analysis/agents.js";
import { InputError } from "../../saved/event-lines.js";
import type { DatabaseKind } from "../find/database.js";

import { isTemporary } from "./atomic-file.js";
import { eventFiles } from "./event-folder.js";
import { unreadable } from "./file-errors.js";
import { attempt, isFolder } from "./file-questions.js";
import { opencodeSessions } from "./opencode-storage.js";
import { isInside } from "./write-target.js";

/** A file to be read. */
export interface Input {
  /** Where it is, as it was named, or below the folder that was named. */
  file: string;
  /** The folder that was named, if it was found in one. */
  folder: string | undefined;
  /** If it is kept in several files, as OpenHands and opencode do: those, each a value, in their order. */
  parts?: string[];
  /** Whose folder it was found in. */
  agent?: AgentName;
  /** Of a database with several sessions: which kind it is, and the session's id. */
  database?: DatabaseKind;
  session?: string;
}

/**
 * The files that are named, and those in the folders that are named, in the order of their names.
 *
 * @param isWanted chooses among the files of a folder; what is named by itself is always wanted
 * @param complain is told of folders and links that cannot be read
 */
export function findInputs(
  names: readonly string[],
  isWanted: (file: string) => boolean,
  complain: (problem: InputError) => void,
): Input[] {
  return names.flatMap((name) =>
    name !== "-" && isFolder(name)
      ? new FolderSearch(name, isWanted, complain).find()
      : [{ file: name, folder: undefined }],
  );
}

/**
 * Finds the files in a folder. Each folder and each file is taken once, under its own name rather than
 * under that of a link to it, so links cost no more than what they lead to.
 */
export class FolderSearch {
  /** The real paths of what was taken. */
  readonly #taken = new Set<string>();
  /** Links to be followed when everything that has its own name in the folder was taken. */
  readonly #links: string[] = [];
  readonly #found: Input[] = [];

  /** @param complain is told of folders and links that cannot be read */
  constructor(
    private readonly folder: string,
    private readonly isWanted: (file: string) => boolean,
    private readonly complain: (problem: InputError) => void,
  ) {}

  /** The files, folder by folder, in the order of their names. */
  find(): Input[] {
    this.#walk(this.folder);
    // More may be added while these are followed.
    for (const link of this.#links) this.#follow(link);
    return inOrderOfNames(this.#found);
  }

  #walk(name: string): void {
    let real: string;
    let entries: string[];
    try {
      real = realpathSync(name);
      if (this.#isTaken(real)) return;
      entries = readdirSync(name).sort();
    } catch (error) {
      this.complain(new InputError(name, unreadable(error as NodeJS.ErrnoException)));
      return;
    }
    const { folder } = this;
    const parts = eventFiles(name, entries);
    if (parts) {
      this.#found.push({ file: name, folder, parts });
      return;
    }
    const sessions = opencodeSessions(name, entries);
    if (sessions) {
      for (const session of sessions) this.#found.push({ ...session, folder });
      return;
    }
    for (const entry of entries) {
      // A file that a program of ours is writing, or was when it was killed.
      if (isTemporary(entry)) continue;
      const child = path.join(name, entry);
      const stat = attempt(() => lstatSync(child));
      if (stat?.isSymbolicLink()) this.#links.push(child);
      else if (stat?.isDirectory()) this.#walk(child);
      else this.#take(child, path.join(real, entry), stat);
    }
  }

  #follow(link: string): void {
    const stat = attempt(() => statSync(link));
    const real = attempt(() => realpathSync(link));
    if (stat === undefined || real === undefined) {
      this.#take(link, link, undefined);
    } else if (!stat.isDirectory()) {
      this.#take(link, real, stat);
    } else if (isInside(attempt(() => realpathSync(path.dirname(link))) ?? real, real)) {
      this.complain(new InputError(link, "is a link to a folder around it"));
    } else {
      this.#walk(link);
    }
  }

  /** @param stat undefined if it cannot be had; whoever opens the file will say why */
  #take(file: string, real: string, stat: Stats | undefined): void {
    if (stat && !stat.isFile()) {
      // Pipes, sockets and devices: to read one may wait for ever.
      this.complain(new InputError(file, "is no regular file"));
    } else if (this.isWanted(file) && !this.#isTaken(real)) {
      this.#found.push({ file, folder: this.folder });
    }
  }

  /** Whether it was taken before; from now on it is. */
  #isTaken(real: string): boolean {
    if (this.#taken.has(real)) return true;
    this.#taken.add(real);
    return false;
  }
}

function inOrderOfNames(inputs: readonly Input[]): Input[] {
  return inputs
    .map((input) => ({ input, names: input.file.split(path.sep) }))
    .sort((a, b) => compareNames(a.names, b.names))
    .map(({ input }) => input);
}

function compareNames(these: readonly string[], those: readonly string[]): number {
  for (let at = 0; at < these.length && at < those.length; at += 1) {
    if (these[at] !== those[at]) return these[at]! < those[at]! ? -1 : 1;
  }
  return these.length - those.length;
}
