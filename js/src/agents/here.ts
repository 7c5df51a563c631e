/** The folder in which an agent works, as far as its hook can tell. */

import { existsSync } from "node:fs";

import { firstText, list } from "./fields.js";
import type { Fields } from "./hook-event.js";

/** Agents set these for their hooks to the root of the project. */
const VARIABLES = ["CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "QWEN_PROJECT_DIR"];

/** The project's folder by the environment, by the event, or by where the hook was started. */
export function folderOf(payload: Fields, env: NodeJS.ProcessEnv = process.env): string {
  const named = [
    ...VARIABLES.map((name) => env[name]),
    payload.cwd,
    payload.working_dir,
    list(payload.workspace_roots)[0],
    list(payload.workspaceRoots)[0],
  ];
  return named.map((it) => firstText(it)).find((it) => it && existsSync(it)) ?? process.cwd();
}
