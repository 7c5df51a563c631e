/** The mode that was installed for a project, which holds there beside another for all projects of the user. */

import { readFileSync } from "node:fs";
import path from "node:path";

import { fields, list, parsed, text } from "../../messages/fields.js";
import { type Mode, isMode } from "../agents.js";

/**
 * The mode of the project that a folder is in, the innermost one. Undefined if none is installed there: the mode is
 * then that of the hook's own line.
 *
 * @param state the folder with the record of what was installed
 */
export function modeOfProject(state: string, agent: string, folder: string): Mode | undefined {
  const around = recorded(state).filter(({ agents, project }) => {
    const isFor = list(agents).some((it) => it === agent || READ_BY[String(it)] === agent);
    return isFor && typeof project === "string" && isWithin(folder, project);
  });
  const depth = ({ project }: { project?: unknown }): number => text(project)!.length;
  const mode = text(around.sort((a, b) => depth(b) - depth(a))[0]?.mode);
  return mode !== undefined && isMode(mode) ? mode : undefined;
}

function recorded(state: string) {
  try {
    const record = readFileSync(path.join(state, "installed.json"), "utf8");
    return list(fields(parsed(record)).files).map(fields);
  } catch {
    return [];
  }
}

/** Both programs of Copilot run the hook of the command line. */
const READ_BY: Readonly<Record<string, string>> = { "vscode-copilot": "copilot-cli" };

function isWithin(folder: string, outer: string): boolean {
  const way = path.relative(outer, folder);
  return way === "" || (way.split(path.sep)[0] !== ".." && !path.isAbsolute(way));
}
