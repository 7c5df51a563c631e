// The exit code when nothing can be written any more, and when the program itself is wrong.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, openSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { command } from "../node/installed-package.mjs";
import { HEALTHY, PREVIEW_LOOP, folder } from "../node/replay-command.mjs";
import { injected, noInjection } from "./injected.mjs";

const SAVED = fileURLToPath(new URL("../../data/saved", import.meta.url));
const HISTORY = fileURLToPath(new URL("../../data/histories/resumed-task.json", import.meta.url));
const skip = !existsSync("/dev/full") && "there is no /dev/full";
const injects = { skip: noInjection };

const start = (args, stdio) =>
  spawnSync(process.execPath, [command, ...args], { stdio, encoding: "utf8" });

for (const args of [
  ["audit", SAVED],
  ["audit", "--json", SAVED],
  ["audit", "--jsonl", "--jobs", "2", SAVED],
  ["replay", HEALTHY],
  ["replay", "--compare", HEALTHY],
  ["repair", HISTORY],
  ["--help"],
  ["audit", "--help"],
  ["--version"],
]) {
  test(
    `a full disk ends ${args
      .slice(0, 2)
      .map((arg) => path.basename(arg))
      .join(" ")} with 2`,
    { skip },
    () => {
      const full = openSync("/dev/full", "w");
      const { status, stderr } = start(args, ["ignore", full, "pipe"]);
      assert.equal(status, 2);
      const complaints = stderr.trimEnd().split("\n");
      assert.match(complaints.at(-1), /^turnkeeper: standard output cannot be written: ENOSPC/);
      for (const line of complaints) assert.match(line, /^turnkeeper: /);
      assert.equal(start(args, ["ignore", full, full]).status, 2);
    },
  );
}

test("complaints that cannot be written end the command with 2", { skip }, () => {
  const full = openSync("/dev/full", "w");
  assert.equal(start(["audit", "/no/such/file"], ["ignore", "ignore", full]).status, 2);
});

/** Runs the command with nobody who reads what it prints: its exit code. */
function unread(args, ...ends) {
  const child = spawn(process.execPath, [command, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  for (const end of ["stdout", "stderr"]) {
    if (ends.includes(end)) child[end].destroy();
    else child[end].resume();
  }
  return new Promise((resolve) => child.on("close", resolve));
}

test("nobody reads the output: what is to be written is written, and the code is right", async () => {
  const env = (n) => `<environment_details>\n${n}\n</environment_details>`;
  const history = JSON.stringify([{ role: "user", content: `${env(1)}\n${env(2)}` }]);
  const home = path.join(folder, "unread");
  mkdirSync(home);
  for (let n = 0; n < 5; n += 1) writeFileSync(path.join(home, `${n}.json`), history);
  assert.equal(await unread(["repair", "--in-place", home], "stdout"), 0);
  assert.equal(readdirSync(home).filter((name) => name.endsWith(".bak")).length, 5);
  // Each of them has a backup now, which is complained of.
  for (let n = 0; n < 5; n += 1) writeFileSync(path.join(home, `${n}.json`), history);
  writeFileSync(path.join(home, "new.json"), history);
  assert.equal(await unread(["repair", "--in-place", home], "stdout", "stderr"), 2);
  assert.ok(existsSync(path.join(home, "new.json.bak")));

  const page = path.join(folder, "unread.html");
  const looping = ["--profile", "standard", "--fail-on-loop", "--model", "a-preview-model"];
  const judged = await unread(["audit", ...looping, PREVIEW_LOOP], "stdout");
  const { status } = start(["audit", ...looping, PREVIEW_LOOP], ["ignore", "ignore", "ignore"]);
  assert.equal(judged, status);
  assert.equal(judged, 1);
  assert.equal(await unread(["audit", "--html", page, HEALTHY], "stdout"), 0);
  assert.ok(existsSync(page));
});

test("nobody reads the complaints: the code says that there are some", async () => {
  assert.equal(await unread(["audit", "/no/such/file"], "stderr"), 2);
});

// No call of the system should fail so, and the library of Rust that makes random numbers takes it for a mistake.
const mistaken = { inject: "getrandom:error=EIO" };

test(
  "a mistake of the program ends it with 3, for 1 says that there is a loop",
  injects,
  async () => {
    for (const args of [
      ["audit", "--fail-on-loop", PREVIEW_LOOP],
      ["repair", HISTORY],
    ]) {
      const { code, stderr } = await injected(args, mistaken);
      assert.equal(code, 3);
      assert.match(
        stderr,
        /^turnkeeper: internal error, please report: panicked at [^\n]*\nfailed to /,
      );
      assert.doesNotMatch(stderr, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    }
  },
);

test("a mistake that cannot be told ends the program with 3, too", injects, async () => {
  const untold = { inject: [mistaken.inject, "write:error=ENOSPC"] };
  const { code, stderr } = await injected(["audit", HEALTHY], untold);
  assert.deepEqual([code, stderr], [3, ""]);
});
