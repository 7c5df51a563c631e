/** `turnkeeper-hook.cjs`, for where there is no program. */

import type * as watch from "#watch";

import { hookArguments } from "./hook-arguments.js";
import { answerHook } from "./hook.js";

// Set by the bundle, which is CommonJS.
declare const require: (file: string) => typeof watch;

// Nothing here may end in an error, which an agent could take for a refusal.
process.on("uncaughtException", () => process.exit(0));
answerHook(hookArguments(process.argv.slice(2)), () => require("./watch.cjs"));
