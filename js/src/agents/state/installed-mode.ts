/** The mode that was installed for a project, which holds there beside another for all projects of the user. */

import { constants } from "node:fs";
import path from "node:path";

import { type Fields, fields, list, parsed, text } from "../../messages/fields.js";
import { type Mode, isMode } from "../modes.js";

import { textOf, withOwnFile } from "./regular-file.js";

const LONGEST_RECORD = 1 << 20;

/**
 * The mode of the project that a folder is in, the innermost one. Undefined if none is installed there: the mode is
 * then that of the hook's own line.
 *
 * @param state the folder with the record of what was installed
 */
export function modeOfProject(state: string, agent: string, folder: string): Mode | undefined {
  const around = recorded(state, agent).filter(
    ({ project }) => typeof project === "string" && isWithin(folder, project),
  );
  const depth = ({ project }: { project?: unknown }): number => text(project)!.length;
  return modeOf(around.sort((a, b) => depth(b) - depth(a))[0]);
}

/** The mode for all projects of the user. Undefined if it is installed for none or for some alone. */
export function modeOfUser(state: string, agent: string): Mode | undefined {
  return modeOf(recorded(state, agent).find(({ project }) => project === undefined));
}

function modeOf(file: Fields | undefined): Mode | undefined {
  const mode = text(file?.mode);
  return mode !== undefined && isMode(mode) ? mode : undefined;
}

/** The files that were changed for an agent. */
function recorded(state: string, agent: string): Fields[] {
  let record;
  try {
    const file = path.join(state, "installed.json");
    record = withOwnFile(file, constants.O_RDONLY, (it) => textOf(it, LONGEST_RECORD));
  } catch {
    return [];
  }
  const isFor = (it: unknown): boolean => it === agent || READ_BY[String(it)] === agent;
  const files = list(fields(parsed(record)).files).map(fields);
  return files.filter(({ agents }) => list(agents).some(isFor));
}

/** Both programs of Copilot run the hook of the command line. */
const READ_BY: Readonly<Record<string, string>> = { "vscode-copilot": "copilot-cli" };

function isWithin(folder: string, outer: string): boolean {
  const way = path.relative(outer, folder);
  return way === "" || (way.split(path.sep)[0] !== ".." && !path.isAbsolute(way));
}
