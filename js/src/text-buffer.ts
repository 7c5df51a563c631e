// Text on its way into Wasm memory, as the UTF-16 code units that JavaScript has anyway.

import * as glue from "../glue/turnkeeper.js";
import { nodeBuffer, type NodeBuffer } from "./node-buffer.js";
import { wasm } from "./runtime.js";

/** Up to so many units a loop beats the call of a native function (measured on Node 20). */
const SHORT = 24;
/** Units of text that cross at once; longer texts cross in pieces. */
const CAPACITY = 16 * 1024;

let units = new Uint16Array(0);
let buffer: NodeBuffer | undefined;

/** Views of memory die when it grows. */
function refresh(): void {
  const { memory } = wasm();
  const at = glue.textAddress(CAPACITY);
  units = new Uint16Array(memory.buffer, at, CAPACITY);
  buffer = nodeBuffer(memory.buffer, at, CAPACITY * 2);
}

/**
 * Writes `text` into the text buffer, in pieces if it is long, and calls `take` with the number of
 * units of each. Ends early when `take` answers anything but 0, and returns that answer.
 */
export function sendText(text: string, take: (units: number) => number): number {
  if (text.length <= CAPACITY) return sendPiece(text, take);
  for (let at = 0; at < text.length; at += CAPACITY) {
    const answer = sendPiece(text.slice(at, at + CAPACITY), take);
    if (answer !== 0) return answer;
  }
  return 0;
}

function sendPiece(text: string, take: (units: number) => number): number {
  const length = text.length;
  if (units.byteLength === 0) refresh();
  if (length <= SHORT || buffer === undefined) {
    for (let at = 0; at < length; at++) units[at] = text.charCodeAt(at);
  } else if (buffer.ucs2Write !== undefined) {
    buffer.ucs2Write(text, 0, length * 2);
  } else {
    buffer.write!(text, 0, length * 2, "utf16le");
  }
  return take(length);
}
