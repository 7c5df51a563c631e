// The module of an entry is inside it, and compiled synchronously at the first use.

import packed from "../../boundary/embedded-wasm.js";
import { setSource } from "../../boundary/runtime.js";
import { unpack } from "../../boundary/unpack.js";

setSource(() => unpack(packed));
