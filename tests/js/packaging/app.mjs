// A user's app: a temporary folder with the package in it as npm has installed it, and ways to run things there.

import { execFile } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const exec = promisify(execFile);

export const tarball = process.env.TURNKEEPER_TARBALL;
if (!tarball) throw new Error("TURNKEEPER_TARBALL is not set; run `cargo xtask test packaging`");

/** Node's major versions and their binaries. */
export const nodes = Object.entries(JSON.parse(process.env.TURNKEEPER_NODES ?? "{}"));

/** A folder of its own, removed at the end of the process. */
export function temporaryFolder() {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "turnkeeper-")));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** What npm has made of the tarball: once for all apps, of which each takes npm seconds. */
const installed = path.join(process.env.TURNKEEPER_APP, "node_modules");

/** An app that has installed the package, with `files` (name to text). */
export async function makeApp(files = {}) {
  const folder = temporaryFolder();
  cpSync(installed, path.join(folder, "node_modules"), { recursive: true });
  writeFiles(folder, { "package.json": '{ "name": "app", "private": true }', ...files });
  return folder;
}

/** The module that a file of the package carries: in base64, undefined if none. */
export function packedModule(app, file) {
  const code = readFileSync(path.join(app, "node_modules/turnkeeper/dist", file), "utf8");
  return /"([A-Za-z0-9+/=]{10000,})"/.exec(code)?.[1];
}

export function writeFiles(folder, files) {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** Runs a program, and fails with all that it printed if it fails. */
export async function run(program, args, options) {
  try {
    const { stdout } = await exec(program, args, { maxBuffer: 64 << 20, ...options });
    return stdout;
  } catch (error) {
    const command = [path.basename(program), ...args].join(" ");
    throw new Error(`${command} failed: ${error.message}\n${error.stdout}\n${error.stderr}`);
  }
}
