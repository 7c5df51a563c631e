import { TurnkeeperError } from "turnkeeper";

import { InputError } from "../../saved/event-lines.js";

/** Does something with a file. What the system refuses becomes an {@link InputError}. */
export function withFile<T>(file: string, what: "read" | "written", work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(file, failure(error as NodeJS.ErrnoException, what));
  }
}

/** Does something with what is in a file. What a machine refuses is bad input like any other. */
export function withContent<T>(file: string, what: "judged" | "repaired", work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof TurnkeeperError)) throw error;
    throw new InputError(file, `cannot be ${what}: ${error.message}`);
  }
}

/** Why a file or folder could not be read, to be put after its name. */
export function unreadable(error: NodeJS.ErrnoException): string {
  return failure(error, "read");
}

/** Why a file could not be written, to be put after its name. */
export function unwritable(error: NodeJS.ErrnoException): string {
  return failure(error, "written");
}

function failure({ code, message }: NodeJS.ErrnoException, what: "read" | "written"): string {
  switch (code) {
    case "ENOENT":
      return what === "read" ? "does not exist" : "cannot be written: its folder does not exist";
    case "EISDIR":
      return what === "read" ? "is a folder; name the files in it" : "is a folder";
    case "EACCES":
    case "EPERM":
      return `may not be ${what}`;
    case "ELOOP":
      return "is a link that leads to itself";
    default:
      return `cannot be ${what} (${message})`;
  }
}
