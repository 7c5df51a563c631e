// The command `turnkeeper` of the npm package: it starts the program of the platform's own package, which is native.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const PLATFORM = `turnkeeper-${process.platform}-${process.arch}`;
const PACKAGE = fileURLToPath(new URL("..", import.meta.url));
const HOOK = "./turnkeeper-hook.cjs";

const args = process.argv.slice(2);
start(program());

/** The program's file; what is missing, in a sentence, where there is none. */
function program(): { file: string } | { missing: string } {
  let manifest;
  try {
    manifest = require.resolve(`${PLATFORM}/package.json`);
  } catch {
    return { missing: `the package ${PLATFORM} is not there` };
  }
  const there = versionIn(manifest);
  const wanted = versionIn(path.join(PACKAGE, "package.json"));
  if (there !== wanted) return { missing: `${PLATFORM} is of version ${there}, not ${wanted}` };
  const name = process.platform === "win32" ? "turnkeeper.exe" : "turnkeeper";
  return { file: path.join(path.dirname(manifest), name) };
}

function versionIn(manifest: string): string {
  return (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version;
}

function start(found: ReturnType<typeof program>): void {
  const env = { ...process.env, TURNKEEPER_PACKAGE: PACKAGE };
  const ended =
    "file" in found ? spawnSync(found.file, args, { stdio: "inherit", env }) : undefined;
  const missing = "missing" in found ? found.missing : ended?.error?.message;
  if (missing === undefined) {
    if (ended?.signal) process.kill(process.pid, ended.signal);
    process.exitCode = ended?.status ?? 2;
  } else if (args[0] === "hook") {
    // An agent takes any other exit code than 0 for a refusal.
    process.argv.splice(2, 1);
    require(HOOK);
  } else {
    console.error(
      `turnkeeper: ${missing}. Install turnkeeper without --omit=optional; where there is no program for this ` +
        "system: cargo install turnkeeper-cli",
    );
    process.exitCode = 2;
  }
}
