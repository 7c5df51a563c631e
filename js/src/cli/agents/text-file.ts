/** Settings of agents as text, read and written whole. */

import { mkdirSync, statSync } from "node:fs";
import path from "node:path";

import { InputError } from "../../saved/event-lines.js";
import { AtomicFile } from "../files/atomic-file.js";
import { FileState } from "../files/file-state.js";
import { readRegular } from "../files/regular-file.js";
import { replacedFile } from "../files/write-target.js";

import { UnreadableSettings } from "./file-change.js";

/**
 * The file that is changed by that name: a link stays one.
 *
 * @throws {@link UnreadableSettings} for what cannot be replaced in one step
 */
export function targetOf(file: string): string {
  const target = told(file, () => replacedFile(file));
  const stat = statSync(target, { throwIfNoEntry: false });
  if (stat?.isFile() && stat.nlink > 1) {
    throw new UnreadableSettings(
      file,
      "has another name (a hard link), under which it would not change; it stays as it is",
    );
  }
  return target;
}

/** The text of a file; undefined if there is none. @throws {@link UnreadableSettings} */
export function contentOf(file: string): string | undefined {
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
  const bytes = told(file, () => readRegular(file));
  const text = Buffer.from(bytes).toString("utf8");
  if (Buffer.from(text).equals(bytes)) return text;
  // It could not be written as it was.
  throw new UnreadableSettings(file, "is not UTF-8; it stays as it is");
}

/** A file as it is now, so that what another program writes meanwhile is not lost. */
export interface ReadFile {
  content: string | undefined;
  state: FileState;
}

export function readFile(file: string): ReadFile {
  const state = new FileState(file);
  return { content: contentOf(file), state };
}

/** Puts a text in the place of a file in one step, unless another program has changed it since it was read. */
export function writeFile(target: string, text: string, read?: ReadFile): void {
  mkdirSync(path.dirname(target), { recursive: true });
  told(target, () => replacedFile(target));
  const file = new AtomicFile(target);
  try {
    file.write(Buffer.from(text));
    const wasThere = read?.content !== undefined;
    told(target, () => file.commit(wasThere ? { read: read.state } : {}));
  } finally {
    file.abandon();
  }
}

function told<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof InputError) throw new UnreadableSettings(file, error.message);
    throw error;
  }
}
