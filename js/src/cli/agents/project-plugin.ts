/**
 * Modules in a project's folder that load our plugin. Whoever shares the project gets them as well, so they look
 * for the program of whoever runs the agent, and do nothing where there is none.
 */

import type { Mode } from "../../agents/agents.js";

import { PROGRAM_BELOW } from "./program.js";

/** The module of opencode and Kilo. */
export function openCodeModule(mode: Mode): string {
  return moduleOf(
    "opencode.mjs",
    `export const Turnkeeper = async (input) => {
  const { server } = await plugin();
  return server ? server(input, ${optionsOf(mode)}) : {};
};`,
  );
}

export function piModule(mode: Mode): string {
  return moduleOf(
    "pi.mjs",
    `export default async function turnkeeper(pi) {
  const { default: register } = await plugin();
  register?.(pi, ${optionsOf(mode)});
}`,
  );
}

function optionsOf(mode: Mode): string {
  return `{ mode: ${JSON.stringify(mode)} }`;
}

function moduleOf(file: string, body: string): string {
  return `// Turnkeeper: written by "turnkeeper install --project", and taken out by "turnkeeper uninstall".
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

/** The plugin of whoever runs this; nothing where Turnkeeper is not installed. */
async function plugin() {
  const { TURNKEEPER_STATE, XDG_STATE_HOME = "", LOCALAPPDATA = "" } = process.env;
  const usual = [XDG_STATE_HOME, path.join(homedir(), ".local/state"), LOCALAPPDATA];
  const folders = [...usual, path.join(homedir(), "Library/Application Support")];
  const files = [TURNKEEPER_STATE, ...folders.map((it) => it && path.join(it, "turnkeeper"))]
    .filter(Boolean)
    .map((folder) => path.join(folder, "${PROGRAM_BELOW}/dist/${file}"));
  const found = files.find((it) => existsSync(it));
  try {
    return found ? await import(pathToFileURL(found).href) : {};
  } catch {
    return {};
  }
}

${body}
`;
}
