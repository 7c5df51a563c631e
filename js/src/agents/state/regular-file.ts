/**
 * Plain files alone: a pipe or a device in the place of one would keep the agent waiting, in whose process this runs.
 */

import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, statSync } from "node:fs";

/** What Windows lacks. */
const { O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants as Partial<typeof constants>;

/** Does `work` with a file of the state folder, which is made for the user alone if the flags make one. */
export function withOwnFile<T>(file: string, flags: number, work: (descriptor: number) => T): T {
  // To open some devices does something, so it is looked at before.
  refuse(lstatSync(file, { throwIfNoEntry: false })?.isFile() === false);
  return withOpened(file, flags | O_NOFOLLOW, work);
}

/** The text of a file, which may be reached by a link. */
export function readText(file: string, longest: number): string {
  refuse(!statSync(file).isFile());
  return withOpened(file, constants.O_RDONLY, (descriptor) => textOf(descriptor, longest));
}

/** The text of an open file. */
export function textOf(descriptor: number, longest: number): string {
  const bytes = Buffer.alloc(Math.min(fstatSync(descriptor).size, longest) + 1);
  let length = 0;
  for (let count = 1; count > 0 && length < bytes.length; length += count) {
    count = readSync(descriptor, bytes, length, bytes.length - length, null);
  }
  if (length > longest) throw new Error(`is longer than ${longest / 1024} KB`);
  return bytes.toString("utf8", 0, length);
}

function withOpened<T>(file: string, flags: number, work: (descriptor: number) => T): T {
  const descriptor = openSync(file, flags | O_NONBLOCK, 0o600);
  try {
    refuse(!fstatSync(descriptor).isFile());
    return work(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function refuse(isOther: boolean): void {
  if (isOther) throw new Error("is no regular file");
}
