import {
  closeSync,
  copyFileSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import path from "node:path";

import { InputError } from "../../sessions/event-lines.js";

import type { FileState } from "./file-state.js";

/** How the old file gives way to the new one. */
export interface Replacement {
  /** A name that the old file keeps; nothing may have it yet. */
  backup?: string | undefined;
  /** The old file as it was read; one that is no longer so stays. */
  read?: FileState | undefined;
}

/**
 * Writes a file beside its place and puts it there in one step when it is whole. Until then, and
 * whatever happens, the old file stays.
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

  /** @param like a file whose permissions it gets */
  constructor(target: string, like?: string) {
    this.#target = target;
    const name = `.${path.basename(target)}.${process.pid}.tmp`;
    this.#temporary = path.join(path.dirname(target), name);
    this.#descriptor = openSync(this.#temporary, "wx");
    if (like !== undefined) fchmodSync(this.#descriptor, statSync(like).mode & 0o7777);
    for (const signal of SIGNALS) process.once(signal, this.#onSignal);
    // The output may end the process while this is being written.
    process.once("exit", this.#onExit);
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
    const isSecondName = backup !== undefined && keep(this.#target, backup);
    try {
      if (read?.isOutOfDate(this.#target)) throw changed(this.#target);
      renameSync(this.#temporary, this.#target);
    } catch (error) {
      if (backup !== undefined) unlinkSync(backup);
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
    this.#close();
    this.#end();
    try {
      unlinkSync(this.#temporary);
    } catch {
      // It is only in the way.
    }
  }

  #end(): void {
    this.#isDone = true;
    for (const signal of SIGNALS) process.removeListener(signal, this.#onSignal);
    process.removeListener("exit", this.#onExit);
  }

  #close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * A second name for the same content, so that the first can be replaced in one step; on a file system
 * without links a copy, and the answer `false`.
 */
function keep(file: string, backup: string): boolean {
  try {
    linkSync(file, backup);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw error;
    copyFileSync(file, `${backup}.tmp`);
    renameSync(`${backup}.tmp`, backup);
    return false;
  }
}

function changed(file: string): InputError {
  return new InputError(
    file,
    "was changed by another program while it was read; it stays as it is",
  );
}
