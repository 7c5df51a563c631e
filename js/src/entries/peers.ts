// The loop detectors of other agents, over a module of their own.

import packed from "../boundary/embedded-wasm.js";
import { setSource } from "../boundary/runtime.js";
import { unpack } from "../boundary/unpack.js";

export * from "./exports/peers.js";

setSource(() => unpack(packed()));
