/** What can go wrong with files and folders of users, each told in one line. */

import { StateFolderError } from "../../agents/state/folder.js";
import { complain } from "../complain.js";
import { unwritable } from "../files/file-errors.js";

import { UnreadableSettings } from "./file-change.js";

/** Does something with a file or a folder, and complains if that cannot be: what `work` gives. */
export function attempted<T>(file: string, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    complain(problemWith(file, error));
    return undefined;
  }
}

/** Why it could not be done. @throws what is a mistake of the program */
export function problemWith(file: string, error: unknown): string {
  if (error instanceof UnreadableSettings || error instanceof StateFolderError)
    return error.message;
  if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  return `${file} ${unwritable(error as NodeJS.ErrnoException)}`;
}
