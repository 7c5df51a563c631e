import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";

import { command } from "../node/installed-package.mjs";

/** A home folder with files, and the command in it. */
class Home {
  constructor(t, files = {}) {
    this.root = mkdtempSync(path.join(tmpdir(), "turnkeeper home's "));
    t.after(() => rmSync(this.root, { recursive: true, force: true }));
    mkdirSync(path.join(this.root, "project"));
    for (const [name, content] of Object.entries(files)) this.write(name, content);
  }

  file(name) {
    return path.join(this.root, name);
  }

  read(name) {
    return readFileSync(this.file(name), "utf8");
  }

  write(name, content) {
    mkdirSync(path.dirname(this.file(name)), { recursive: true });
    writeFileSync(this.file(name), content);
  }

  /** Every file below the folder, with what is in it, but for the state folder. */
  get all() {
    const names = readdirSync(this.root, { recursive: true }).filter(
      (it) => !it.startsWith("state"),
    );
    const files = names.filter((name) => statSync(this.file(name)).isFile());
    return Object.fromEntries(files.map((name) => [name, this.read(name)]));
  }

  run(...args) {
    const env = { PATH: "/nowhere", HOME: this.root, USERPROFILE: this.root, COLUMNS: "200" };
    const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], {
      cwd: this.file("project"),
      env: { ...env, TURNKEEPER_STATE: this.file("state"), ...this.env },
      encoding: "utf8",
    });
    return { status, stdout, stderr };
  }

  succeed(...args) {
    const { status, stdout, stderr } = this.run(...args);
    assert.equal(status, 0, stderr);
    assert.equal(stderr, "");
    return stdout;
  }
}

const CLAUDE = ".claude/settings.json";

const SETTINGS = {
  "nothing but an object": "{}",
  "comments, tabs and a final comma":
    '// Mine.\n{\n\t"model": "opus", // the large one\n\t/* hooks of a colleague */\n\t"hooks": {\n\t\t"PostToolBatch": [\n\t\t\t{ "hooks": [{ "type": "command", "command": "lint" }] }, // keep\n\t\t],\n\t},\n}\n',
  "Windows line ends and paths":
    '{\r\n    "hooks": {\r\n        "Stop": [{"hooks":[{"type":"command","command":"C:\\\\Tools\\\\a b.exe"}]}]\r\n    }\r\n}\r\n',
  "a byte order mark and no line end": '\uFEFF{"hooks":{"SessionStart":[]},"z":1}',
  "an empty file": "",
};

for (const [what, content] of Object.entries(SETTINGS)) {
  test(`${what}: install adds hooks, and uninstall gives every byte back`, (t) => {
    const home = new Home(t, { [CLAUDE]: content });
    home.succeed("install", "claude-code", "--yes");
    const installed = home.read(CLAUDE);
    assert.equal(installed.match(/turnkeeper-hook\.cjs/g).length, 3);
    for (const word of content.match(/"[^"]*"|\/\/[^\r\n]*|\/\*.*\*\//g) ?? []) {
      assert.ok(installed.includes(word), word);
    }
    home.succeed("install", "claude-code", "--yes");
    assert.equal(home.read(CLAUDE), installed);
    home.succeed("uninstall", "claude-code");
    assert.deepEqual(home.all, { [CLAUDE]: content });
  });
}

test("what its user has written since stays when the hooks go", (t) => {
  const home = new Home(t, { [CLAUDE]: '{\n  "model": "opus"\n}\n' });
  home.succeed("install", "claude-code", "--yes");
  home.write(CLAUDE, home.read(CLAUDE).replace('"opus",', '"haiku", // cheaper'));
  home.succeed("install", "claude-code", "--yes", "--mode", "stop");
  assert.equal(home.read(CLAUDE).match(/--mode stop/g).length, 3);
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

test("files that cannot be read are left as they are, in words that name them", (t) => {
  const broken = {
    "an error": '{ "hooks": { "Stop": [ }\n',
    "no object": "[]",
    "hooks that are none": '{ "hooks": [] }',
    "an event that is no list": '{ "hooks": { "PostToolBatch": {} } }',
    "no UTF-8": Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]),
  };
  for (const [what, content] of Object.entries(broken)) {
    const home = new Home(t, { [CLAUDE]: content });
    const { status, stderr } = home.run("install", "claude-code", "--yes");
    assert.equal(status, 2, what);
    assert.match(stderr, /settings\.json .*it stays as it is/, what);
    assert.ok(readFileSync(home.file(CLAUDE)).equals(Buffer.from(content)), what);
  }
});

test("without a terminal it asks nobody, and writes nothing without --yes", (t) => {
  const home = new Home(t, { [CLAUDE]: "{}" });
  const { status, stdout, stderr } = home.run("install");
  assert.equal(status, 2);
  assert.match(stdout, /SessionStart, UserPromptSubmit, PostToolBatch/);
  assert.match(stderr, /--yes/);
  assert.deepEqual(home.all, { [CLAUDE]: "{}" });
});

test("without a name the agents are installed that are there", (t) => {
  const home = new Home(t, { [CLAUDE]: "{}", ".gemini/settings.json": "{}" });
  const stdout = home.succeed("install", "--yes");
  assert.match(stdout, /Claude Code[\s\S]*gemini-cli/);
  assert.doesNotMatch(stdout, /Codex|Cursor/);
  const nobody = new Home(t).run("install", "--yes");
  assert.equal(nobody.status, 2);
  assert.match(nobody.stderr, /no agent is found/);
});

