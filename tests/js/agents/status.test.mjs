// What `turnkeeper status` says: what stands in the files, whether it runs, and what was said.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  utimesSync,
} from "node:fs";
import { test } from "node:test";

import { CLAUDE, Home, MINE, posix } from "./home.mjs";
import { program } from "./program.mjs";

test("status says what is installed, and Codex's silence", (t) => {
  const home = new Home(t, { ".codex/config.toml": "", ".gemini/settings.json": "{}" });
  home.succeed("install", "codex", "--yes");
  const stdout = home.succeed("status");
  assert.match(stdout, /Codex[\s\S]*no event yet: it may not trust the hooks/);
  assert.match(stdout, /gemini-cli\n {2}not installed: turnkeeper install gemini-cli/);
});

test("status looks at the files, and at what would run", (t) => {
  const cases = {
    "gone from": (home) => home.write(CLAUDE, MINE),
    "gone from ": (home) => rmSync(home.file(".claude"), { recursive: true }),
    "does not run: .*bin/turnkeeper is gone": (home) =>
      rmSync(home.file("state/bin"), { recursive: true }),
    'does not run: "disableAllHooks" is true': (home) =>
      home.write(CLAUDE, home.read(CLAUDE).replace("{", '{ "disableAllHooks": true,')),
  };
  for (const [words, change] of Object.entries(cases)) {
    const home = new Home(t, { [CLAUDE]: MINE });
    home.succeed("install", "claude-code", "--yes");
    assert.doesNotMatch(home.succeed("status"), /gone|does not run/);
    change(home);
    assert.match(home.succeed("status"), new RegExp(words));
  }
  // Found without a record, and in the mode that stands there.
  const home = new Home(t, { [CLAUDE]: MINE, ".gemini/settings.json": "{}" });
  home.succeed("install", "claude-code", "--yes", "--mode", "stop");
  home.succeed("install", "gemini-cli", "--yes");
  rmSync(home.file("state/installed.json"));
  home.write(
    ".gemini/settings.json",
    home.read(".gemini/settings.json").replace("{", '{ "hooksConfig": { "enabled": false },'),
  );
  const said = home.succeed("status");
  assert.match(said, /Claude Code\n {2}installed in mode stop/);
  assert.match(said, /gemini-cli\n.*\n {2}does not run: "hooksConfig\.enabled" is false/);
});

test("status starts the program, and says what version the agents run", posix, (t) => {
  const home = new Home(t, { [CLAUDE]: MINE });
  home.succeed("install", "claude-code", "--yes");
  const copied = home.file("state/bin/turnkeeper");
  home.write("state/bin/turnkeeper", "#!/bin/sh\necho 0.0.1\n");
  assert.match(
    home.succeed("status"),
    /The agents run version 0\.0\.1; "turnkeeper install" renews/,
  );
  chmodSync(copied, 0o600);
  assert.match(home.succeed("status"), /does not run: .*bin\/turnkeeper does not start/);
  home.succeed("install", "claude-code", "--yes");
  assert.doesNotMatch(home.succeed("status"), /does not run|The agents run/);
});

test("status looks for the files of plugins, too", (t) => {
  const home = new Home(t);
  home.succeed("install", "opencode", "kilo", "pi", "--yes");
  assert.doesNotMatch(home.succeed("status"), /does not run/);
  rmSync(home.file("state/bin/turnkeeper-pi.mjs"));
  rmSync(home.file("state/bin/turnkeeper-opencode.mjs"));
  assert.equal(home.succeed("status").match(/\.mjs is gone/g).length, 3);
});

