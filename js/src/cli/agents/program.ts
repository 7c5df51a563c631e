/** The copy of the package that agents run, and the Node that runs it. */

import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { makePrivate } from "../../agents/state/folder.js";
import { isFile } from "../files/file-questions.js";

import { HOOK_FILE } from "./file-change.js";

/** The package's own folder, as this command runs from it. */
const PACKAGE = fileURLToPath(new URL("..", import.meta.url));

/** The folder of the copy, below the state folder. */
export const PROGRAM_BELOW = "package";

/** A link to Node in the copy's folder, for agents that are started without a shell's PATH. */
export const LINKED_NODE = "node";

/** What of the package agents need: neither the command nor maps nor types. */
const NEEDED =
  /^(modules[\\/])?(turnkeeper-hook|loop-detector|summary-injector|errors|opencode|pi)\b.*\.[cm]js$/;

export class Program {
  readonly version: string;
  readonly #folder: string;

  /** @param state the state folder, since `npx` clears its cache and an update moves the package */
  constructor(state: string) {
    this.#folder = path.join(state, PROGRAM_BELOW);
    this.version = versionIn(PACKAGE) ?? "";
  }

  get hook(): string {
    return path.join(this.#folder, "dist", HOOK_FILE);
  }

  /** The version that agents run, if there is one. */
  get copied(): string | undefined {
    return versionIn(this.#folder);
  }

  /** The Node that runs the hook; undefined if there is none any more. */
  get node(): string | undefined {
    const link = path.join(this.#folder, LINKED_NODE);
    return existsSync(link) ? realpathSync(link) : onPath("node")[0];
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
    if (process.platform === "win32") return;
    const link = path.join(this.#folder, LINKED_NODE);
    symlinkSync(lastingNode(), temporaryOf(link));
    renameSync(temporaryOf(link), link);
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
  const temporary = temporaryOf(to);
  copyFileSync(from, temporary);
  chmodSync(temporary, 0o600);
  renameSync(temporary, to);
}

function temporaryOf(file: string): string {
  return `${file}.${process.pid}.tmp`;
}

/**
 * The name of Node that an upgrade leaves: the first on the PATH that is neither in one version's folder nor made for
 * one shell, such as a package manager's link or a shim; else the Node that runs this.
 */
function lastingNode(): string {
  const lasting = onPath("node").filter((file) => !PASSING.test(file));
  return lasting.find(isNewEnough) ?? process.execPath;
}

/** Whether a Node, or a shim that starts one, runs the hook. */
function isNewEnough(node: string): boolean {
  const { stdout } = spawnSync(node, ["--version"], { encoding: "utf8" });
  return Number(/^v(\d+)\./.exec(stdout ?? "")?.[1]) >= OLDEST_NODE;
}

const OLDEST_NODE = 18;

/** Folders of one version, and those of a shell's session. */
const PASSING = /[\\/@v-]\d+\.\d+|[\\/](?:Cellar|fnm_multishells)[\\/]|^\/nix\/store\//;

/** The files on the PATH that a command may mean, in the order in which they are looked for. */
export function onPath(command: string): string[] {
  const ends = process.platform === "win32" ? [".exe", ".cmd", ".bat"] : [""];
  return (process.env.PATH ?? "")
    .split(path.delimiter)
    .filter((folder) => folder !== "")
    .flatMap((folder) => ends.map((end) => path.join(folder, command + end)))
    .filter(isFile);
}
