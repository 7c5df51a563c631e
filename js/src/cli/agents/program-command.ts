/** The copy of the package that agents run, and the command lines that start it. */

import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
} from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { type AgentName, REPLACING_AGENTS, type Watching } from "../../agents/agents.js";
import { makePrivate } from "../../agents/state/folder.js";

import { HOOK_FILE } from "./file-change.js";

/** The package's own folder, as this command runs from it. */
const PACKAGE = fileURLToPath(new URL("..", import.meta.url));

/** What of the package agents need: neither the command nor maps nor types. */
const NEEDED =
  /^(modules[\\/])?(turnkeeper-hook|loop-detector|summary-injector|errors|opencode|pi)\b.*\.[cm]js$/;

export class Program {
  readonly version: string;
  readonly #folder: string;

  /** @param state the state folder, since `npx` clears its cache and an update moves the package */
  constructor(state: string) {
    this.#folder = path.join(state, "package");
    this.version = versionIn(PACKAGE) ?? "";
  }

  get hook(): string {
    return path.join(this.#folder, "dist", HOOK_FILE);
  }

  /** The version that agents run, if there is one. */
  get copied(): string | undefined {
    return versionIn(this.#folder);
  }

  plugin(file: string, asUrl: boolean): string {
    const place = path.join(this.#folder, "dist", file);
    return asUrl ? pathToFileURL(place).href : place;
  }

  /** Copies the package. Each file takes its place in one step, since an agent may be running it. */
  copy(): void {
    makePrivate(path.dirname(this.#folder));
    const from = path.join(PACKAGE, "dist");
    const to = path.join(this.#folder, "dist");
    mkdirSync(path.join(to, "modules"), { recursive: true, mode: 0o700 });
    const names = readdirSync(from, { recursive: true, encoding: "utf8" });
    for (const name of names.filter((name) => NEEDED.test(name))) {
      put(path.join(from, name), path.join(to, name));
    }
    put(path.join(PACKAGE, "package.json"), path.join(this.#folder, "package.json"));
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function versionIn(folder: string): string | undefined {
  try {
    const manifest = readFileSync(path.join(folder, "package.json"), "utf8");
    return (JSON.parse(manifest) as { version: string }).version;
  } catch {
    return undefined;
  }
}

function put(from: string, to: string): void {
  const temporary = `${to}.${process.pid}.tmp`;
  copyFileSync(from, temporary);
  chmodSync(temporary, 0o600);
  renameSync(temporary, to);
}

/** A command line with absolute paths. It does not change with our version: Codex would ask for trust again. */
export function hookCommand({ hook }: Program, agent: AgentName, how: Watching): string {
  const words = [process.execPath, hook].map((word) => quoted(word, process.platform));
  return [...words, ...argumentsOf(agent, how)].join(" ");
}

export function powershellCommand(program: Program, agent: AgentName, how: Watching): string {
  const words = [process.execPath, program.hook].map((word) => `'${word.replaceAll("'", "''")}'`);
  return ["&", ...words, ...argumentsOf(agent, how)].join(" ");
}

function argumentsOf(agent: AgentName, { mode, economy }: Watching): string[] {
  const replaces = economy && REPLACING_AGENTS.includes(agent);
  return [agent, "--mode", mode, ...(replaces ? ["--economy"] : [])];
}

/** A word of a command line, for the shells of Windows or of other systems. */
export function quoted(word: string, platform: NodeJS.Platform): string {
  if (platform === "win32") return `"${word}"`;
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", "'\\''")}'`;
}
