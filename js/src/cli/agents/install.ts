import { homedir } from "node:os";
import { createInterface } from "node:readline/promises";

import { Command } from "commander";

import { AGENTS, type AgentName, type Watching } from "../../agents/agents.js";
import { stateFolder } from "../../agents/state/folder.js";
import { COMMAND } from "../command-name.js";
import { complain } from "../complain.js";
import { EXIT, exitCode } from "../exit-code.js";
import { unwritable } from "../files/file-errors.js";
import { Output } from "../terminal/output.js";

import { agentsArgument, economyOption, modeOption } from "./command-options.js";
import { UnreadableSettings } from "./file-change.js";
import { isThere } from "./found.js";
import { Installation } from "./installed.js";
import { agentPlaces } from "./places.js";
import { Program } from "./program-command.js";
import {
  type GivenSettings,
  changedSettings,
  exemptOption,
  offOption,
  thresholdOption,
} from "./settings-file.js";

interface InstallOptions extends Watching, GivenSettings {
  project?: true;
  yes?: true;
}

const MODES_EXPLAINED = `
Modes:
  watch   only a log, which "turnkeeper status" sums up
  hint    the model is told of a loop as a fact, and you of one that goes on;
          nothing is ended
  stop    a loop that goes on ends the turn

Agents: ${AGENTS.join(", ")}.
Without a name, those that are found here.`;

/** `turnkeeper install` */
export function installCommand(): Command {
  return new Command("install")
    .summary("watch the coding agents that you use")
    .description(
      "Let Turnkeeper watch the coding agents that you use, through their hooks and plugins.",
    )
    .addArgument(agentsArgument("the agents (default: those that are found)"))
    .option("--project", "only in this folder's project")
    .addOption(modeOption())
    .addOption(economyOption())
    .addOption(thresholdOption())
    .addOption(exemptOption())
    .addOption(offOption())
    .option("-y, --yes", "do not ask")
    .addHelpText("after", MODES_EXPLAINED)
    .action(install);
}

async function install(names: readonly AgentName[], options: InstallOptions): Promise<void> {
  const { mode, economy = false, project, yes } = options;
  const output = new Output();
  const settings = changedSettings(options, project ? process.cwd() : homedir());
  const found = names.length > 0 ? agentPlaces(names) : agentPlaces().filter(isThere);
  // Whoever switches it off has nothing to install.
  const places = options.off ? [] : found;
  if (found.length === 0 && settings === undefined) {
    return complain(`no agent is found here; name one of ${AGENTS.join(", ")}`);
  }
  const state = stateFolder();
  const program = new Program(state);
  const planned = places.flatMap((place) => {
    const folder = project && process.cwd();
    const changes = place.changes({ project: folder, program, mode, economy });
    if (changes) return [{ place, changes }];
    complain(`${place.title} has no settings ${project ? "for a project" : "here"}`);
    return [];
  });
  if (planned.length === 0 && settings === undefined) return;
  for (const { place, changes } of planned) {
    output.line(output.bold(place.title));
    for (const { file, summary } of changes) output.line(`  ${file}: ${summary}`);
  }
  if (settings) output.line(`${settings.file}: ${settings.summary}`);
  await flushed();
  if (!yes && !(await isConfirmed())) {
    return complain("nothing was changed; --yes installs without a question");
  }
  const copied = (): boolean => {
    program.copy();
    return true;
  };
  if (settings && !isChanged(settings.file, settings.write)) return;
  if (planned.length === 0) return output.ready();
  if (!isChanged(state, copied)) return;
  const installation = new Installation(state);
  for (const { place, changes } of planned) {
    for (const change of changes) {
      isChanged(change.file, () => installation.add(change, place.agent, mode));
    }
    if (place.note !== undefined) output.line(place.note);
  }
  if (exitCode() === EXIT.ok) {
    output.line(`Installed in mode ${mode}, for sessions that begin from now on.`);
    output.line(
      `"${COMMAND} status" says what was said, "${COMMAND} uninstall" takes it out again.`,
    );
  }
  await output.ready();
}

/** Changes a file or a folder, and complains if that cannot be: what `work` gives. */
export function isChanged(file: string, work: () => boolean): boolean {
  try {
    return work();
  } catch (error) {
    if (error instanceof UnreadableSettings) complain(error.message);
    else if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    else complain(`${file} ${unwritable(error as NodeJS.ErrnoException)}`);
    return false;
  }
}

/** Without a terminal nobody could answer. */
async function isConfirmed(): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return false;
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^(y|yes|)$/i.test((await lines.question("Write this? [Y/n] ")).trim());
  } finally {
    lines.close();
  }
}

/** The output's lines stand on the terminal before a question does. */
function flushed(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}
