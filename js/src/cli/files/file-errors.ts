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
