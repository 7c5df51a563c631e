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

/** The text at an address: so many units of one byte, or of two if `isWide`. */
export function readText(place: Uint32Array): string {
  const [address = 0, units = 0, isWide = 0] = place;
  const { buffer } = wasm().memory;
  const length = isWide ? units * 2 : units;
  const bytes = nodeBuffer(buffer, address, length);
  if (bytes?.latin1Slice !== undefined) {
    return isWide ? bytes.ucs2Slice!(0, length) : bytes.latin1Slice(0, length);
  }
  // A decoder puts U+FFFD for a surrogate that stands alone.
  const text = decoders[isWide ? 1 : 0]!.decode(new Uint8Array(buffer, address, length));
  if (!isWide || !text.includes("\ufffd")) return text;
  const wide = new Uint16Array(buffer, address, units);
  let exact = "";
  for (let at = 0; at < units; at += PIECE) {
    exact += String.fromCharCode(...wide.subarray(at, at + PIECE));
  }
  return exact;
}
