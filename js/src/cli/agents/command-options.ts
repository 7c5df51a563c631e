/** What `install`, `uninstall` and `status` have in common. */

import { Argument, Option } from "commander";

import { AGENTS, type AgentName } from "../../agents/agents.js";
import { oneOrMore } from "../options.js";

import { type AgentPlace, type Scope, agentPlaces } from "./places.js";

export interface InstallationOptions {
  project?: true;
}

export function agentsArgument(what: string): Argument {
  return new Argument("[agent...]", what).argParser(oneOrMore(AGENTS));
}

export function projectOption(what: string): Option {
  return new Option("--project", what);
}

export function economyOption(): Option {
  return new Option(
    "--economy",
    "send a long result that came before as one line (Claude Code, Copilot CLI)",
  );
}

export function scopeOf({ project }: InstallationOptions): Scope {
  return project ? { project: process.cwd() } : "user";
}

export function placesOf(names: readonly AgentName[]): AgentPlace[] {
  return agentPlaces().filter(({ agent }) => names.includes(agent));
}
