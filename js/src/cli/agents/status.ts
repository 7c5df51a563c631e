import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { Command } from "commander";

import { Activity, type LogLine } from "../../agents/state/activity.js";
import { stateFolder } from "../../agents/state/folder.js";
import { COMMAND } from "../command-name.js";
import { Output } from "../terminal/output.js";

import { isThere } from "./found.js";
import { wordsOf } from "./hook-line.js";
import { Installation } from "./installed.js";
import { filesOf } from "./looking.js";
import { ours } from "./ours.js";
import { type AgentPlace, agentPlaces } from "./places.js";
import { attempted, problemWith } from "./problems.js";
import { Program } from "./program.js";
import { settingsHere } from "./settings-file.js";

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

/** `turnkeeper status` */
export function statusCommand(): Command {
  return new Command("status")
    .summary("show which agents are watched, and what was said to them")
    .description("Show which agents are watched, and what was said in the last seven days.")
    .action(status);
}

async function status(): Promise<void> {
  const output = new Output();
  const state = stateFolder();
  const activity = attempted(state, () => new Activity(state));
  if (activity === undefined) return;
  const installation = new Installation(state);
  const program = new Program(state);
  const since = new Date(Date.now() - WEEK_MS).toISOString();
  const lines = activity.lines().filter(({ at }) => at >= since);
  for (const place of agentPlaces()) {
    const told = installationsOf(place, installation, program);
    if (told.length === 0 && !isThere(place)) continue;
    output.line(output.bold(place.title));
    for (const line of told) output.line(`  ${line}`);
    if (told.length === 0) {
      output.line(`  not installed: ${COMMAND} install ${place.agent}`);
      continue;
    }
    for (const why of obstacles(place)) output.line(`  does not run: ${why}`);
    output.line(`  ${lastEvent(activity.lastHeard(heardAs(place)), place)}`);
    for (const said of summary(lines.filter(({ agent }) => agent === heardAs(place)))) {
      output.line(`  ${said}`);
    }
  }
  const { copied, version } = program;
  if (copied !== undefined && copied !== version) {
    output.line(`The agents run version ${copied}; "${COMMAND} install" renews it to ${version}.`);
  }
  for (const line of settingsHere()) output.line(line);
  output.line(`Log: ${activity.file}`);
  await output.ready();
}

/** Settings of an agent that keep its hooks from running. */
export function obstacles({ switches = [] }: AgentPlace): string[] {
  return switches.map((why) => why()).filter((why) => why !== undefined);
}

/** What stands in an agent's files, as they are now, and whether it runs. */
function installationsOf(
  place: AgentPlace,
  installation: Installation,
  program: Program,
): string[] {
  const known = installation.of(place.agent);
  const files = new Set([
    ...known.map(({ file }) => file),
    ...filesOf(place, program, [undefined, process.cwd()]),
  ]);
  return [...files].flatMap((file) => {
    const record = known.find((it) => it.file === file);
    try {
      return fileLines(file, place, program, record);
    } catch (error) {
      return record ? [problemWith(file, error)] : [];
    }
  });
}

function fileLines(
  file: string,
  { agent }: AgentPlace,
  program: Program,
  record: Installation["files"][number] | undefined,
): string[] {
  const found = ours(file);
  const isWhole = record !== undefined && existsSync(file) && isOwnModule(file);
  if (found.length === 0 && !isWhole) {
    if (record === undefined) return [];
    return [`gone from ${file}; "${COMMAND} install ${agent}" writes it again`];
  }
  const mode = modeIn(found) ?? record?.mode;
  const missing = missingFor(found, program);
  return [
    `installed${mode === undefined ? "" : ` in mode ${mode}`}: ${file}`,
    ...missing.map((it) => `does not run: ${it}; "${COMMAND} install ${agent}" repairs it`),
  ];
}

/** Modules and manifests of ours name no program. */
function isOwnModule(file: string): boolean {
  return /[\\/]turnkeeper(?:\.js|[\\/]plugin\.json)$/.test(file);
}

function modeIn(lines: readonly string[]): string | undefined {
  return lines.map((line) => / --mode (\w+)/.exec(line)?.[1]).find((mode) => mode !== undefined);
}

/** What lines of hooks, or plugins, need and is not there. */
function missingFor(found: readonly string[], program: Program): string[] {
  const isLine = (it: string): boolean => it.includes(" --mode ");
  const named = found
    .flatMap((it) => (isLine(it) ? wordsOf(it) : [it.startsWith("file:") ? fileURLToPath(it) : it]))
    .filter((word) => path.isAbsolute(word));
  const needed = named.length > 0 ? named : [program.hook];
  const missing = [...new Set(needed)].filter((it) => !existsSync(it));
  const isNodeMissing = found.some(isLine) && !program.node;
  return [...missing.map((it) => `${it} is gone`), ...(isNodeMissing ? ["Node is gone"] : [])];
}

/** The two readers of Copilot's files run the same hook. */
function heardAs({ agent }: AgentPlace): string {
  return agent === "vscode-copilot" ? "copilot-cli" : agent;
}

function lastEvent(heard: Date | undefined, { agent }: AgentPlace): string {
  if (heard !== undefined) return `last event: ${heard.toISOString()}`;
  return agent === "codex"
    ? "no event yet: it may not trust the hooks, which /hooks in it shows"
    : "no event yet";
}

/** A loop that nobody ended is no stop, whatever the detector has asked for. */
function summary(lines: readonly LogLine[]): string[] {
  const told: [what: LogLine["what"], one: string, several: string][] = [
    ["nudge", "hint", "hints"],
    ["found", "loop found", "loops found"],
    ["went_on", "loop that went on", "loops that went on"],
    ["stop", "stop", "stops"],
    ["ledger", "ledger", "ledgers"],
  ];
  const said = told
    .map(([what, one, several]) => [lines.filter((it) => it.what === what).length, one, several])
    .filter(([number]) => number !== 0)
    .map(([number, one, several]) => `${number} ${number === 1 ? one : several}`);
  const failures = lines.filter(({ what }) => what === "failure");
  const last = failures.at(-1);
  return [
    `in the last seven days: ${said.join(", ") || "nothing to say"}`,
    ...(last ? [`last failure, of ${failures.length}: ${last.at} ${last.why ?? ""}`] : []),
  ];
}
