// The package as users get it: installed from the packed tarball.
//
// TURNKEEPER_APP names a folder that has it installed already; without it, TURNKEEPER_TARBALL is
// installed into a temporary folder.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";

/** The folder of an app that has the package in its node_modules. */
export const app = path.resolve(process.env.TURNKEEPER_APP ?? installTarball());

const require = createRequire(path.join(app, "app.cjs"));

/** What an import specifier such as `turnkeeper/adapters/gemini` gives in that app. */
export const load = (specifier) => require(specifier);

export const turnkeeper = load("turnkeeper");

/** The file of the package's command, and the version that it should tell. */
export const { command, version } = readManifest();

function installTarball() {
  const tarball = process.env.TURNKEEPER_TARBALL;
  if (!tarball) throw new Error("set TURNKEEPER_APP or TURNKEEPER_TARBALL");
  const folder = mkdtempSync(path.join(tmpdir(), "turnkeeper-app-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(path.join(folder, "package.json"), '{ "private": true }\n');
  const options = ["--offline", "--ignore-scripts", "--no-audit", "--no-fund"];
  execFileSync("npm", ["install", ...options, path.resolve(tarball)], {
    cwd: folder,
    stdio: "pipe",
  });
  return folder;
}

function readManifest() {
  const file = require.resolve("turnkeeper/package.json");
  const manifest = JSON.parse(readFileSync(file, "utf8"));
  return {
    command: path.join(path.dirname(file), manifest.bin.turnkeeper),
    version: manifest.version,
  };
}
