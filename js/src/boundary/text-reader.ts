// Text on its way out of Wasm memory.

import { nodeBuffer } from "./node-buffer.js";
import { wasm } from "./runtime.js";

// Without `ignoreBOM`, a decoder drops U+FEFF at the start.
const decoders = [
  new TextDecoder("latin1"),
  new TextDecoder("utf-16le", { ignoreBOM: true }),
] as const;

/** Units that `String.fromCharCode` takes at once. */
const PIECE = 8_192;

/** Where in Wasm memory a text lies, as `src/base/boundary/texts.rs` tells it. */
export interface TextPlace {
  address: number;
  /** In UTF-16 code units. */
  length: number;
  /** Whether a unit takes two bytes; otherwise all are ASCII, in one byte each. */
  isWide: boolean;
}

/** A text that the module lends until the next call. */
export function readLent({ address, length, isWide }: TextPlace): string {
  const { buffer } = wasm().memory;
  const size = isWide ? length * 2 : length;
  const bytes = nodeBuffer(buffer, address, size);
  if (bytes?.latin1Slice !== undefined) {
    return isWide ? bytes.ucs2Slice!(0, size) : bytes.latin1Slice(0, size);
  }
  // A decoder puts U+FFFD for an unpaired surrogate.
  const text = decoders[isWide ? 1 : 0].decode(new Uint8Array(buffer, address, size));
  if (!isWide || !text.includes("\ufffd")) return text;
  const wide = new Uint16Array(buffer, address, length);
  let exact = "";
  for (let at = 0; at < length; at += PIECE) {
    exact += String.fromCharCode(...wide.subarray(at, at + PIECE));
  }
  return exact;
}

/** The text at an address: its units, of one byte, or of two if the third number is not 0. */
export function readText(place: Uint32Array): string {
  const [address = 0, length = 0, isWide = 0] = place;
  return readLent({ address, length, isWide: isWide !== 0 });
}
