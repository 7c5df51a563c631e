// What `turnkeeper uninstall` takes out, whatever has become of the files and of the record since.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { test } from "node:test";

import { CLAUDE, Home, MINE, isIn, posix } from "./home.mjs";
import { program } from "./program.mjs";

test("what its user has written since stays when the hooks go", (t) => {
  const home = new Home(t, { [CLAUDE]: '{\n  "model": "opus"\n}\n' });
  home.succeed("install", "claude-code", "--yes");
  home.write(CLAUDE, home.read(CLAUDE).replace('"opus",', '"haiku", // cheaper'));
  home.succeed("install", "claude-code", "--yes", "--mode", "stop");
  assert.equal(home.read(CLAUDE).match(/--mode stop/g).length, 4);
  home.succeed("uninstall");
  assert.equal(home.read(CLAUDE), '{\n  "model": "haiku" // cheaper\n}\n');
});

test("a hook that its user has put into our group stays", (t) => {
  const home = new Home(t, { [CLAUDE]: "{}" });
  home.succeed("install", "claude-code", "--yes");
  const settings = JSON.parse(home.read(CLAUDE));
  settings.hooks.SessionStart[0].hooks.push({ type: "command", command: "mine" });
  home.write(CLAUDE, JSON.stringify(settings));
  home.succeed("uninstall");
  assert.deepEqual(JSON.parse(home.read(CLAUDE)), {
    hooks: { SessionStart: [{ hooks: [{ type: "command", command: "mine" }] }] },
  });
});

test("our own entries are never kept as what was there before, whatever became of the record", (t) => {
  const losses = {
    "the state folder is gone": (home) => rmSync(home.file("state"), { recursive: true }),
    "the record is gone": (home) => rmSync(home.file("state/installed.json")),
    "the record is damaged": (home) => home.write("state/installed.json", '{"version":1,"fi'),
    "the copies are empty": (home) => {
      for (const name of readdirSync(home.file("state/backups")))
        home.write(`state/backups/${name}`, "");
    },
  };
  const files = {
    [CLAUDE]: MINE,
    ".cursor/hooks.json": '{ "version": 1 }\n',
    ".pi/agent/settings.json": MINE,
  };
  for (const [what, lose] of Object.entries(losses)) {
    const home = new Home(t, files);
    const agents = ["claude-code", "cursor", "pi", "copilot-cli"];
    home.succeed("install", ...agents, "--yes");
    lose(home);
    home.succeed("install", ...agents, "--yes", "--mode", "stop");
    assert.ok(isIn(home, CLAUDE), what);
    home.succeed("uninstall", "--yes");
    const values = Object.entries(home.all).map(([name, text]) => [name, text.replace(/\s/g, "")]);
    const expected = Object.entries(files).map(([name, text]) => [name, text.replace(/\s/g, "")]);
    assert.deepEqual(Object.fromEntries(values), Object.fromEntries(expected), what);
  }
});

test("what was installed elsewhere is taken out as well", (t) => {
  const home = new Home(t, { "work/settings.json": MINE, ".config/opencode/opencode.json": "{}" });
  home.env = { CLAUDE_CONFIG_DIR: home.file("work") };
  home.succeed("install", "claude-code", "--yes");
  home.env = {};
  home.succeed("install", "codex", "--project", "--yes");
  home.succeed("install", "opencode", "--yes");
  // From now on this file is read first.
  home.write(".config/opencode/opencode.jsonc", "{}");
  assert.ok(isIn(home, ".config/opencode/opencode.json"));
  const said = home.succeed("uninstall", "claude-code", "opencode");
  assert.match(said, /work\/settings\.json/);
  const others = Object.keys(home.all).filter((name) => isIn(home, name));
  assert.deepEqual(others, ["project/.codex/hooks.json"]);
  const elsewhere = new Home(t);
  elsewhere.env = { TURNKEEPER_STATE: home.file("state") };
  assert.match(elsewhere.succeed("uninstall"), /project\/\.codex\/hooks\.json/);
  assert.equal(isIn(home, "project/.codex/hooks.json"), false);
  // Without a record, too.
  home.succeed("install", "codex", "--project", "--yes");
  rmSync(home.file("state"), { recursive: true });
  assert.match(
    home.succeed("uninstall"),
    /left in .*hooks\.json; "turnkeeper uninstall --project"/,
  );
  home.succeed("uninstall", "--project");
  assert.equal(isIn(home, "project/.codex/hooks.json"), false);
});

test("a copy of what was there is not written over", posix, (t) => {
  const home = new Home(t, { [CLAUDE]: MINE });
  home.succeed("install", "claude-code", "--yes");
  const [name] = readdirSync(home.file("state/backups"));
  linkSync(home.file(`state/backups/${name}`), home.file("state/second-name"));
  const { ino, mtimeNs } = statSync(home.file("state/second-name"), { bigint: true });
  home.write(CLAUDE, home.read(CLAUDE).replace("dark", "light"));
  home.succeed("install", "claude-code", "--yes", "--mode", "stop");
  assert.equal(home.read("state/second-name"), MINE);
  assert.equal(statSync(home.file("state/second-name"), { bigint: true }).mtimeNs, mtimeNs);
  assert.equal(statSync(home.file("state/second-name"), { bigint: true }).ino, ino);
  assert.equal(readdirSync(home.file("state/backups")).length, 1);
  home.succeed("uninstall");
  assert.equal(home.read(CLAUDE), MINE.replace("dark", "light"));
});

test("nothing of a session is left, nor of the settings before, and what others have in the folder stays", (t) => {
  const secret = "sk-geheim";
  const home = new Home(t, {
    [CLAUDE]: `{ "env": { "KEY": "${secret}" } }`,
    "state/theirs": "theirs",
    "state/sessions/2026-01-01.jsonl": "theirs",
    "state/bin/turnkeeper-notes.txt": "theirs",
    "state/backups/notes": "theirs",
  });
  const send = (agent, session) => {
    const event = { hook_event_name: "UserPromptSubmit", session_id: session, prompt: secret };
    const env = { ...process.env, TURNKEEPER_STATE: home.file("state"), TURNKEEPER: "" };
    spawnSync(program, ["hook", agent], { input: JSON.stringify(event), env });
  };
  const files = () =>
    readdirSync(home.file("state"), { recursive: true })
      .filter((it) => statSync(home.file(`state/${it}`)).isFile())
      .sort();
  const holding = () => files().filter((it) => home.read(`state/${it}`).includes(secret));
  const before = files();
  home.succeed("install", "claude-code", "codex", "--yes");
  for (const session of ["a", "b"]) ["claude-code", "codex"].forEach((it) => send(it, session));
  assert.equal(holding().length, 5);
  // A copy that the record does not know of any more.
  home.write("state/backups/0123456789ab-0123456789ab-settings.json", secret);
  assert.match(home.succeed("uninstall", "claude-code"), /kept of 2 sessions is gone/);
  assert.deepEqual(
    holding()
      .filter((it) => !it.includes("backups"))
      .map((it) => it.split("-")[0]),
    ["sessions/codex", "sessions/codex"],
  );
  home.succeed("uninstall");
  assert.deepEqual(files(), before);
});
