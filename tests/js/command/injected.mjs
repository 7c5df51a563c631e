// The program on a system that behaves in another way: strace refuses calls of the system, or stops or kills the program
// at one; or there is little memory.

import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

import { program } from "../agents/program.mjs";
import { folder } from "../node/replay-command.mjs";

const STRACE = process.env.TURNKEEPER_STRACE ?? "/usr/bin/strace";

/** The reason to skip what needs strace; none where it is there, as it is wherever all tests run. */
export const noInjection = !existsSync(STRACE) && "there is no strace";

/** A repair prints nothing before it writes, so its first write is the first one to its new file. */
export const FIRST_WRITE = "write:when=1";

/**
 * Runs the program to its end: its exit code or signal, what it complains of, and a line for each of the calls that
 * `how` names. It is an error if nothing was refused that was to be. Each injection is strace's: `linkat:error=EPERM`, `write:signal=SIGTERM:when=1`; a name with `?` may be
 * unknown on this machine. `at` names files: then calls with other files are none of these.
 */
export function injected(args, how) {
  return start(args, how).closed;
}

let runs = 0;

function start(args, { inject = [], trace = [], at = [] }) {
  const injections = [inject].flat();
  const names = [...injections.map((injection) => injection.split(":", 1)[0]), ...[trace].flat()];
  const log = path.join(folder, `strace-${(runs += 1)}`);
  const options = ["-f", "-qq", "-o", log, "-e", `trace=${names.join()}`];
  for (const injection of injections) options.push("-e", `inject=${injection}`);
  for (const file of [at].flat()) options.push("-P", file);
  const child = spawn(STRACE, [...options, program, ...args]);
  const calls = () => (existsSync(log) ? readFileSync(log, "utf8") : "");
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (data) => (stderr += data));
  child.stdout.resume();
  const isRefusal = injections.some((injection) => injection.includes(":error="));
  const closed = new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      const all = calls();
      if (isRefusal && !all.includes("(INJECTED)")) reject(new Error("nothing was refused"));
      resolve({ code, signal, stderr, calls: all });
    });
  });
  return { calls, closed };
}

/**
 * Lets an injection of SIGSTOP stop the program until `change` has returned, which is given the end of the program, for
 * which it may go on to wait, and its number.
 */
export async function held(args, how, change) {
  const { calls, closed } = start(args, how);
  let hasEnded = false;
  const end = () => (hasEnded = true);
  closed.then(end, end);
  let stopped;
  while ((stopped = /^(\d+) +--- stopped by SIGSTOP ---$/m.exec(calls())) === null) {
    if (hasEnded) throw new Error(`it ended without a stop: ${(await closed).stderr}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const number = Number(stopped[1]);
  let changing;
  try {
    changing = change(closed, number);
  } finally {
    process.kill(number, "SIGCONT");
  }
  await changing;
  return closed;
}

/**
 * Starts the program with so much memory at most, in KB. Linux counts what is written to; other systems may not keep to
 * it.
 */
export function limited(kilobytes, args, options) {
  const script = `ulimit -d ${kilobytes} && exec "$0" "$@"`;
  return spawn("/bin/sh", ["-c", script, program, ...args], options);
}
