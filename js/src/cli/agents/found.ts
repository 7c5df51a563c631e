/** The agents that are there. */

import { existsSync } from "node:fs";
import path from "node:path";

import { isFile } from "../files/file-questions.js";

import type { AgentPlace } from "./places.js";

/** Whether an agent has left a folder of its own, or can be started. */
export function isThere({ folders, command }: AgentPlace): boolean {
  return (
    folders.some((folder) => existsSync(folder)) || (command !== undefined && isOnPath(command))
  );
}

function isOnPath(command: string): boolean {
  const ends = process.platform === "win32" ? [".exe", ".cmd", ".bat"] : [""];
  return (process.env.PATH ?? "")
    .split(path.delimiter)
    .filter((folder) => folder !== "")
    .some((folder) => ends.some((end) => isFile(path.join(folder, command + end))));
}
