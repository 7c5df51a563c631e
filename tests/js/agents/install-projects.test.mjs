// What `turnkeeper install --project` writes into a project, which others may share.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
} from "node:fs";
import path from "node:path";
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

test(
  "nothing is written through a link out of the project, wherever in the path it is",
  posix,
  (t) => {
    const file = ".gemini/settings.json";
    const links = {
      "the file": ["project/.gemini/settings.json", "../../mine/settings.json"],
      "its folder": ["project/.gemini", "../mine"],
      "by way of the project": ["project/.gemini", "inside/out"],
      "a file that is not there": ["project/.gemini/settings.json", "../../mine/new.json"],
      "a folder that is not there": ["project/.gemini", "../new"],
      "a circle": ["project/.gemini", ".gemini"],
    };
    for (const [what, [link, to]] of Object.entries(links)) {
      const home = new Home(t, { "mine/settings.json": MINE });
      mkdirSync(home.file("project/inside"));
      symlinkSync("../../mine", home.file("project/inside/out"));
      mkdirSync(path.dirname(home.file(link)), { recursive: true });
      symlinkSync(to, home.file(link));
      const before = home.all;
      const { status, stdout, stderr } = home.run("install", "gemini-cli", "--project", "--yes");
      assert.deepEqual([status, stdout], [2, ""], what);
      assert.match(stderr, /^turnkeeper: .*settings\.json .*link.*\n$/, what);
      assert.deepEqual(home.all, before, what);
      assert.equal(existsSync(home.file("state/bin")), false, what);
      // What the user has there stays when the project's goes.
      home.write("mine/settings.json", MINE);
      home.run("uninstall", "--project");
      assert.equal(home.read("mine/settings.json"), MINE, what);
    }
    // A link that stays within is followed, and other agents are installed beside one that is refused.
    const home = new Home(t, { "project/config/settings.json": MINE, "mine.json": MINE });
    symlinkSync("config", home.file("project/.gemini"));
    mkdirSync(home.file("project/.codex"));
    symlinkSync("../../mine.json", home.file("project/.codex/hooks.json"));
    symlinkSync("../mine.json", home.file("project/turnkeeper.json"));
    assert.equal(home.run("install", "gemini-cli", "codex", "--project", "--yes").status, 2);
    assert.ok(isIn(home, `project/${file}`));
    assert.equal(home.run("install", "--exempt", "ls", "--project", "--yes").status, 2);
    assert.equal(home.read("mine.json"), MINE);
    home.succeed("uninstall", "--project");
    assert.equal(home.read("project/config/settings.json"), MINE);
  },
);

test("a program that everybody could replace is not installed", posix, (t) => {
  const home = new Home(t, { [CLAUDE]: MINE, "state/theirs": "" });
  for (const [mode, status] of [
    [0o777, 2],
    [0o1777, 0],
    [0o775, 0],
  ]) {
    chmodSync(home.file("state"), mode);
    assert.equal(home.run("install", "claude-code", "--yes").status, status);
    assert.equal(isIn(home, CLAUDE), status === 0);
    assert.equal(statSync(home.file("state")).mode & 0o7777, mode);
    home.run("uninstall");
  }
});
