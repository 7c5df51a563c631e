// The program on a system that behaves in another way: strace refuses calls of the system, or stops or kills the program at
// one; or there is little memory.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

import { program } from "../agents/program.mjs";

const STRACE = process.env.TURNKEEPER_STRACE ?? "/usr/bin/strace";

/** Runs the program; each injection is strace's: `linkat:error=EPERM`, `write:signal=SIGTERM:when=1`. */
export function injected(args, ...injections) {
  const { closed } = start(args, injections);
  return closed;
}

function start(args, injections) {
  const names = injections.map((injection) => injection.split(":", 1)[0]);
  const given = injections.flatMap((injection) => ["-e", `inject=${injection}`]);
  const options = ["-f", "-qq", "-o", "/dev/null", "-e", `trace=${names.join()}`, ...given];
  const child = spawn(STRACE, [...options, program, ...args]);
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (data) => (stderr += data));
  const closed = new Promise((resolve) => {
    child.on("close", (code, signal) => resolve({ code, signal, stderr }));
  });
  return { child, closed };
}

/**
 * Stops the program at its first write until `change` has returned; `change` is given the end of the program, for which
 * it may go on to wait.
 */
export async function held(args, change) {
  const { child, closed } = start(args, ["write:signal=SIGSTOP:when=1"]);
  let hasEnded = false;
  void closed.then(() => (hasEnded = true));
  let stopped;
  while ((stopped = stoppedChild(child.pid)) === undefined) {
    if (hasEnded) throw new Error(`it ended without a write: ${(await closed).stderr}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const changing = change(closed);
  process.kill(stopped, "SIGCONT");
  await changing;
  return closed;
}

/** The process that strace started, once it has stopped. */
function stoppedChild(strace) {
  try {
    const children = readFileSync(`/proc/${strace}/task/${strace}/children`, "utf8");
    const child = Number(children.trim().split(" ")[0]);
    const state = /^State:\s+(\w)/m.exec(readFileSync(`/proc/${child}/status`, "utf8"))?.[1];
    return child > 0 && (state === "T" || state === "t") ? child : undefined;
  } catch {
    return undefined;
  }
}

/** Starts the program with so much memory at most, in KB. */
export function limited(kilobytes, args, options) {
  const script = `ulimit -v ${kilobytes} && exec "$0" "$@"`;
  return spawn("/bin/sh", ["-c", script, program, ...args], options);
}
