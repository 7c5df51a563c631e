/** `turnkeeper-hook.cjs`, which the settings of agents name: a small file, so that it starts quickly. */

import { hookArguments } from "./hook-arguments.js";
import { readStandardInput } from "./hook-input.js";
import { runHook } from "./hook.js";
import type { Machines } from "./judge.js";

// Set by the bundle, which is CommonJS.
declare const require: (file: string) => Machines;

const args = hookArguments(process.argv.slice(2));
if (args === undefined || process.env.TURNKEEPER === "off") {
  // An agent may not expect that nobody reads what it writes.
  readStandardInput();
} else {
  const answer = runHook(readStandardInput, {
    ...args,
    load: () => require("./index.cjs"),
    startedAt: performance.timeOrigin,
  });
  if (answer !== "") process.stdout.write(answer);
}
