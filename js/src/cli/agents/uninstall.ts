import { Command } from "commander";

import { AGENTS, type AgentName } from "../../agents/agents.js";
import { stateFolder } from "../../agents/state/folder.js";
import { EXIT } from "../exit-code.js";
import { Output } from "../terminal/output.js";

import {
  type InstallationOptions,
  agentsArgument,
  placesOf,
  projectOption,
  scopeOf,
} from "./command-options.js";
import { complainOf } from "./install.js";
import { Installation } from "./installed.js";
import { Program } from "./program-command.js";

/** `turnkeeper uninstall` */
export function uninstallCommand(done: (exitCode: number) => void): Command {
  return new Command("uninstall")
    .summary("take out what install has written")
    .description("Take out what install has written, and nothing else.")
    .addArgument(agentsArgument("the agents (default: all)"))
    .addOption(projectOption("in this folder's project"))
    .action(async (names: AgentName[], options: InstallationOptions) =>
      done(await uninstall(names.length > 0 ? names : AGENTS, options)),
    );
}

async function uninstall(
  names: readonly AgentName[],
  options: InstallationOptions,
): Promise<number> {
  const output = new Output();
  const state = stateFolder();
  const program = new Program(state);
  const installation = new Installation(state);
  let code: number = EXIT.ok;
  let changed = 0;
  for (const place of placesOf(names)) {
    // Hooks of every mode are found.
    for (const change of place.changes(
      scopeOf(options),
      { mode: "stop", economy: true },
      program,
    ) ?? []) {
      try {
        if (!installation.remove(change, place.agent)) continue;
        changed += 1;
        output.line(`${place.title}: taken out of ${change.file}`);
      } catch (error) {
        code = complainOf(change, error);
      }
    }
  }
  if (changed === 0 && code === EXIT.ok) output.line("There was nothing to take out.");
  if (installation.files.length === 0 && code === EXIT.ok) program.remove();
  await output.ready();
  return code;
}
