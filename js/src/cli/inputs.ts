import { readdirSync, realpathSync, statSync } from "node:fs";
import path from "node:path";

import { InputError } from "../replay/event-lines.js";

/** A file to be read. */
export interface Input {
  /** Where it is, as it was named, or below the folder that was named. */
  file: string;
  /** The folder that was named, if it was found in one. */
  folder: string | undefined;
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
  const inputs: Input[] = [];
  for (const name of names) {
    if (name !== "-" && isFolder(name)) {
      walk(name, name, new Set(), isWanted, inputs, complain);
    } else {
      inputs.push({ file: name, folder: undefined });
    }
  }
  return inputs;
}

function isFolder(name: string): boolean {
  try {
    return statSync(name).isDirectory();
  } catch {
    // Whoever opens it will say why it cannot be read.
    return false;
  }
}

/** Pipes, sockets and devices: to read one may wait for ever. */
function isSpecial(name: string): boolean {
  try {
    return !statSync(name).isFile();
  } catch {
    return false;
  }
}

function walk(
  name: string,
  folder: string,
  above: ReadonlySet<string>,
  isWanted: (file: string) => boolean,
  inputs: Input[],
  complain: (problem: InputError) => void,
): void {
  let entries;
  let real;
  try {
    real = realpathSync(name);
    if (above.has(real)) {
      complain(new InputError(name, "is a link to a folder that it lies in"));
      return;
    }
    entries = readdirSync(name).sort();
  } catch (error) {
    complain(new InputError(name, unreadable(error as NodeJS.ErrnoException)));
    return;
  }
  const here = new Set(above).add(real);
  for (const entry of entries) {
    const child = path.join(name, entry);
    if (isFolder(child)) walk(child, folder, here, isWanted, inputs, complain);
    else if (isSpecial(child)) complain(new InputError(child, "is no regular file"));
    else if (isWanted(child)) inputs.push({ file: child, folder });
  }
}

/** Why a file or folder could not be read, to be put behind its name. */
export function unreadable({ code, message }: NodeJS.ErrnoException): string {
  switch (code) {
    case "ENOENT":
      return "does not exist";
    case "EISDIR":
      return "is a folder; name the files in it";
    case "EACCES":
    case "EPERM":
      return "may not be read";
    case "ELOOP":
      return "is a link that leads to itself";
    default:
      return `cannot be read (${message})`;
  }
}
