/** The agents that are there. */

import { existsSync, statSync } from "node:fs";
import path from "node:path";

import type { AgentPlace } from "./places.js";

/** Whether an agent has left a folder of its own, or can be started. */
export function isThere({ folders, command }: AgentPlace, env = process.env): boolean {
  return (
    folders.some((folder) => existsSync(folder)) ||
    (command !== undefined && isOnPath(command, env))
  );
}

function isOnPath(command: string, env: NodeJS.ProcessEnv): boolean {
  const names =
    process.platform === "win32" ? [".exe", ".cmd", ".bat"].map((it) => command + it) : [command];
  return (env.PATH ?? "")
    .split(path.delimiter)
    .filter((folder) => folder !== "")
    .some((folder) => names.some((name) => isFile(path.join(folder, name))));
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
}
