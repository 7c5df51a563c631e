// The lines that settings of agents hold, run by a real shell: whatever is missing, the agent goes on.

import assert from "node:assert/strict";
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";

import { CLAUDE, HOOKED, Home, Recorder, SHARED, inShell, linesIn, posix } from "./home.mjs";

/** Ways in which a program may be no good; each is given the file in which it was. */
const NO_PROGRAM = {
  "is gone": (file) => rmSync(file),
  "is not executable": (file) => chmodSync(file, 0o600),
  "is damaged": (file) => writeFileSync(file, "\x7fELF oh no"),
  "is of another system": (file) => writeFileSync(file, "oh no\n"),
  fails: (file) => writeFileSync(file, "#!/bin/sh\necho >&2 oh no\nexit 2\n"),
  "is killed": (file) => writeFileSync(file, "#!/bin/sh\nkill -9 $$\n"),
  "is a folder": (file) => {
    rmSync(file);
    mkdirSync(file);
  },
};

/** The same for the state folder. */
const NO_STATE = {
  "may not be read": (folder) => chmodSync(folder, 0o000),
  "is gone": (folder) => {
    chmodSync(folder, 0o700);
    rmSync(folder, { recursive: true });
  },
  "is a file": (folder) => writeFileSync(folder, ""),
};

test("the written line starts the program, and ends with 0 whatever is missing", posix, (t) => {
  for (const [agent, name] of Object.entries(HOOKED)) {
    for (const scope of [[], ["--project"]]) {
      const home = new Home(t);
      home.succeed("install", agent, "--yes", ...scope);
      const [line] = linesIn(home.read(scope.length > 0 ? SHARED[agent] : name));
      const state = { TURNKEEPER_STATE: home.file("state") };
      const program = home.file("state/bin/turnkeeper");
      const silent = { status: 0, said: "" };
      for (const [what, spoil] of Object.entries(NO_PROGRAM)) {
        rmSync(program, { recursive: true, force: true });
        const recorder = new Recorder(home);
        assert.deepEqual(inShell(home, line, state), recorder.good, agent);
        assert.deepEqual(recorder.args, ["hook", agent, "--mode", "hint"]);
        spoil(program);
        assert.deepEqual(inShell(home, line, state), silent, `${agent}: the program ${what}`);
      }
      for (const [what, spoil] of Object.entries(NO_STATE)) {
        spoil(home.file("state"));
        assert.deepEqual(inShell(home, line, state), silent, `${agent}: the state folder ${what}`);
      }
    }
  }
});

test("the installed program answers, and status tells when", posix, (t) => {
  const home = new Home(t);
  home.succeed("install", "claude-code", "--yes");
  const [line] = linesIn(home.read(CLAUDE));
  const state = { TURNKEEPER_STATE: home.file("state") };
  assert.deepEqual(inShell(home, line, state), { status: 0, said: "" });
  const said = home.succeed("status");
  assert.match(said, /Claude Code[^]*installed in mode hint[^]*last event: 20/);
});

test("the line is the same for every version", posix, (t) => {
  const home = new Home(t);
  home.succeed("install", "codex", "--yes");
  const written = home.read(HOOKED.codex);
  home.write("state/bin/turnkeeper", "another version");
  home.succeed("install", "codex", "--yes");
  assert.equal(home.read(HOOKED.codex), written);
});

test("lines of earlier versions give way to today's, and are taken out", posix, (t) => {
  const old =
    "/bin/sh -c 'exec 2>/dev/null; exit 0' /old/package/dist/turnkeeper-hook.cjs claude-code --mode stop";
  const entry = { hooks: [{ type: "command", command: old }] };
  const settings = { theme: "dark", hooks: { PostToolBatch: [entry], PreToolUse: [entry] } };
  const home = new Home(t, { [CLAUDE]: JSON.stringify(settings, undefined, 2) });
  assert.match(home.succeed("status"), /installed in mode stop[^]*turnkeeper-hook\.cjs is gone/);
  home.succeed("install", "claude-code", "--yes");
  const lines = linesIn(home.read(CLAUDE));
  assert.equal(lines.length, 3);
  assert.equal(lines.filter((line) => line.includes("turnkeeper-hook.cjs")).length, 0);
  home.succeed("uninstall");
  assert.deepEqual(JSON.parse(home.read(CLAUDE)), { theme: "dark" });
});

test("a hook that is called in a wrong way says nothing, and ends with 0", (t) => {
  const home = new Home(t);
  for (const args of [
    ["claude"],
    [],
    ["claude-code", "--mode", "loud"],
    ["claude-code", "--mode"],
  ]) {
    assert.equal(home.succeed("hook", ...args), "", args.join(" "));
  }
  assert.equal(home.succeed("hook", "claude-code", "--quiet"), "");
  assert.match(home.succeed("hook", "--help"), /claude-code/);
});
