// The bytes of a module that is inside its entry: base64 of what deflate has made of them. Each step is by the
// quickest way that the platform has.

import type { inflateSync } from "./inflate.js";
import { unlessForbidden } from "./node-buffer.js";

type Bytes = Uint8Array<ArrayBuffer>;

interface Platform {
  Buffer?: { from(text: string, encoding: "base64"): Bytes };
  Uint8Array: { fromBase64?(text: string): Bytes };
  process?: {
    getBuiltinModule?(name: "node:zlib"): {
      inflateRawSync(bytes: Uint8Array, options: { chunkSize: number }): Bytes;
    };
  };
}

/**
 * Bundled, this runs the file at the first call: fflate makes its tables, which takes 4 ms, only where the
 * platform does not inflate.
 */
declare const require: (file: "./inflate.js") => { inflateSync: typeof inflateSync };

/** The bytes, unpacked by the platform where it can do that at once, which is several times as fast. */
export function unpack(packed: string): Bytes {
  const platform = globalThis as unknown as Platform;
  const bytes =
    platform.Uint8Array.fromBase64?.(packed) ??
    unlessForbidden(() => platform.Buffer?.from(packed, "base64")) ??
    bytesOf(atob(packed));
  const zlib = () => platform.process?.getBuiltinModule?.("node:zlib");
  return (
    // A module becomes less than three times as long, so that it comes in one piece, which takes a quarter less time.
    unlessForbidden(() => zlib()?.inflateRawSync(bytes, { chunkSize: 3 * bytes.length })) ??
    require("./inflate.js").inflateSync(bytes)
  );
}

function bytesOf(characters: string): Bytes {
  const bytes = new Uint8Array(characters.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = characters.charCodeAt(at);
  return bytes;
}
