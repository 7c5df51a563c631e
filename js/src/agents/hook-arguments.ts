/** The command line of a hook. */

import { DEFAULT_MODE, type Mode, isMode } from "./modes.js";

export interface HookArguments {
  agent: string;
  mode: Mode;
  /** Whether a long result that an earlier call had becomes a line, where the agent lets a hook do that. */
  economy: boolean;
  /** The event's name, where the payload does not have it. */
  event?: string;
}

/**
 * Reads `<agent> [event] [--mode MODE] [--economy]`, and passes over options of another version. Undefined without an
 * agent or for an unknown mode: an agent may take an exit code for a refusal, so a mistake has to be silent.
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
  if (agent === undefined || !isMode(mode)) return undefined;
  return { agent, mode, economy, ...(event !== undefined && { event }) };
}
