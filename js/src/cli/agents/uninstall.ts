import { Command } from "commander";

import type { AgentName } from "../../agents/agents.js";
import { stateFolder } from "../../agents/state/folder.js";
import { EXIT, exitCode } from "../exit-code.js";
import { Output } from "../terminal/output.js";

import { agentsArgument } from "./command-options.js";
import { isChanged } from "./install.js";
import { Installation } from "./installed.js";
import { agentPlaces } from "./places.js";
import { Program } from "./program-command.js";

/** `turnkeeper uninstall` */
export function uninstallCommand(): Command {
  return new Command("uninstall")
    .summary("take out what install has written")
    .description("Take out what install has written, and nothing else.")
    .addArgument(agentsArgument("the agents (default: all)"))
    .option("--project", "in this folder's project")
    .action(uninstall);
}

async function uninstall(names: AgentName[], options: { project?: true }): Promise<void> {
  const output = new Output();
  const state = stateFolder();
  const program = new Program(state);
  const installation = new Installation(state);
  const project = options.project && process.cwd();
  let changed = 0;
  for (const place of agentPlaces(names.length > 0 ? names : undefined)) {
    // Hooks of every mode are found.
    for (const change of place.changes({ project, program, mode: "stop", economy: true }) ?? []) {
      if (!isChanged(change.file, () => installation.remove(change, place.agent))) continue;
      changed += 1;
      output.line(`${place.title}: taken out of ${change.file}`);
    }
  }
  const isAll = exitCode() === EXIT.ok;
  if (changed === 0 && isAll) output.line("There was nothing to take out.");
  if (installation.files.length === 0 && isAll) program.remove();
  await output.ready();
}
