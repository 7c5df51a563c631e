/** Options that `install`, `uninstall` and `hook` have in common. */

import { Argument, Option } from "commander";

import { AGENTS, DEFAULT_MODE, MODES } from "../../agents/agents.js";
import { oneOrMore } from "../options.js";

export function agentsArgument(what: string): Argument {
  return new Argument("[agent...]", what).argParser(oneOrMore(AGENTS));
}

export function modeOption(): Option {
  return new Option("--mode <mode>", "how far it goes").choices(MODES).default(DEFAULT_MODE);
}

export function economyOption(): Option {
  return new Option(
    "--economy",
    "send a long result that came before as one line (Claude Code, Copilot CLI)",
  );
}
