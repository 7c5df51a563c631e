// The default entry: the Wasm is inside, and compiled synchronously at the first use.

import { text, unpacker } from "./packed-wasm.js";
import { setSource } from "./runtime.js";

export * from "./api.js";

setSource(() => {
  const module = new WebAssembly.Module(
    Uint8Array.from(atob(unpacker), (character) => character.charCodeAt(0)),
  );
  const { memory, unpack } = new WebAssembly.Instance(module).exports as {
    memory: WebAssembly.Memory;
    unpack: (length: number) => number;
  };
  new TextEncoder().encodeInto(text, new Uint8Array(memory.buffer));
  return new Uint8Array(memory.buffer, 0, unpack(text.length));
});
