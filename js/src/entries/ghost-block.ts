// The ghost-block assembler alone, over a module of its own.

import packed from "../boundary/embedded-wasm.js";
import { setSource } from "../boundary/runtime.js";
import { unpack } from "../boundary/unpack.js";

export * from "./exports/ghost-block.js";

setSource(() => unpack(packed()));
