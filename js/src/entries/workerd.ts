// For workerd, which compiles no Wasm at run time but imports it as a compiled module.

import module from "./turnkeeper.wasm";
import { setSource } from "../boundary/runtime.js";

export * from "./exports/all.js";

setSource(() => module);
