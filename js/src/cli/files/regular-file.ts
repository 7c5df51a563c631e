import { closeSync, constants, fstatSync, openSync, readSync, statSync } from "node:fs";

import { InputError, LONGEST_LINE, joined } from "../../saved/event-lines.js";

import { withFile } from "./file-errors.js";

/**
 * Opens a file that was found and not named: a descriptor. Pipes, sockets and devices are refused, also
 * at the end of a link, since to read one may wait for ever or never end.
 *
 * @throws {@link InputError}
 */
export function openRegular(file: string): number {
  return withFile(file, "read", () => {
    // To open some devices does something, so it is looked at before.
    if (statSync(file).isFile()) {
      // A pipe that has taken its place since then must not be waited for.
      const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
      if (fstatSync(descriptor).isFile()) return descriptor;
      closeSync(descriptor);
    }
    throw new InputError(file, "is no regular file");
  });
}

/**
 * The bytes of a file that was found and not named, which has to be held whole.
 *
 * @param most how many bytes it may have
 * @throws {@link InputError}
 */
export function readRegular(file: string, most = LONGEST_LINE): Uint8Array {
  const descriptor = openRegular(file);
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    return withFile(file, "read", () => {
      // The size may be out of date, and some file systems say 0.
      let room = fstatSync(descriptor).size + 1;
      while (length <= most) {
        const piece = new Uint8Array(Math.min(Math.max(room, 4_096), most + 1 - length));
        const read = readSync(descriptor, piece);
        if (read === 0) return joined(pieces);
        pieces.push(piece.subarray(0, read));
        length += read;
        room = 65_536;
      }
      throw new InputError(file, `is longer than ${Math.floor(most / 1_048_576)} MB`);
    });
  } finally {
    closeSync(descriptor);
  }
}
