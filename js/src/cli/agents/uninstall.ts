import { Command } from "commander";

import type { AgentName } from "../../agents/agents.js";
import { stateFolder } from "../../agents/state/folder.js";
import { COMMAND } from "../command-name.js";
import { EXIT, exitCode } from "../exit-code.js";
import { attempt } from "../files/file-questions.js";
import { Output } from "../terminal/output.js";

import { agentsArgument } from "./command-options.js";
import { Installation } from "./installed.js";
import { filesOf, recorded } from "./looking.js";
import { ours } from "./ours.js";
import { agentPlaces } from "./places.js";
import { attempted } from "./problems.js";
import { Program } from "./program.js";

/** `turnkeeper uninstall` */
export function uninstallCommand(): Command {
  return new Command("uninstall")
    .summary("take out what install has written")
    .description("Take out what install has written, here and in projects, and nothing else.")
    .addArgument(agentsArgument("the agents (default: all)"))
    .option("--project", "only in this folder's project")
    .option("-y, --yes", "accepted, as install does; it never asks")
    .action(uninstall);
}

async function uninstall(names: AgentName[], options: { project?: true }): Promise<void> {
  const output = new Output();
  const state = stateFolder();
  const program = new Program(state);
  const installation = new Installation(state);
  const here = process.cwd();
  const only = options.project && here;
  let changed = 0;
  for (const place of agentPlaces(names.length > 0 ? names : undefined)) {
    const known = recorded(installation, place, only).map(({ file }) => file);
    const files = new Set([...known, ...filesOf(place, program, [only])]);
    for (const file of files) {
      const isTakenOut = attempted(file, () => installation.remove(file, place.agent));
      if (!isTakenOut) continue;
      changed += 1;
      output.line(`${place.title}: taken out of ${file}`);
    }
    // What others have put into a project is theirs, unless this is asked for.
    for (const file of filesOf(place, program, [here]).filter((it) => !files.has(it))) {
      if ((attempt(() => ours(file)) ?? []).length === 0) continue;
      changed += 1;
      output.line(`${place.title}: left in ${file}; "${COMMAND} uninstall --project" takes it out`);
    }
  }
  const isAll = exitCode() === EXIT.ok;
  if (changed === 0 && isAll) output.line("There was nothing to take out.");
  if (isAll && !isNeeded(installation, program)) attempted(state, () => program.remove());
  await output.ready();
}

/** Whether something that is still there runs the program. */
function isNeeded(installation: Installation, program: Program): boolean {
  if (installation.files.length > 0) return true;
  const files = agentPlaces().flatMap((place) => filesOf(place, program, [undefined]));
  return files.some((file) => (attempt(() => ours(file)) ?? []).length > 0);
}
