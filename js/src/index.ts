// The default entry: the Wasm is inside, and compiled synchronously at the first use.

import base64 from "../glue/turnkeeper_bg.wasm";
import { setSource } from "./runtime.js";

export * from "./api.js";

setSource(() => {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
});
