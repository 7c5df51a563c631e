// Bytes in Wasm memory that a call carries. One buffer serves all that is written: each call writes, calls, and
// is done with it.

import * as glue from "../../glue/turnkeeper.js";
import { refusal } from "./arguments.js";
import type { TurnkeeperError } from "./errors.js";
import { nodeBuffer, type NodeBuffer } from "./node-buffer.js";
import { wasm } from "./runtime.js";

/** The buffer has no more bytes than this. */
export const LARGEST = 256 * 1024 * 1024;
/** Bytes kept between calls; what a larger call needed is given back. */
export const KEPT = 256 * 1024;
/** The bytes of a count. */
export const COUNT = 4;
/** Up to this many units a loop beats the call of a native function (measured on Node 20). */
export const SHORT = 40;

const encoder = new TextEncoder();

/** The buffer. Empty before it is first needed. */
export let bytes: NodeBuffer = new Uint8Array(0);
/** Where the next byte goes. */
export let at = 0;
/** Who refuses what the buffer cannot hold, and how. */
let limit: Limit = { machine: "", must: "" };

export interface Limit {
  readonly machine: string;
  readonly field?: string;
  readonly must: string;
}

/** Has a buffer of `length` bytes, with those that were there. Views of memory die when it grows. */
export function refresh(length: number): void {
  const { memory } = wasm();
  const address = glue.bytesAddress(length);
  bytes =
    nodeBuffer(memory.buffer, address, length) ?? new Uint8Array(memory.buffer, address, length);
}

/** Begins to write. */
export function begin(given: Limit): void {
  if (bytes.byteLength === 0) refresh(KEPT);
  at = 0;
  limit = given;
}

/** Makes room. @throws {@link tooMuch} */
export function reserve(length: number): void {
  if (at + length <= bytes.length) return;
  if (at + length > LARGEST) throw tooMuch();
  refresh(Math.min(LARGEST, Math.max(bytes.length * 2, at + length)));
}

/** The error of what the buffer cannot hold. */
export function tooMuch(): TurnkeeperError {
  return refusal("limit_exceeded", limit.machine, limit.field, limit.must);
}

/** Calls `take` with the length of what was written, and returns the answer. */
export function taken<T>(take: (length: number) => T): T {
  try {
    return take(at);
  } finally {
    release();
  }
}

/** Gives back what only a large call needed. */
export function release(): void {
  if (bytes.length > KEPT) refresh(KEPT);
}

/** Goes on at another place. */
export function moveTo(place: number): void {
  at = place;
}

export function putByte(byte: number): void {
  reserve(1);
  bytes[at++] = byte;
}

export function writeCount(place: number, count: number): void {
  bytes[place] = count & 0xff;
  bytes[place + 1] = (count >> 8) & 0xff;
  bytes[place + 2] = (count >> 16) & 0xff;
  bytes[place + 3] = count >>> 24;
}

/** Writes an ASCII text after its length. Of any other one nothing stays, and the answer is `false`. */
export function putAscii(text: string): boolean {
  const { length } = text;
  reserve(COUNT + length + COUNT);
  const start = at + COUNT;
  if (length <= SHORT) {
    const target = bytes;
    let all = 0;
    for (let place = 0; place < length; place++) {
      const unit = text.charCodeAt(place);
      all |= unit;
      target[start + place] = unit;
    }
    if (all > 0x7f) return false;
  } else {
    // A look at both ends and the middle spares most other strings the attempt.
    const probe = text.charCodeAt(0) | text.charCodeAt(length >> 1) | text.charCodeAt(length - 1);
    if (probe > 0x7f || putUtf8(text, start, length) !== length) return false;
  }
  writeCount(at, length);
  at = start + length;
  return true;
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
