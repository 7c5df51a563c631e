// The default entry: the loop detector of its own entry, and a module of the other machines, which is inside. Each is compiled
// synchronously when one of its machines is first needed.

import { setPreloadOfAnother } from "../boundary/runtime.js";
import { preload } from "./loop-detector.js";

export * from "./exports/all.js";
import "./exports/embedded.js";

setPreloadOfAnother(preload);
