/** The mode that was installed for a project, which holds there beside another for all projects of the user. */

import { constants } from "node:fs";
import path from "node:path";

import { fields, objects, list, parsed, text } from "../../messages/fields.js";
import { type Mode, isMode } from "../modes.js";

import { textOf, withOwnFile } from "./regular-file.js";

const LONGEST_RECORD = 1 << 20;

/**
 * The mode in which `turnkeeper install` has installed an agent: for the project that a folder is in, the innermost
 * one, or else for all. Undefined if it was not installed.
 *
 * @param state the folder with the record of what was installed
 */
export function installedMode(state: string, agent: string, folder: string): Mode | undefined {
  const file = path.join(state, "installed.json");
  const record = withOwnFile(file, constants.O_RDONLY, (it) => textOf(it, LONGEST_RECORD));
  const around = objects(fields(parsed(record)).files).filter(
    ({ agents, project = folder }) =>
      list(agents).includes(agent) && typeof project === "string" && isWithin(folder, project),
  );
  const depth = ({ project }: { project?: unknown }): number => text(project)?.length ?? 0;
  const mode = text(around.sort((a, b) => depth(b) - depth(a))[0]?.mode);
  return mode !== undefined && isMode(mode) ? mode : undefined;
}

function isWithin(folder: string, outer: string): boolean {
  const way = path.relative(outer, folder);
  return way === "" || (way.split(path.sep)[0] !== ".." && !path.isAbsolute(way));
}
