// The exit code when nothing can be written any more, and when the program itself is wrong.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, openSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { command } from "../node/installed-package.mjs";
import { HEALTHY, folder } from "../node/replay-command.mjs";

const SAVED = fileURLToPath(new URL("../fixtures/saved", import.meta.url));
const HISTORY = fileURLToPath(new URL("../fixtures/histories/resumed-task.json", import.meta.url));
const skip = !existsSync("/dev/full") && "there is no /dev/full";

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

test("a mistake of the program ends it with 3, for 1 says that there is a loop", () => {
  // Without its package.json the command cannot tell its version.
  const alone = path.join(folder, "alone", "dist");
  cpSync(path.dirname(command), alone, { recursive: true });
  const { status, stderr } = spawnSync(
    process.execPath,
    [path.join(alone, "cli.mjs"), "--version"],
    {
      encoding: "utf8",
    },
  );
  assert.equal(status, 3);
  assert.match(stderr, /^turnkeeper: a mistake in the program: Error: ENOENT/);
});
