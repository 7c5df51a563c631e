// What `turnkeeper install` writes for each agent, and what it leaves alone.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
} from "node:fs";
import { test } from "node:test";

import { CLAUDE, Home, MINE, isIn, posix } from "./home.mjs";
import { program } from "./program.mjs";

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
    assert.equal(installed.match(/bin\/turnkeeper/g).length, 3);
    for (const word of content.match(/"[^"]*"|\/\/[^\r\n]*|\/\*.*\*\//g) ?? []) {
      assert.ok(installed.includes(word), word);
    }
    home.succeed("install", "claude-code", "--yes");
    assert.equal(home.read(CLAUDE), installed);
    home.succeed("uninstall", "claude-code");
    assert.deepEqual(home.all, { [CLAUDE]: content });
  });
}

test("files that cannot be read are left as they are, in words that name them", (t) => {
  const broken = {
    "an error": '{ "hooks": { "Stop": [ }\n',
    "no object": "[]",
    "hooks that are none": '{ "hooks": [] }',
    "an event that is no list": '{ "hooks": { "PostToolUse": {} } }',
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
  assert.match(stdout, /SessionStart, UserPromptSubmit, PostToolUse/);
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

test("settings that are a link stay one", posix, (t) => {
  const home = new Home(t, { "dotfiles/claude.json": "{}" });
  mkdirSync(home.file(".claude"));
  symlinkSync(home.file("dotfiles/claude.json"), home.file(CLAUDE));
  home.succeed("install", "claude-code", "--yes");
  assert.match(home.read("dotfiles/claude.json"), /bin\/turnkeeper/);
  home.succeed("uninstall");
  assert.equal(home.read("dotfiles/claude.json"), "{}");
});

test("a plugin stands in one of two files, also when the other comes later", (t) => {
  const home = new Home(t, { ".config/opencode/opencode.json": MINE });
  home.succeed("install", "opencode", "--yes");
  home.write(".config/opencode/opencode.jsonc", "{}");
  home.succeed("install", "opencode", "--yes");
  assert.equal(home.read(".config/opencode/opencode.json"), MINE);
  assert.ok(isIn(home, ".config/opencode/opencode.jsonc"));
});

test("settings of comments alone stay, with ours behind them", (t) => {
  const comments = "// Mine.\n/* and this */";
  const home = new Home(t, { [CLAUDE]: comments });
  home.succeed("install", "claude-code", "--yes");
  assert.ok(home.read(CLAUDE).startsWith(`${comments}\n{`));
  home.write(CLAUDE, home.read(CLAUDE).replace("Mine", "All mine"));
  home.succeed("uninstall");
  assert.match(home.read(CLAUDE), /^\/\/ All mine\.\n\/\* and this \*\/\n\{\s*\}\n$/);
});

test("what cannot be changed without a loss is refused in one line, and stays", posix, (t) => {
  const deep = `{"a":${"[".repeat(5_000)}${"]".repeat(5_000)}}`;
  const cases = {
    "is a link that leads nowhere": (home) => symlinkSync(home.file("nowhere"), home.file(CLAUDE)),
    "has another name": (home) => {
      home.write("dotfiles.json", MINE);
      linkSync(home.file("dotfiles.json"), home.file(CLAUDE));
    },
    "is no regular file": (home) => spawnSync("mkfifo", [home.file(CLAUDE)]),
    'has "hooks" twice': (home) => home.write(CLAUDE, '{ "hooks": {}, "hooks": { "Stop": [] } }'),
    'has "Stop" twice': (home) => home.write(CLAUDE, '{ "hooks": { "Stop": [], "Stop": [] } }'),
    "is nested too deeply": (home) => home.write(CLAUDE, deep),
  };
  for (const [what, make] of Object.entries(cases)) {
    const home = new Home(t);
    mkdirSync(home.file(".claude"));
    make(home);
    const before = lstatSync(home.file(CLAUDE), { bigint: true });
    const { status, stderr } = home.run("install", "claude-code", "--yes");
    assert.equal(status, 2, what);
    assert.match(stderr, /^turnkeeper: .*settings\.json .*\n$/, what);
    assert.ok(stderr.includes(what), stderr);
    const { ino, mtimeNs } = lstatSync(home.file(CLAUDE), { bigint: true });
    assert.deepEqual([ino, mtimeNs], [before.ino, before.mtimeNs], what);
    assert.doesNotMatch(home.succeed("status"), /installed in mode/, what);
    assert.match(home.succeed("uninstall"), /nothing to take out/, what);
  }
});

test("a state folder that is no folder of one's own ends in one line", posix, (t) => {
  const cases = {
    "a link": (home) => symlinkSync(home.file("project"), home.file("state")),
    "a link that leads nowhere": (home) => symlinkSync(home.file("nowhere"), home.file("state")),
    "a file": (home) => home.write("state", ""),
    "below a file": (home) => {
      home.write("file", "");
      home.env = { TURNKEEPER_STATE: home.file("file/state") };
    },
  };
  for (const [what, make] of Object.entries(cases)) {
    for (const args of [["install", "claude-code", "--yes"], ["status"]]) {
      const home = new Home(t, { [CLAUDE]: MINE });
      make(home);
      const { status, stderr } = home.run(...args);
      assert.deepEqual([status, stderr.split("\n").length], [2, 2], `${what}: ${stderr}`);
      assert.equal(home.read(CLAUDE), MINE);
    }
  }
});

test("who closes the input at the question, or interrupts, changes nothing", (t) => {
  if (spawnSync("script", ["-qec", "true", "/dev/null"]).status !== 0) return t.skip("no `script`");
  for (const keys of ["n\\r", "\\004", "\\003"]) {
    const home = new Home(t, { [CLAUDE]: MINE });
    home.write("run.sh", `exec '${program}' install claude-code\n`);
    const line = `(sleep 1; printf '${keys}'; sleep 1) | script -qec "sh run.sh" /dev/null`;
    const { status, stdout } = spawnSync("sh", ["-c", line], {
      cwd: home.root,
      env: { PATH: process.env.PATH, HOME: home.root, TURNKEEPER_STATE: home.file("state") },
      encoding: "utf8",
    });
    assert.equal(status, 2, stdout);
    assert.match(
      stdout,
      /\nturnkeeper: nothing was changed; --yes installs without a question\r\n$/,
    );
    assert.equal(home.read(CLAUDE), MINE);
  }
});

test("folders are those that the agents' variables name", (t) => {
  for (const [agent, variable, usual, moved] of [
    ["codex", "CODEX_HOME", ".codex/hooks.json", "moved/hooks.json"],
    ["gemini-cli", "GEMINI_CLI_HOME", ".gemini/settings.json", "moved/.gemini/settings.json"],
    ["qwen-code", "QWEN_HOME", ".qwen/settings.json", "moved/settings.json"],
    ["pi", "PI_CODING_AGENT_DIR", ".pi/agent/settings.json", "moved/settings.json"],
    ["crush", "CRUSH_GLOBAL_CONFIG", ".config/crush/crush.json", "moved/crush.json"],
  ]) {
    const home = new Home(t);
    home.env = { [variable]: home.file("moved") };
    home.succeed("install", agent, "--yes");
    assert.deepEqual([isIn(home, moved), isIn(home, usual)], [true, false], agent);
  }
  const home = new Home(t);
  home.env = { CLAUDE_CONFIG_DIR: `${home.file("a")}, ${home.file("b")},` };
  home.succeed("install", "claude-code", "--yes");
  assert.deepEqual(Object.keys(home.all), ["a/settings.json", "b/settings.json"]);
});

test("Copilot is found by what is its own, and not by VS Code", (t) => {
  const signs = {
    ".vscode/extensions/extensions.json": false,
    ".config/Code/User/settings.json": false,
    ".vscode/extensions/github.copilot-chat-0.32.0/package.json": true,
    ".config/Code/User/globalStorage/github.copilot-chat/state.json": true,
    ".copilot/config.json": true,
  };
  for (const [name, isSign] of Object.entries(signs)) {
    const home = new Home(t, { [CLAUDE]: "{}", [name]: "{}" });
    home.succeed("install", "--yes");
    assert.equal(isIn(home, ".copilot/hooks/turnkeeper.json"), isSign, name);
  }
});

test("install says what keeps hooks from running", (t) => {
  const home = new Home(t, { [CLAUDE]: '{ "disableAllHooks": true }' });
  assert.match(home.succeed("install", "claude-code", "--yes"), /"disableAllHooks" is true/);
});
