// The default entry: the Wasm is inside, and compiled synchronously at the first use.

import base64 from "../glue/turnkeeper_bg.wasm";
import { setSource } from "./runtime.js";

export * from "./api.js";

/** Node's Buffer, where there is one, decodes much faster than a loop. */
const Base64 = (
  globalThis as { Buffer?: { from(text: string, encoding: "base64"): Uint8Array<ArrayBuffer> } }
).Buffer;

setSource(() => {
  if (Base64 !== undefined) return Base64.from(base64, "base64");
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
});
