// A replay of standard input that is larger than what the program may hold.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

import { program } from "../agents/program.mjs";

const MOST_MEGABYTES = 64;

/** What `turnkeeper replay -q` says of these pieces, of which it must not hold more than a few. */
export async function replayLarge(pieces) {
  const child = spawn(program, ["replay", "-q", "-"]);
  let output = "";
  child.stdout.on("data", (data) => (output += data));
  child.stderr.on("data", (data) => (output += data));
  const closed = new Promise((resolve) => child.on("close", resolve));
  child.stdin.on("error", () => {});
  for (const piece of pieces) {
    if (!child.stdin.write(piece)) {
      await new Promise((resolve) => {
        child.stdin.once("drain", resolve);
        child.once("close", resolve);
      });
    }
  }
  const held = mostMegabytes(child.pid);
  child.stdin.end();
  assert.equal(await closed, 0, output);
  if (held !== undefined) assert.ok(held < MOST_MEGABYTES, `${held} MB were held`);
  return output;
}

/** The most memory that a process that is at work has had, where the system tells. */
function mostMegabytes(pid) {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return undefined;
  const [, kilobytes] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(file, "utf8"));
  return Number(kilobytes) / 1024;
}
