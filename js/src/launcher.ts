// The command `turnkeeper` of the npm package: it starts the program of the platform's own package, which is native.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

interface Manifest {
  version: string;
  optionalDependencies: Readonly<Record<string, string>>;
}

const require = createRequire(import.meta.url);
const PLATFORM = `${process.platform}-${process.arch}`;
const PROGRAM = `turnkeeper-${PLATFORM}`;
const PACKAGE = fileURLToPath(new URL("..", import.meta.url));

const BUILD = "With Rust you can build it: cargo install turnkeeper-cli";
const INSTALL = `Install turnkeeper without --omit=optional. ${BUILD}`;

/** Signals that ask for an end. The program gets them, and ends as it sees fit. */
const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"] as const;

const args = process.argv.slice(2);
const found = program();
if ("file" in found) start(found.file);
else complain(found.missing);

/** The program's file; what is missing, in sentences, where there is none. */
function program(): { file: string } | { missing: string } {
  const own = manifestIn(path.join(PACKAGE, "package.json"));
  const others = Object.keys(own.optionalDependencies);
  if (!others.includes(PROGRAM)) {
    const all = others.map((name) => name.slice("turnkeeper-".length)).join(", ");
    return { missing: `there is no program for ${PLATFORM}, only for ${all}. ${BUILD}` };
  }
  let file;
  try {
    file = require.resolve(`${PROGRAM}/package.json`);
  } catch {
    return { missing: `the package ${PROGRAM} is not there. ${INSTALL}` };
  }
  const { version } = manifestIn(file);
  if (version !== own.version) {
    return { missing: `${PROGRAM} is of version ${version}, not ${own.version}. ${INSTALL}` };
  }
  const name = process.platform === "win32" ? "turnkeeper.exe" : "turnkeeper";
  return { file: path.join(path.dirname(file), name) };
}

function manifestIn(file: string): Manifest {
  return JSON.parse(readFileSync(file, "utf8")) as Manifest;
}

function start(file: string): void {
  const env = { ...process.env, TURNKEEPER_PACKAGE: PACKAGE };
  const child = spawn(file, args, { stdio: "inherit", env });
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
  child.once("error", ({ message }) => complain(`${message}. ${INSTALL}`));
  child.once("exit", (code, signal) => {
    process.exitCode = code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
    if (signal === null) return;
    for (const it of SIGNALS) process.removeAllListeners(it);
    process.kill(process.pid, signal);
  });
}

function complain(missing: string): void {
  // An agent takes any other exit code than 0 for a refusal, and may show what stands on standard error.
  if (args[0] === "hook") {
    // It may not expect that nobody reads what it writes, either.
    process.stdin.on("error", () => undefined).resume();
    return;
  }
  console.error(`turnkeeper: ${missing}`);
  process.exitCode = 2;
}
