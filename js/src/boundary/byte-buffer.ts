// Bytes in Wasm memory that a call carries. One buffer serves all that is written: each call writes, calls, and
// is done with it.

import * as glue from "../../glue/turnkeeper.js";
import { nodeBuffer, type NodeBuffer } from "./node-buffer.js";
import { wasm } from "./runtime.js";

/** The buffer has no more bytes than this. */
export const LARGEST = 256 * 1024 * 1024;
/** Bytes kept between calls; what a larger call needed is given back. */
export const KEPT = 256 * 1024;

const encoder = new TextEncoder();

/** The buffer. Empty before it is first needed. */
export let bytes: NodeBuffer = new Uint8Array(0);

/** Has a buffer of `length` bytes, with those that were there. Views of memory die when it grows. */
export function refresh(length: number): void {
  const { memory } = wasm();
  const address = glue.bytesAddress(length);
  bytes =
    nodeBuffer(memory.buffer, address, length) ?? new Uint8Array(memory.buffer, address, length);
}

/**
 * Writes a text as UTF-8, of which at most `most` bytes and a few more are looked at, and answers with the
 * number of bytes. Half of a surrogate pair becomes U+FFFD, which is one unit as well.
 */
export function putUtf8(text: string, start: number, most: number): number {
  // Where a text has no room, four more bytes make room to see it.
  if (bytes.utf8Write !== undefined) return bytes.utf8Write(text, start, most + 4);
  const { read, written } = encoder.encodeInto(text, bytes.subarray(start, start + most));
  return read === text.length ? written : most + 1;
}
