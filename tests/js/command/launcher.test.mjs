// The command of the package starts the program that lies beside it, and says what is missing where there is none.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
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

test("a mistyped command is told, and one that is nothing like it is a file", () => {
  for (const [typed, meant] of [
    ["instal", "install"],
    ["stauts", "status"],
    ["uninstal", "uninstall"],
    ["repiar", "repair"],
  ]) {
    const { status, stderr } = run(command, [typed]);
    assert.equal(status, 2);
    assert.match(stderr, new RegExp(`'${typed}'.*similar.*'${meant}'`));
  }
  assert.match(run(command, ["sessions.json"]).stderr, /sessions\.json does not exist/);
});

test("without the program its commands say what is missing, and a hook says nothing", (t) => {
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
  assert.deepEqual([hook.status, hook.stdout, hook.stderr], [0, "", ""]);
});

test("a program of another version is not started", (t) => {
  const file = alone(t, { version: "0.0.1" });
  const { status, stderr } = run(file, ["install"]);
  assert.equal(status, 2);
  assert.match(stderr, /version 0\.0\.1, not/);
});

test("where there is no program for a system, the command says so, and for which there is one", (t) => {
  const file = alone(t);
  const manifest = path.join(path.dirname(file), "../package.json");
  const others = JSON.parse(readFileSync(manifest, "utf8"));
  delete others.optionalDependencies[`turnkeeper-${process.platform}-${process.arch}`];
  writeFileSync(manifest, JSON.stringify(others));
  const { status, stderr } = run(file, ["install"]);
  assert.equal(status, 2);
  assert.match(stderr, /^turnkeeper: there is no program for \w+-\w+, only for \w+-\w+, .*\n$/);
});

const posix = { skip: process.platform === "win32" };
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"]) {
  test(`${signal} ends the program, and the command as it ended`, posix, async (t) => {
    for (const [handles, expected] of [
      ["", [null, signal]],
      [`process.on("${signal}", () => process.exit(7));`, [7, null]],
    ]) {
      const file = alone(t, { version });
      const platform = `turnkeeper-${process.platform}-${process.arch}`;
      const program = path.join(path.dirname(file), "../..", platform, "turnkeeper");
      const script = `${handles} console.log(process.pid); setInterval(() => 0, 1e6);`;
      writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' -e '${script}'\n`);
      chmodSync(program, 0o755);
      const child = spawn(process.execPath, [file, "status"], { stdio: ["ignore", "pipe", 2] });
      t.after(() => child.kill("SIGKILL"));
      const [said] = await once(child.stdout, "data");
      child.kill(signal);
      assert.deepEqual(await once(child, "exit"), expected);
      assert.throws(() => process.kill(Number(said), 0), /ESRCH/);
    }
  });
}
