/** The mode in which an agent was installed for a project: it holds there, and nowhere else. */

import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";

import { fields, list, parsed } from "../../messages/fields.js";
import { type Mode, isMode } from "../agents.js";

interface Installed {
  /** The project's folder, or the one in which the user's own settings are. */
  folder: string;
  mode: Mode;
}

/**
 * The mode of the installation that is for a folder: that of the project which it is in, else one for all of the
 * user's projects. Undefined if there is none.
 *
 * @param state the folder with the record of what was installed
 */
export function installedMode(state: string, agent: string, folder: string): Mode | undefined {
  const all = installations(state, agent);
  const around = all.filter((it) => !isUsers(it) && isWithin(folder, it.folder));
  const [nearest] = around.sort((a, b) => b.folder.length - a.folder.length);
  return (nearest ?? all.find(isUsers))?.mode;
}

/** The same if an agent was installed in several modes, so that two hooks may answer one event. */
export function decidedMode(state: string, agent: string, folder: string): Mode | undefined {
  const modes = new Set(installations(state, agent).map(({ mode }) => mode));
  return modes.size > 1 ? installedMode(state, agent, folder) : undefined;
}

function installations(state: string, agent: string): Installed[] {
  let record;
  try {
    record = readFileSync(path.join(state, "installed.json"), "utf8");
  } catch {
    return [];
  }
  return list(fields(parsed(record)).files).flatMap((file) => {
    const { agents, mode, file: name } = fields(file);
    const isFor = list(agents).some((it) => READ_BY[String(it)]?.includes(agent) ?? it === agent);
    if (!isFor || typeof name !== "string" || typeof mode !== "string" || !isMode(mode)) return [];
    return [{ folder: folderOfSettings(name), mode }];
  });
}

/** Both of Copilot's programs run the hook of the command line. */
const READ_BY: Readonly<Record<string, readonly string[]>> = {
  "vscode-copilot": ["vscode-copilot", "copilot-cli"],
};

/** Folders of agents: what is in one is for the folder above it. */
const OF_AGENTS =
  /[\\/]\.(?:claude|codex|gemini|qwen|copilot|github|cursor|clinerules|cline|config|pi)(?:[\\/].*)?$/;

function folderOfSettings(file: string): string {
  const folder = path.dirname(file);
  return folder.replace(OF_AGENTS, "") || path.sep;
}

/** Variables that name the place of the user's own settings. */
const USERS_OWN = [
  ...["XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME", "CLINE_DIR"],
  ...["GEMINI_CLI_HOME", "QWEN_HOME", "PI_CODING_AGENT_DIR"],
];

function isUsers({ folder }: Installed): boolean {
  const named = USERS_OWN.flatMap((name) => process.env[name]?.split(",") ?? []);
  return folder === homedir() || named.some((it) => it !== "" && isWithin(folder, it));
}

function isWithin(folder: string, outer: string): boolean {
  const way = path.relative(outer, folder);
  return way === "" || (way !== ".." && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way));
}
