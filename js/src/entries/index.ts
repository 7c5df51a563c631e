// The default entry: the module of all machines is inside, and compiled synchronously at the first use.

import packed from "../boundary/embedded-wasm.js";
import { setSource } from "../boundary/runtime.js";
import { unpack } from "../boundary/unpack.js";

export * from "./exports/all.js";

setSource(() => unpack(packed()));
