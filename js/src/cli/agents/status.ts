import { Command } from "commander";

import { Activity, type LogLine } from "../../agents/state/activity.js";
import { StateFolderError, stateFolder } from "../../agents/state/folder.js";
import { COMMAND } from "../command-name.js";
import { complain } from "../complain.js";
import { Output } from "../terminal/output.js";

import { isThere } from "./found.js";
import { Installation } from "./installed.js";
import { type AgentPlace, agentPlaces } from "./places.js";
import { Program } from "./program-command.js";
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
  let activity;
  try {
    activity = new Activity(state);
  } catch (error) {
    if (error instanceof StateFolderError) return complain(error.message);
    throw error;
  }
  const installation = new Installation(state);
  const program = new Program(state);
  const since = new Date(Date.now() - WEEK_MS).toISOString();
  const lines = activity.lines().filter(({ at }) => at >= since);
  for (const place of agentPlaces()) {
    const files = installation.of(place.agent);
    if (files.length === 0 && !isThere(place)) continue;
    output.line(output.bold(place.title));
    for (const { file, mode } of files) output.line(`  installed in mode ${mode}: ${file}`);
    if (files.length === 0) {
      output.line(`  not installed: ${COMMAND} install ${place.agent}`);
      continue;
    }
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

function summary(lines: readonly LogLine[]): string[] {
  const count = (what: LogLine["what"]): number => lines.filter((it) => it.what === what).length;
  const said = [
    `${count("nudge")} hints`,
    `${count("stop")} stops`,
    ...(count("found") > 0 ? [`${count("found")} loops found`] : []),
    ...(count("went_on") > 0 ? [`${count("went_on")} loops that went on`] : []),
    ...(count("ledger") > 0 ? [`${count("ledger")} ledgers`] : []),
  ];
  const last = lines.filter(({ what }) => what === "failure").at(-1);
  return [
    `in the last seven days: ${said.join(", ")}`,
    ...(last ? [`last failure, of ${count("failure")}: ${last.at} ${last.why ?? ""}`] : []),
  ];
}
