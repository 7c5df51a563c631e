/** `turnkeeper-hook.cjs`, which the settings of agents name: a small file, so that it starts quickly. */

import { hookArguments } from "./hook-arguments.js";
import { answerHook } from "./hook.js";
import type { Machines } from "./judge.js";

// Set by the bundle, which is CommonJS.
declare const require: (file: string) => Machines;

/** A machine's module is loaded by the first event that needs it. */
const machines: Machines = {
  get LoopDetector() {
    return require("./loop-detector.cjs").LoopDetector;
  },
  get WorkLedger() {
    return require("./summary-injector.cjs").WorkLedger;
  },
};

// Nothing here may end in an error, which an agent could take for a refusal.
process.on("uncaughtException", () => process.exit(0));
answerHook(hookArguments(process.argv.slice(2)), machines);
