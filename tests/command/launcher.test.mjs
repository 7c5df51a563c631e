// The command of the package starts the program that lies beside it, and says what is missing where there is none.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";

import { command, version } from "../node/installed-package.mjs";

const run = (file, args, input = "") =>
  spawnSync(process.execPath, [file, ...args], {
    input,
    encoding: "utf8",
    env: { ...process.env, TURNKEEPER_STATE: path.join(tmpdir(), "turnkeeper-nowhere") },
  });

/** A copy of the package in a place of its own, with what is put beside it. */
function alone(t, platform) {
  const root = mkdtempSync(path.join(tmpdir(), "turnkeeper-launcher-"));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const modules = path.join(root, "node_modules");
  cpSync(path.dirname(path.dirname(command)), path.join(modules, "turnkeeper"), {
    recursive: true,
    filter: (file) => !/\.(map|d\.[cm]ts|wasm)$/.test(file),
  });
  if (platform !== undefined) {
    const folder = path.join(modules, `turnkeeper-${process.platform}-${process.arch}`);
    mkdirSync(folder);
    writeFileSync(path.join(folder, "package.json"), JSON.stringify(platform));
  }
  return path.join(modules, "turnkeeper/dist/turnkeeper.mjs");
}

test("the help names every command, and each is explained by whoever has it", () => {
  const { stdout, status } = run(command, ["--help"]);
  assert.equal(status, 0);
  for (const name of ["audit", "repair", "replay", "install", "status", "uninstall", "hook"]) {
    assert.match(stdout, new RegExp(`^ {2}${name} `, "m"), name);
    const explained = run(command, [name, "--help"]);
    assert.equal(explained.status, 0, name);
    assert.match(explained.stdout, /Usage/, name);
  }
  assert.equal(run(command, ["--version"]).stdout.trim(), version);
});

test("exit codes of the program are the command's", () => {
  const { status, stderr } = run(command, ["install", "nobody"]);
  assert.equal(status, 2);
  assert.match(stderr, /nobody/);
});

test("without the program its commands say what is missing, and a hook is answered by Node", (t) => {
  const file = alone(t);
  for (const args of [[], ["status"], ["audit", "--help"], ["repair", file], ["--version"]]) {
    const { status, stdout, stderr } = run(file, args);
    assert.deepEqual([status, stdout], [2, ""], args.join(" "));
    assert.match(
      stderr,
      /^turnkeeper: .*turnkeeper-\w+-\w+ is not there.*cargo install turnkeeper-cli\n$/,
    );
  }
  const hook = run(file, ["hook", "gemini-cli"], "no JSON");
  assert.deepEqual([hook.status, hook.stdout, hook.stderr], [0, "{}\n", ""]);
});

test("a program of another version is not started", (t) => {
  const file = alone(t, { version: "0.0.1" });
  const { status, stderr } = run(file, ["install"]);
  assert.equal(status, 2);
  assert.match(stderr, /version 0\.0\.1, not/);
});
