import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  openSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
  type Stats,
} from "node:fs";
import path from "node:path";

import { isAlive } from "../../agents/state/lock.js";
import { InputError } from "../../saved/event-lines.js";

import { copyAttributes } from "./file-attributes.js";
import { attempt, namesIn } from "./file-questions.js";
import type { FileState } from "./file-state.js";
import { writersOf } from "./writers.js";

/** How the old file gives way to the new one. */
export interface Replacement {
  /** A name that the old file keeps; nothing may have it yet. */
  backup?: string | undefined;
  /** The old file as it was read; one that is no longer so stays. */
  read?: FileState | undefined;
}

/**
 * Writes a file beside its place and puts it there in one step when it is whole. Until then, and
 * whatever happens, the old file stays. The new one has the old one's permissions, access list, extended
 * attributes and, as far as the system allows it, its owner and group.
 */
export class AtomicFile {
  readonly #target: string;
  readonly #temporary: string;
  #descriptor: number | undefined;
  #isDone = false;
  readonly #onSignal = (signal: NodeJS.Signals): void => {
    this.abandon();
    process.kill(process.pid, signal);
  };

  readonly #onExit = (): void => this.abandon();

  /** @param like a file whose permissions it gets if there is no old one */
  constructor(target: string, like?: string) {
    this.#target = target;
    this.#temporary = besides(target);
    sweep(path.dirname(target));
    const old = statSync(target, { throwIfNoEntry: false });
    const model = old ?? (like === undefined ? undefined : statSync(like));
    // Nobody else may open it before it has its permissions.
    this.#descriptor = openSync(this.#temporary, "wx", model ? 0o600 : 0o666);
    for (const signal of SIGNALS) process.once(signal, this.#onSignal);
    // The output may end the process while this is being written.
    process.once("exit", this.#onExit);
    try {
      const isOthers = old !== undefined && !giveTo(this.#descriptor, old);
      if (model) {
        const which = old ? "all" : "access";
        const isSame = copyAttributes(old ? target : like!, this.#temporary, which);
        ftruncateSync(this.#descriptor, 0);
        fchmodSync(this.#descriptor, modeOf(model, isOthers || !isSame));
      }
    } catch (error) {
      this.abandon();
      throw error;
    }
  }

  write(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length) at += writeSync(this.#descriptor!, bytes, at);
  }

  /** @throws {@link InputError} if another program has changed the old file since it was read */
  commit({ backup, read }: Replacement = {}): void {
    fsyncSync(this.#descriptor!);
    // Some systems rename no open file.
    this.#close();
    // With a changed file nothing is tried at all.
    if (read?.isOutOfDate(this.#target)) throw changed(this.#target);
    if (read) refuseWhileWritten(this.#target);
    const isSecondName = backup !== undefined && keep(this.#target, backup);
    try {
      if (read?.isOutOfDate(this.#target)) throw changed(this.#target);
      renameSync(this.#temporary, this.#target);
    } catch (error) {
      if (backup !== undefined) remove(backup);
      throw error;
    }
    this.#end();
    // A program that had the old file open may have written to it until the last moment.
    if (isSecondName && read?.isOutOfDate(backup)) {
      renameSync(backup, this.#target);
      throw changed(this.#target);
    }
  }

  /** Leaves everything as it was, unless it was committed. */
  abandon(): void {
    if (this.#isDone) return;
    this.#end();
    try {
      this.#close();
    } finally {
      remove(this.#temporary);
    }
  }

  #end(): void {
    this.#isDone = true;
    for (const signal of SIGNALS) process.removeListener(signal, this.#onSignal);
    process.removeListener("exit", this.#onExit);
  }

  #close(): void {
    const descriptor = this.#descriptor;
    this.#descriptor = undefined;
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Writes text as a file, which has its place when it is whole. */
export function writeWhole(target: string, parts: Iterable<string>): void {
  const file = new AtomicFile(target);
  try {
    for (const part of parts) file.write(Buffer.from(part));
    file.commit();
  } finally {
    file.abandon();
  }
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** A name in the same folder that nothing has and nobody can foresee, however long the file's own is. */
function besides(file: string): string {
  const unique = randomBytes(8).toString("hex");
  return path.join(path.dirname(file), `.turnkeeper-${process.pid}-${unique}.tmp`);
}

/** What {@link besides} names; earlier versions had no process in it. */
const TEMPORARY = /^\.turnkeeper-(?:(\d{1,10})-)?[0-9a-f]{16}\.tmp$/;

/** Whether it is the name of a file that is not whole yet. */
export function isTemporary(name: string): boolean {
  return TEMPORARY.test(name);
}

/** Removes what programs have left in a folder that were killed while they wrote. */
function sweep(folder: string): void {
  for (const name of namesIn(folder)) {
    const found = TEMPORARY.exec(name);
    // It may be somebody else's, or gone.
    if (found && !(found[1] && isAlive(Number(found[1])))) remove(path.join(folder, name));
  }
}

/** Gives a new file the owner and the group of the old one: whether it has the group now. */
function giveTo(descriptor: number, { uid, gid }: Stats): boolean {
  const own = fstatSync(descriptor);
  if (own.uid === uid && own.gid === gid) return true;
  try {
    fchownSync(descriptor, uid, gid);
    return true;
  } catch {
    // Only root gives files away; a group may be given by its members.
  }
  try {
    fchownSync(descriptor, own.uid, gid);
    return true;
  } catch {
    return own.gid === gid;
  }
}

/**
 * The permissions of a file. Another group may do no more than everybody; nor may the same one if there may be an
 * access list, in whose presence the group's bits say what others than the group may do.
 */
function modeOf({ mode }: Stats, isGroupInDoubt: boolean): number {
  const everybodys = mode & 0o007;
  return (isGroupInDoubt ? (mode & 0o707) | (everybodys << 3) : mode) & 0o777;
}

/**
 * A second name for the same content, so that the first can be replaced in one step; where the system gives
 * none a copy, and the answer `false`.
 */
function keep(file: string, backup: string): boolean {
  try {
    linkSync(file, backup);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw error;
    copyTo(file, backup);
    return false;
  }
}

/** Makes a copy, which has its name when it is whole. Nothing that is there already is written to. */
function copyTo(file: string, backup: string): void {
  const copy = besides(backup);
  try {
    copyFileSync(file, copy, constants.COPYFILE_EXCL);
    const isSame = copyAttributes(file, copy, "all");
    chmodSync(copy, modeOf(statSync(file), !isSame));
    // The name is taken first, so that what the copy replaces is this command's own.
    closeSync(openSync(backup, "wx", 0o600));
    try {
      renameSync(copy, backup);
    } catch (error) {
      remove(backup);
      throw error;
    }
  } finally {
    remove(copy);
  }
}

/** Removes a file of this command's own, if it is there; one that stays is only in the way. */
function remove(file: string): void {
  attempt(() => unlinkSync(file));
}

/** @throws {@link InputError} if a program would go on writing to what is the backup by then */
function refuseWhileWritten(file: string): void {
  const [pid] = writersOf(file);
  if (pid === undefined) return;
  throw new InputError(file, `is open for writing in process ${pid}; end it first`);
}

function changed(file: string): InputError {
  return new InputError(
    file,
    "was changed by another program while it was read; it stays as it is",
  );
}
