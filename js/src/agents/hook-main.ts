/** `turnkeeper-hook.cjs`, for where there is no program. */

import type * as watch from "#watch";

import { hookArguments } from "./hook-arguments.js";
import { answerHook } from "./hook.js";

// Nothing here may end in an error, which an agent could take for a refusal.
process.on("uncaughtException", () => process.exit(0));
// A name that the compiler does not look up: the bundle has it beside itself.
const module: string = "./watch.mjs";
void answerHook(
  hookArguments(process.argv.slice(2)),
  () => import(module) as Promise<typeof watch>,
);
