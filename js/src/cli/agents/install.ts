import { createInterface } from "node:readline/promises";

import { Command, Option } from "commander";

import { AGENTS, type AgentName, DEFAULT_MODE, MODES, type Mode } from "../../agents/agents.js";
import { stateFolder } from "../../agents/state/folder.js";
import { COMMAND } from "../command-name.js";
import { complain } from "../complain.js";
import { EXIT } from "../exit-code.js";
import { unwritable } from "../files/file-errors.js";
import { Output } from "../terminal/output.js";

import {
  agentsArgument,
  economyOption,
  placesOf,
  projectOption,
  scopeOf,
} from "./command-options.js";
import { type FileChange, UnreadableSettings } from "./file-change.js";
import { isThere } from "./found.js";
import { Installation } from "./installed.js";
import type { AgentPlace } from "./places.js";
import { Program } from "./program-command.js";

interface InstallOptions {
  project?: true;
  mode: Mode;
  economy?: true;
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
export function installCommand(done: (exitCode: number) => void): Command {
  return new Command("install")
    .summary("watch the coding agents that you use")
    .description(
      "Let Turnkeeper watch the coding agents that you use, through their hooks and plugins.",
    )
    .addArgument(agentsArgument("the agents (default: those that are found)"))
    .addOption(projectOption("only in this folder's project"))
    .addOption(new Option("--mode <mode>", "how far it goes").choices(MODES).default(DEFAULT_MODE))
    .addOption(economyOption())
    .option("-y, --yes", "do not ask")
    .addHelpText("after", MODES_EXPLAINED)
    .action(async (names: AgentName[], options: InstallOptions) =>
      done(await install(names, options)),
    );
}

interface Planned {
  place: AgentPlace;
  changes: FileChange[];
}

async function install(names: readonly AgentName[], options: InstallOptions): Promise<number> {
  const output = new Output();
  const places =
    names.length > 0 ? placesOf(names) : placesOf(AGENTS).filter((place) => isThere(place));
  if (places.length === 0) {
    return complain(`no agent is found here; name one of ${AGENTS.join(", ")}`);
  }
  const state = stateFolder();
  const program = new Program(state);
  const { planned, code: planCode } = plan(places, options, program);
  if (planned.length === 0) return planCode;
  for (const { place, changes } of planned) {
    output.line(output.bold(place.title));
    for (const { file, summary } of changes) output.line(`  ${file}: ${summary}`);
  }
  await flushed();
  if (!options.yes && !(await isConfirmed())) {
    return complain("nothing was changed; --yes installs without a question");
  }
  let code = planCode;
  try {
    program.copy();
  } catch (error) {
    return complain(`${state} ${unwritable(error as NodeJS.ErrnoException)}`);
  }
  const installation = new Installation(state);
  for (const { place, changes } of planned) {
    for (const change of changes) {
      code = Math.max(code, write(installation, change, place, options.mode));
    }
    if (place.note !== undefined) output.line(place.note);
  }
  if (code === EXIT.ok) {
    output.line(`Installed in mode ${options.mode}, for sessions that begin from now on.`);
    output.line(
      `"${COMMAND} status" says what was said, "${COMMAND} uninstall" takes it out again.`,
    );
  }
  await output.ready();
  return code;
}

/** What is to be written, without those that cannot be. */
function plan(
  places: readonly AgentPlace[],
  options: InstallOptions,
  program: Program,
): { planned: Planned[]; code: number } {
  let code: number = EXIT.ok;
  const how = { mode: options.mode, economy: options.economy ?? false };
  const planned: Planned[] = [];
  for (const place of places) {
    const changes = place.changes(scopeOf(options), how, program);
    if (changes) planned.push({ place, changes });
    else
      code = complain(
        `${place.title} has no settings ${options.project ? "for a project" : "here"}`,
      );
  }
  return { planned, code };
}

function write(
  installation: Installation,
  change: FileChange,
  place: AgentPlace,
  mode: Mode,
): number {
  try {
    installation.add(change, place.agent, mode);
    return EXIT.ok;
  } catch (error) {
    return complainOf(change, error);
  }
}

/** What is wrong with a settings file. */
export function complainOf(change: FileChange, error: unknown): number {
  if (error instanceof UnreadableSettings) return complain(error.message);
  if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  return complain(`${change.file} ${unwritable(error as NodeJS.ErrnoException)}`);
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