test("every agent is installed and taken out again, for the user and for a project", (t) => {
  const home = new Home(t);
  const agents = [
    "claude-code",
    "vscode-copilot",
    "codex",
    "gemini-cli",
    "qwen-code",
    "copilot-cli",
  ];
  agents.push("cline", "cursor", "crush", "opencode", "kilo", "pi");
  for (const scope of [[], ["--project"]]) {
    home.succeed("install", ...agents, ...scope, "--yes");
    assert.ok(Object.keys(home.all).length >= agents.length - 1);
    for (const [name, content] of Object.entries(home.all)) {
      if (name.endsWith(".json")) JSON.parse(content);
    }
    home.succeed("uninstall", ...scope);
    assert.deepEqual(home.all, {});
    assert.deepEqual(readdirSync(home.file("project")), []);
  }
});

test("on Windows command lines are quoted as its shells read them, and uninstall gives every byte back", (t) => {
  const content =
    '{\r\n  "hooks": {"Stop": [{"hooks": [{"command": "C:\\\\Tools\\\\a b.exe"}]}]}\r\n}\r\n';
  const home = new Home(t, { [CLAUDE]: content });
  const preload = home.file("state-of-test.cjs");
  writeFileSync(
    preload,
    `Object.defineProperty(process, "platform", { value: "win32" });
Object.defineProperty(process, "execPath", { value: "C:\\\\Program Files\\\\nodejs\\\\node.exe" });`,
  );
  const before = home.all;
  home.env = { NODE_OPTIONS: `--require="${preload}"`, APPDATA: home.file("AppData") };
  const agents = [
    "claude-code",
    "codex",
    "gemini-cli",
    "qwen-code",
    "copilot-cli",
    "cursor",
    "crush",
  ];
  home.succeed("install", ...agents, "opencode", "kilo", "pi", "--yes");
  const [{ command: line }] = JSON.parse(home.read(CLAUDE)).hooks.PostToolBatch[0].hooks;
  assert.match(
    line,
    /^"C:\\Program Files\\nodejs\\node\.exe" ".*turnkeeper-hook\.cjs" claude-code /,
  );
  const copilot = JSON.parse(home.read(".copilot/hooks/turnkeeper.json")).hooks.PostToolUse[0];
  assert.match(copilot.powershell, /^& 'C:\\Program Files\\nodejs\\node\.exe' '.*' copilot-cli /);
  assert.match(home.run("install", "cline", "--yes").stderr, /Cline has no settings here/);
  home.succeed("uninstall");
  assert.deepEqual(home.all, before);
});

test("Copilot's two readers share a file, which stays while one of them is installed", (t) => {
  const home = new Home(t);
  home.succeed("install", "copilot-cli", "vscode-copilot", "--yes");
  home.succeed("uninstall", "copilot-cli");
  assert.ok(existsSync(home.file(".copilot/hooks/turnkeeper.json")));
  home.succeed("uninstall", "vscode-copilot");
  assert.deepEqual(home.all, {});
});

test("another's file of the same name is not touched", (t) => {
  const name = ".cline/hooks/PostToolUse.sh";
  const home = new Home(t, { [name]: "#!/bin/sh\nlint\n" });
  const { status, stderr } = home.run("install", "cline", "--yes");
  assert.equal(status, 2);
  assert.match(stderr, /PostToolUse\.sh is there already/);
  home.run("uninstall");
  assert.deepEqual(home.all, { [name]: "#!/bin/sh\nlint\n" });
});

test("settings that are a link stay one", { skip: process.platform === "win32" }, (t) => {
  const home = new Home(t, { "dotfiles/claude.json": "{}" });
  mkdirSync(home.file(".claude"));
  symlinkSync(home.file("dotfiles/claude.json"), home.file(CLAUDE));
  home.succeed("install", "claude-code", "--yes");
  assert.match(home.read("dotfiles/claude.json"), /turnkeeper-hook/);
  home.succeed("uninstall");
  assert.equal(home.read("dotfiles/claude.json"), "{}");
});

test("the installed command runs where the folder's name has a space and a quote", (t) => {
  const home = new Home(t, { [CLAUDE]: "{}" });
  home.succeed("install", "claude-code", "--yes");
  const { command: line } = JSON.parse(home.read(CLAUDE)).hooks.PostToolBatch[0].hooks[0];
  const event = JSON.stringify({
    hook_event_name: "UserPromptSubmit",
    session_id: "s",
    prompt: "Go.",
  });
  const { status, stdout, stderr } = spawnSync(line, {
    shell: true,
    input: event,
    env: { PATH: process.env.PATH, TURNKEEPER_STATE: home.file("state") },
    encoding: "utf8",
  });
  assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: "", stderr: "" });
  assert.match(
    home.succeed("status"),
    /Claude Code[\s\S]*installed in mode hint[\s\S]*last event: 20/,
  );
});

test("status says what is installed, and Codex's silence", (t) => {
  const home = new Home(t, { ".codex/config.toml": "", ".gemini/settings.json": "{}" });
  home.succeed("install", "codex", "--yes");
  const stdout = home.succeed("status");
  assert.match(stdout, /Codex[\s\S]*no event yet: it may not trust the hooks/);
  assert.match(stdout, /gemini-cli\n {2}not installed: turnkeeper install gemini-cli/);
});