test("status tells the switch of each agent", (t) => {
  const switches = {
    "copilot-cli": [".copilot/config.json", '// Managed.\n{ "disableAllHooks": true }'],
    "qwen-code": [".qwen/settings.json", '{ "disableAllHooks": true }'],
    "gemini-cli": [".gemini/settings.json", '{ "hooksConfig": { "disabled": ["turnkeeper"] } }'],
    codex: [".codex/config.toml", "[features]\nweb = true\nhooks = false\n"],
    "claude-code": ["project/.claude/settings.local.json", '{ "disableAllHooks": true }'],
  };
  for (const [agent, [file, content]] of Object.entries(switches)) {
    const home = new Home(t);
    home.succeed("install", agent, "--yes");
    assert.doesNotMatch(home.succeed("status"), /does not run: "/, agent);
    const settings = existsSync(home.file(file)) ? home.read(file) : "";
    home.write(file, settings === "" ? content : content.replace(/\}$/, `,${settings.slice(1)}`));
    assert.match(home.succeed("status"), /does not run: "/, agent);
  }
});

test("status tells that an agent does not trust the project", (t) => {
  const home = new Home(t, { ".codex/config.toml": "", ".gemini/trustedFolders.json": "{}" });
  const project = realpathSync(home.file("project"));
  home.write(".gemini/settings.json", '{ "security": { "folderTrust": { "enabled": true } } }');
  const said = home.succeed("install", "codex", "gemini-cli", "--project", "--yes");
  for (const text of [said, home.succeed("status")]) {
    assert.match(text, /Codex does not trust this project/);
    assert.match(text, /this folder is not trusted/);
  }
  home.write(
    ".codex/config.toml",
    `model = "x"\n[projects."${project}"]\nnote = 1\ntrust_level = "trusted"\n[other]\n`,
  );
  home.write(".gemini/trustedFolders.json", JSON.stringify({ [project]: "TRUST_FOLDER" }));
  assert.doesNotMatch(home.succeed("status"), /trust this|not trusted/);
  home.write(".gemini/trustedFolders.json", JSON.stringify({ [project]: "DO_NOT_TRUST" }));
  assert.match(home.succeed("status"), /this folder is not trusted/);
  // In the home folder the user's own file has the name of a project's.
  const other = new Home(t);
  other.env = { CODEX_HOME: other.file("project/.codex") };
  other.succeed("install", "codex", "--yes");
  assert.doesNotMatch(other.succeed("status"), /trust this/);
});

test("status says how much is kept of sessions, and every command removes what is old", (t) => {
  const home = new Home(t, { [CLAUDE]: MINE });
  home.succeed("install", "claude-code", "gemini-cli", "--yes");
  assert.match(home.succeed("status"), /^Nothing is kept of sessions\.$/m);
  const send = (agent, event) => {
    const input = JSON.stringify({ session_id: "s", ...event });
    const env = { ...process.env, TURNKEEPER_STATE: home.file("state"), TURNKEEPER: "" };
    spawnSync(program, ["hook", agent], { input, env });
  };
  send("gemini-cli", { hook_event_name: "BeforeAgent", prompt: "Go." });
  assert.match(
    home.succeed("status"),
    /^Kept of 1 session, for seven days: 1 KB, hashes alone\.$/m,
  );
  send("claude-code", { hook_event_name: "UserPromptSubmit", prompt: "Go." });
  const both = /^Kept of 2 sessions, .*, hashes, and for Claude Code what was said and done\.$/m;
  assert.match(home.succeed("status"), both);
  const old = new Date(Date.now() - 8 * 24 * 60 * 60 * 1000);
  const records = () =>
    readdirSync(home.file("state/sessions")).filter((it) => it.endsWith(".state"));
  for (const name of records()) utimesSync(home.file(`state/sessions/${name}`), old, old);
  home.run("audit");
  assert.deepEqual(records(), []);
});

test(
  "nothing that a terminal obeys is told of a project's file, of folders and of settings",
  posix,
  (t) => {
    const nasty = "\u001b]0;x\u0007\r\u202e\u2028\u009b\u007f";
    const home = new Home(t, { "project/.git/HEAD": "ref: refs/heads/main\n" });
    const folder = home.file(`project/a${nasty}b`);
    mkdirSync(folder);
    home.write(
      `project/a${nasty}b/turnkeeper.json`,
      JSON.stringify({ thresholds: { [`red${nasty}`]: 3 }, exempt: [`ls${nasty}`], [nasty]: 1 }),
    );
    home.env = { HOME: home.root, CLAUDE_CONFIG_DIR: `${folder}/config` };
    const all = [
      ["install", "claude-code", "codex", "--project", "--yes"],
      ["install", "claude-code", "--yes", "--exempt", `x${nasty}`],
      ["status"],
      ["install", `nobody${nasty}`],
      [`--${nasty}`],
      ["replay", `${folder}/none${nasty}.json`],
      ["repair", `${folder}/none${nasty}.json`],
      ["audit", `${folder}/none${nasty}.json`],
      ["uninstall"],
    ].map((args) => home.run(...args, { cwd: folder }));
    for (const { stdout, stderr } of all) {
      assert.doesNotMatch(
        stdout + stderr,
        /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e]/,
      );
    }
    assert.match(all[2].stdout, /ls\\x1b\]0;x\\x07\\x0d\\u\{202e\}/);
  },
);

test("status tells stops from loops that went on", (t) => {
  const home = new Home(t);
  const log = ["found", "went_on", "went_on", "stop"].map((what) => ({
    at: new Date().toISOString(),
    ...{ agent: "claude-code", what },
  }));
  home.succeed("install", "claude-code", "--yes");
  home.write("state/log.jsonl", log.map((line) => `${JSON.stringify(line)}\n`).join(""));
  assert.match(home.succeed("status"), /seven days: 1 loop found, 2 loops that went on, 1 stop\n/);
});
