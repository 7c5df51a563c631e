// A command on a file system that behaves in another way: it holds, or kills, the command at the first write to
// its new file, or refuses something. What it writes before, it writes in one go or in many, and how long that
// takes is no matter.

import { spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";

import { command } from "../node/installed-package.mjs";

/** Loaded before the command: that code has `fs` before the command has it. */
const preload = (code) =>
  `data:text/javascript,${encodeURIComponent(`
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
${code}
syncBuiltinESMExports();
`)}`;

/** Its own code runs, and after the first write to a file so does `then`. */
const afterFirstWrite = (then) => `
const { writeSync } = fs;
let isFirst = true;
fs.writeSync = (descriptor, ...args) => {
  const written = writeSync(descriptor, ...args);
  if (descriptor > 2 && isFirst) {
    isFirst = false;
    ${then}
  }
  return written;
};
`;

/** Runs the command, before which that code may change what `fs` does. */
export function changed(args, code) {
  const child = spawn(process.execPath, ["--import", preload(code), command, ...args]);
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (data) => (stderr += data));
  return new Promise((resolve) => {
    child.on("close", (code, signal) => resolve({ code, signal, stderr }));
  });
}

/** Gets that signal at its first write. */
export function signalled(args, signal) {
  return changed(args, afterFirstWrite(`process.kill(process.pid, ${JSON.stringify(signal)});`));
}

/**
 * Waits at its first write until `change` has returned; `change` is given the end of the command, for which it may
 * go on to wait.
 */
export async function held(args, where, change) {
  const [waits, goOn] = ["waits", "go-on"].map((name) => path.join(where, name));
  const closed = changed(
    args,
    afterFirstWrite(`
    fs.writeFileSync(${JSON.stringify(waits)}, "");
    const cell = new Int32Array(new SharedArrayBuffer(4));
    while (!fs.existsSync(${JSON.stringify(goOn)})) Atomics.wait(cell, 0, 0, 5);
`),
  );
  let hasEnded = false;
  void closed.then(() => (hasEnded = true));
  while (!existsSync(waits)) {
    if (hasEnded) throw new Error(`it ended without a write: ${(await closed).stderr}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const changing = change(closed);
  writeFileSync(goOn, "");
  await changing;
  return closed;
}
