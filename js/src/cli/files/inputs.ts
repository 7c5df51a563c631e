import { statSync } from "node:fs";

import type { InputError } from "../../saved/event-lines.js";

import { FolderSearch, type Input } from "./folder-search.js";

export type { Input };

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

function isFolder(name: string): boolean {
  try {
    return statSync(name).isDirectory();
  } catch {
    // Whoever opens it will say why it cannot be read.
    return false;
  }
}
