/** A lock among processes: a file that only one of them can make. */

import {
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
  closeSync,
} from "node:fs";

/** An agent waits for its hook; what is not free by then is left alone. */
const PATIENCE_MS = 500;
const BETWEEN_TRIES_MS = 5;
/** No hook holds a lock for so long; whoever made it has ended without taking it back. */
const ABANDONED_MS = 10_000;

/** Does `work` while no other process has the lock; `undefined` if it did not become free in time. */
export function withLock<T>(file: string, work: () => T): { value: T } | undefined {
  const until = Date.now() + PATIENCE_MS;
  while (!acquire(file)) {
    if (Date.now() >= until) return undefined;
    if (isAbandoned(file)) takeAway(file);
    else Atomics.wait(NEVER, 0, 0, BETWEEN_TRIES_MS);
  }
  try {
    return { value: work() };
  } finally {
    rmSync(file, { force: true });
  }
}

const NEVER = new Int32Array(new SharedArrayBuffer(4));

function acquire(file: string): boolean {
  let descriptor: number;
  try {
    descriptor = openSync(file, "wx", 0o600);
  } catch (error) {
    // Windows refuses a name whose file is just being removed.
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" || code === "EPERM") return false;
    throw error;
  }
  try {
    writeSync(descriptor, String(process.pid));
    return true;
  } catch (error) {
    // A full disk: nobody else may wait for this one.
    rmSync(file, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

function isAbandoned(file: string): boolean {
  try {
    if (Date.now() - statSync(file).mtimeMs > ABANDONED_MS) return true;
    const holder = Number(readFileSync(file, "utf8"));
    return Number.isInteger(holder) && holder > 0 && !isAlive(holder);
  } catch {
    // It has become free.
    return false;
  }
}

/** Whether a process runs; somebody else's may not be asked, and is there. */
export function isAlive(process_: number): boolean {
  try {
    process.kill(process_, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/** Of several that find the same lock abandoned, one moves it away; the others find it gone. */
function takeAway(file: string): void {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  rmSync(aside, { force: true, recursive: true });
}
