import { homedir } from "node:os";
import { createInterface } from "node:readline";

import { Command } from "commander";

import { AGENTS, type AgentName, type Watching } from "../../agents/agents.js";
import { stateFolder } from "../../agents/state/folder.js";
import { COMMAND } from "../command-name.js";
import { complain } from "../complain.js";
import { EXIT, exitCode } from "../exit-code.js";
import { Output } from "../terminal/output.js";

import { agentsArgument, economyOption, modeOption } from "./command-options.js";
import { isThere } from "./found.js";
import { Installation } from "./installed.js";
import { type AgentPlace, agentPlaces } from "./places.js";
import { attempted } from "./problems.js";
import { Program } from "./program.js";
import {
  type GivenSettings,
  changedSettings,
  exemptOption,
  offOption,
  thresholdOption,
} from "./settings-file.js";
import { obstacles } from "./status.js";

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
  const { mode, economy = false, yes } = options;
  const project = options.project && process.cwd();
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
    const changes = place.changes({ project, program, mode, economy });
    if (changes) return [{ place, changes }];
    complain(`${place.title} has no settings ${project ? "for a project" : "here"}`);
    return [];
  });
  if (planned.length === 0 && settings === undefined) return;
  for (const { place, changes } of planned) {
    output.line(output.bold(place.title));
    for (const { file, summary } of changes) output.line(`  ${file}: ${summary}`);
    if (project !== undefined) output.line(`  ${sharing(place)}`);
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
  if (settings && !attempted(settings.file, settings.write)) return;
  if (planned.length === 0) return output.ready();
  if (!attempted(state, copied)) return;
  const installation = new Installation(state);
  for (const { place, changes } of planned) {
    const { agent, formerly, note } = place;
    const files = changes.map(({ file }) => file);
    for (const file of (formerly?.(project) ?? []).filter((it) => !files.includes(it))) {
      attempted(file, () => installation.remove(file, agent));
    }
    for (const change of changes) {
      attempted(change.file, () => installation.add(change, { agent, mode, project }));
    }
    for (const why of obstacles(place)) output.line(`${place.title} does not run hooks: ${why}`);
    if (note !== undefined) output.line(note);
  }
  if (exitCode() === EXIT.ok) {
    output.line(`Installed in mode ${mode}, for sessions that begin from now on.`);
    output.line(
      `"${COMMAND} status" says what was said, "${COMMAND} uninstall" takes it out again.`,
    );
  }
  await output.ready();
}

/** Who else gets a file of the project. */
function sharing({ isPersonal }: AgentPlace): string {
  return isPersonal
    ? "for you alone: leave it out of version control"
    : "shared if you commit it: it does nothing where Turnkeeper is not installed, and names no folder of yours. " +
        "To keep it to yourself, name it in .git/info/exclude.";
}

/** Without a terminal nobody could answer; whoever closes the input or interrupts says no. */
async function isConfirmed(): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return false;
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await new Promise<string | undefined>((resolve) => {
    lines.question("Write this? [Y/n] ", resolve);
    lines.once("close", () => resolve(undefined));
  });
  lines.close();
  // The cursor still stands after the question.
  if (answer === undefined) process.stdout.write("\n");
  return answer !== undefined && /^(y|yes|)$/i.test(answer.trim());
}

/** The output's lines stand on the terminal before a question does. */
function flushed(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}
