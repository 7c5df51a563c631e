// Text on its way into Wasm memory, as the UTF-16 code units that JavaScript has anyway.

import * as glue from "../../glue/turnkeeper.js";
import { nodeBuffer, type NodeBuffer } from "./node-buffer.js";
import { wasm } from "./runtime.js";

/** Up to this many units a loop beats the call of a native function (measured on Node 20). */
const SHORT = 24;
/** Units of text that the buffer always holds. A longer text makes it grow for one call. */
const CAPACITY = 16 * 1024;

let units = new Uint16Array(0);
let buffer: NodeBuffer | undefined;

/** Views of memory die when it grows. */
function refresh(capacity: number): void {
  const { memory } = wasm();
  const at = glue.textAddress(capacity);
  units = new Uint16Array(memory.buffer, at, capacity);
  buffer = nodeBuffer(memory.buffer, at, capacity * 2);
}

/**
 * Writes `text` into the text buffer, calls `take` with the number of its units, and returns the
 * answer.
 */
export function sendText<T>(text: string, take: (units: number) => T): T {
  const { length } = text;
  // A view whose memory has grown has no bytes left.
  if (length > units.length || units.byteLength === 0) refresh(Math.max(length, CAPACITY));
  put(text);
  try {
    return take(length);
  } finally {
    if (length > CAPACITY) refresh(CAPACITY);
  }
}

function put(text: string): void {
  const { length } = text;
  if (length <= SHORT || buffer === undefined) {
    for (let at = 0; at < length; at++) units[at] = text.charCodeAt(at);
  } else if (buffer.ucs2Write !== undefined) {
    buffer.ucs2Write(text, 0, length * 2);
  } else {
    buffer.write!(text, 0, length * 2, "utf16le");
  }
}
