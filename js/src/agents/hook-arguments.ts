/** The command line of a hook, read without a parser's package: it runs at each step of an agent. */

import { DEFAULT_MODE, type HookedAgent, type Mode, isHooked, isMode } from "./agents.js";

export interface HookArguments {
  agent: HookedAgent;
  mode: Mode;
  event?: string;
}

/** Reads `<agent> [event] [--mode MODE]`; undefined if it is none. */
export function hookArguments(args: readonly string[]): HookArguments | undefined {
  const words: string[] = [];
  let mode: string = DEFAULT_MODE;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!;
    if (arg === "--mode") mode = args[++at] ?? "";
    else if (arg.startsWith("--mode=")) mode = arg.slice("--mode=".length);
    else words.push(arg);
  }
  const [agent, event] = words;
  if (agent === undefined || !isHooked(agent) || !isMode(mode)) return undefined;
  return { agent, mode, ...(event !== undefined && { event }) };
}
