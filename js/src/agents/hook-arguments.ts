/** The command line of a hook, read without a parser's package: it runs at each step of an agent. */

import { DEFAULT_MODE, type HookedAgent, type Watching, isHooked, isMode } from "./agents.js";

export interface HookArguments extends Watching {
  agent: HookedAgent;
  /** The event's name, where the payload does not have it. */
  event: string | undefined;
}

/**
 * Reads `<agent> [event] [--mode MODE] [--economy]`, and passes over options of another version. Undefined if the
 * agent or the mode is not known: an agent may take an exit code for a refusal, so a mistake has to be silent.
 */
export function hookArguments(args: readonly string[]): HookArguments | undefined {
  const words: string[] = [];
  let mode: string = DEFAULT_MODE;
  let economy = false;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!;
    if (arg === "--mode") mode = args[++at] ?? "";
    else if (arg.startsWith("--mode=")) mode = arg.slice("--mode=".length);
    else if (arg === "--economy") economy = true;
    else if (!arg.startsWith("-")) words.push(arg);
  }
  const [agent, event] = words;
  if (agent === undefined || !isHooked(agent) || !isMode(mode)) return undefined;
  return { agent, mode, economy, event };
}
