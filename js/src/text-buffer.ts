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
 * units of each, and whether more follow. Ends early when `take` answers anything but 0, and returns
 * that answer.
 */
export function sendText(text: string, take: (units: number, goesOn: boolean) => number): number {
  let at = 0;
  for (; text.length - at > CAPACITY; at += CAPACITY) {
    const answer = take(put(text.slice(at, at + CAPACITY)), true);
    if (answer !== 0) return answer;
  }
  return take(put(at === 0 ? text : text.slice(at)), false);
}

function put(text: string): number {
  const length = text.length;
  if (units.byteLength === 0) refresh();
  if (length <= SHORT || buffer === undefined) {
    for (let at = 0; at < length; at++) units[at] = text.charCodeAt(at);
  } else if (buffer.ucs2Write !== undefined) {
    buffer.ucs2Write(text, 0, length * 2);
  } else {
    buffer.write!(text, 0, length * 2, "utf16le");
  }
  return length;
}
