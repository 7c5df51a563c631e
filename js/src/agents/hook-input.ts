/** Standard input of a hook, which is read to its end, so that no agent meets a broken pipe. */

import { readSync } from "node:fs";

/** No agent shows its model as much as this. */
const LONGEST_EVENT = 32 * 1024 * 1024;
const PIECE = 65_536;
const WAIT_MS = 2;

/** Everything on standard input; undefined if it is too much. */
export function readStandardInput(): Uint8Array | undefined {
  const pieces: Buffer[] = [];
  let length = 0;
  for (;;) {
    const piece = Buffer.allocUnsafe(PIECE);
    const count = read(piece);
    if (count === 0) break;
    length += count;
    if (length <= LONGEST_EVENT) pieces.push(piece.subarray(0, count));
    else pieces.length = 0;
  }
  return length > LONGEST_EVENT ? undefined : Buffer.concat(pieces);
}

function read(piece: Buffer): number {
  for (;;) {
    try {
      return readSync(0, piece);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // Windows' end of a pipe, and a pipe in which nothing is yet.
      if (code === "EOF") return 0;
      if (code !== "EAGAIN") throw error;
      Atomics.wait(NEVER, 0, 0, WAIT_MS);
    }
  }
}

const NEVER = new Int32Array(new SharedArrayBuffer(4));
