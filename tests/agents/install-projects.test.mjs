// What `turnkeeper install --project` writes into a project, which others may share.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, readdirSync } from "node:fs";
import { test } from "node:test";

import { CLAUDE, Home, MINE, Recorder, SHARED, inShell, isIn, linesIn, posix } from "./home.mjs";

test(
  "a project's files name no folder of this person's, and run everyone's own program",
  posix,
  (t) => {
    const home = new Home(t);
    const said = home.succeed("install", ...Object.keys(SHARED), "--project", "--yes");
    assert.match(said, /settings\.local\.json[^]*for you alone/);
    assert.match(said, /\.codex\/hooks\.json[^]*shared if you commit it/);
    for (const [agent, name] of Object.entries(SHARED)) {
      if (agent !== "claude-code") assert.equal(home.read(name).includes(home.root), false, name);
    }
    // A colleague, with a program of theirs in the usual place.
    const other = new Home(t);
    other.env = { TURNKEEPER_STATE: other.file(".local/state/turnkeeper") };
    other.succeed("install", "codex", "--yes");
    const recorder = new Recorder(other, ".local/state/turnkeeper/bin/turnkeeper");
    const [line] = linesIn(home.read(SHARED.codex));
    assert.deepEqual(inShell(other, line), recorder.good);
    assert.deepEqual(recorder.args, ["hook", "codex", "--mode", "hint"]);
    home.succeed("uninstall");
    assert.deepEqual(home.all, {});
  },
);

test("a project's module loads the plugin of whoever runs it, and nothing where there is none", async (t) => {
  const home = new Home(t);
  home.succeed("install", "opencode", "pi", "--project", "--mode", "stop", "--yes");
  for (const agent of ["opencode", "pi"])
    cpSync(home.file(SHARED[agent]), home.file(`${agent}.mjs`));
  const script = `
    const { Turnkeeper } = await import("./opencode.mjs");
    const events = [];
    (await import("./pi.mjs")).default({ on: (event) => events.push(event) });
    await new Promise((resolve) => setTimeout(resolve, 50));
    const hooks = await Turnkeeper({ client: {}, directory: "." });
    console.log(JSON.stringify([Object.keys(hooks).length > 0, events.length > 0]));`;
  const seen = (state) => {
    const env = { PATH: process.env.PATH, HOME: home.root, TURNKEEPER_STATE: state };
    const args = ["--input-type=module", "--eval", script];
    return spawnSync(process.execPath, args, { cwd: home.root, env, encoding: "utf8" }).stdout;
  };
  assert.equal(seen(home.file("state")), "[true,true]\n");
  assert.equal(seen(home.file("nowhere")), "[false,false]\n");
});

test("with --project nothing of the user's own is taken out", (t) => {
  const home = new Home(t, { [CLAUDE]: MINE });
  home.succeed("install", "claude-code", "--yes");
  home.succeed("install", "claude-code", "--project", "--yes");
  home.succeed("uninstall", "--project");
  assert.ok(isIn(home, CLAUDE));
  assert.deepEqual(readdirSync(home.file("project")), []);
});
