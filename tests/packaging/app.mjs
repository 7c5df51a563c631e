// A user's app: a temporary folder with the packed package installed, and ways to run things in it.

import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
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

/** An app that has installed the package without a network, with `files` (name to text). */
export async function makeApp(files = {}) {
  const folder = temporaryFolder();
  writeFiles(folder, { "package.json": '{ "name": "app", "private": true }', ...files });
  const flags = ["--offline", "--ignore-scripts", "--no-audit", "--no-fund"];
  await run("npm", ["install", ...flags, tarball], { cwd: folder });
  return folder;
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
