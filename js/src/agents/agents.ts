/** The agents that have hooks or plugins, and how far a watch of them may go. */

/** Agents whose hooks run `turnkeeper hook`. */
export const HOOKED_AGENTS = [
  "claude-code",
  "vscode-copilot",
  "codex",
  "gemini-cli",
  "qwen-code",
  "copilot-cli",
  "cline",
  "cursor",
  "crush",
  "goose",
] as const;

/** Agents that load a plugin into their own process. */
export const PLUGIN_AGENTS = ["opencode", "kilo", "pi"] as const;

export const AGENTS = [...HOOKED_AGENTS, ...PLUGIN_AGENTS] as const;

export type HookedAgent = (typeof HOOKED_AGENTS)[number];
export type AgentName = (typeof AGENTS)[number];

/**
 * `watch`: log only. `hint`: the model is told of a loop, the user of a stop, and nothing is ended. `stop`:
 * a stop ends the turn.
 */
export const MODES = ["watch", "hint", "stop"] as const;
export type Mode = (typeof MODES)[number];
export const DEFAULT_MODE: Mode = "hint";

/** The reach of a watch. */
export interface Watching {
  mode: Mode;
  /** Whether a long result that an earlier call had becomes a line, where the agent lets a hook do that. */
  economy: boolean;
}

/** Agents that let a hook replace a result. */
export const REPLACING_AGENTS: readonly AgentName[] = ["claude-code", "copilot-cli"];

export function isHooked(name: string): name is HookedAgent {
  return (HOOKED_AGENTS as readonly string[]).includes(name);
}

export function isMode(name: string): name is Mode {
  return (MODES as readonly string[]).includes(name);
}
