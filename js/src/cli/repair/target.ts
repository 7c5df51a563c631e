/** Where a repaired file goes, and what it is made of. */

import { existsSync, realpathSync, statSync } from "node:fs";
import path from "node:path";

import { InputError } from "../../saved/event-lines.js";
import { withFile } from "../files/file-errors.js";
import { FileState } from "../files/file-state.js";
import { attempt, isFile, isFolder } from "../files/file-questions.js";
import type { Input } from "../files/inputs.js";
import { isInside, leadsOut, replacedFile } from "../files/write-target.js";

/** Where a repaired file goes. */
export interface Target {
  file: string;
  /** The name that the old file keeps, if it is replaced in place. */
  backup: string | undefined;
  /** What is read, as it was before; undefined for what is no regular file. */
  read: FileState | undefined;
  /** The folder that was named, if the file is not in it: a link leads out, and nothing is written. */
  outOf: string | undefined;
}

/**
 * The target of a repair in place: what a link leads to, for the link stays.
 *
 * @throws {@link InputError} if it is no regular file
 */
export function inPlace({ file, folder }: Input): Target {
  if (file === "-") throw new InputError(file, "cannot be replaced; give -o");
  return withFile(file, "read", () => {
    if (!statSync(file).isFile()) throw new InputError(file, "is no regular file");
    const real = realpathSync(file);
    const read = new FileState(real);
    // The path that is written to is the one that is judged: a link may lead elsewhere by now.
    const isOut = folder !== undefined && !isInside(real, realpathSync(folder));
    return { file: real, backup: `${real}.bak`, read, outOf: isOut ? folder : undefined };
  });
}

/**
 * The target of a copy.
 *
 * @param output what `-o` names: a file, or a folder, which may not be there yet
 * @throws {@link InputError} if it cannot be written to, or is the input
 */
export function copyAt(output: string, { file, folder }: Input): Target {
  let target = folder === undefined ? output : path.join(output, path.relative(folder, file));
  if (isFolder(target)) {
    target = path.join(target, path.basename(file === "-" ? "stdin.json" : file));
  }
  return withFile(target, "written", () => {
    const real = replacedFile(target);
    if (folder !== undefined && leadsOut(real, output)) {
      throw new InputError(target, `is not written: it leads out of ${output}`);
    }
    const isRegular = file !== "-" && isFile(file);
    if (isRegular && existsSync(real) && realpathSync(file) === real) {
      throw new InputError(file, "is its own output; --in-place keeps a backup");
    }
    const read = isRegular ? new FileState(file) : undefined;
    return { file: real, backup: undefined, read, outOf: undefined };
  });
}

/** Without what is in the folder that the copies go to, as when a repair is done again. */
export function withoutCopies(inputs: readonly Input[], output: string): readonly Input[] {
  const copies = attempt(() => realpathSync(output));
  if (copies === undefined) return inputs;
  return inputs.filter(({ file, folder }) => {
    const real = folder === undefined ? undefined : attempt(() => realpathSync(folder));
    if (real === undefined || real === copies || !isInside(copies, real)) return true;
    return !isInside(path.join(real, path.relative(folder!, file)), copies);
  });
}
