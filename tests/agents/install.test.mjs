import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
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

/** The command lines in a file, in whatever field. */
function linesIn(content) {
  const strings = (value) =>
    typeof value === "string" ? [value] : Object.values(value ?? {}).flatMap(strings);
  return strings(JSON.parse(content)).filter((it) => it.includes("turnkeeper-hook.cjs"));
}

/** An event that the agent of a line may send. */
function eventOf(line) {
  const [, agent] = / ([a-z-]+) --mode /.exec(line);
  const names = { "gemini-cli": "BeforeAgent", cursor: "beforeSubmitPrompt", crush: "PreToolUse" };
  return {
    hook_event_name: names[agent] ?? "UserPromptSubmit",
    session_id: "s",
    prompt: "Go.",
    tool_name: "bash",
    tool_input: { command: "ls" },
  };
}

/** What a line does in `sh`, as agents run it. */
function inShell(home, line, env = {}) {
  const { status, stdout, stderr } = spawnSync("/bin/sh", ["-c", line], {
    cwd: home.file("project"),
    input: JSON.stringify(eventOf(line)),
    env: { PATH: process.env.PATH, HOME: home.root, ...env },
    encoding: "utf8",
  });
  return { status, said: stdout.replace(/^\{\}\s*$/, "") + stderr };
}

/** Agents with hooks, and a file of theirs. */
const HOOKED = {
  "claude-code": CLAUDE,
  codex: ".codex/hooks.json",
  "gemini-cli": ".gemini/settings.json",
  "qwen-code": ".qwen/settings.json",
  "copilot-cli": ".copilot/hooks/turnkeeper.json",
  cursor: ".cursor/hooks.json",
  crush: ".config/crush/crush.json",
};
/** The same in a project. */
const SHARED = {
  "claude-code": "project/.claude/settings.local.json",
  codex: "project/.codex/hooks.json",
  "gemini-cli": "project/.gemini/settings.json",
  "qwen-code": "project/.qwen/settings.json",
  "copilot-cli": "project/.github/hooks/turnkeeper.json",
  cursor: "project/.cursor/hooks.json",
  crush: "project/crush.json",
  opencode: "project/.opencode/plugin/turnkeeper.js",
  pi: "project/.pi/extensions/turnkeeper.js",
};
const posix = { skip: process.platform === "win32" };

test("the written line ends with 0 and in silence, whatever is gone", posix, (t) => {
  const bare = { PATH: "/nowhere" };
  for (const [agent, name] of Object.entries(HOOKED)) {
    for (const scope of [[], ["--project"]]) {
      const home = new Home(t);
      home.succeed("install", agent, "--yes", ...scope);
      const [line] = linesIn(home.read(scope.length > 0 ? SHARED[agent] : name));
      const state = { TURNKEEPER_STATE: home.file("state") };
      const good = { status: 0, said: "" };
      assert.deepEqual(inShell(home, line, state), good, `${agent}: sound`);
      assert.ok(existsSync(home.file(`state/${agent}.heard`)), agent);
      rmSync(home.file("state/package/node"));
      assert.deepEqual(inShell(home, line, state), good, `${agent}: the link to Node is gone`);
      writeFileSync(home.file("state/package/dist/turnkeeper-hook.cjs"), "oh no");
      assert.deepEqual(inShell(home, line, state), good, `${agent}: the program is damaged`);
      rmSync(home.file("state"), { recursive: true });
      assert.deepEqual(inShell(home, line, state), good, `${agent}: the state folder is gone`);
      assert.deepEqual(
        inShell(home, line, { ...state, ...bare }),
        good,
        `${agent}: no command is found`,
      );
    }
  }
});
test(
  "the written line names no version's folder of Node, and goes on after an upgrade",
  posix,
  (t) => {
    const home = new Home(t);
    const versioned = home.file("Cellar/node/26.5.0/bin/node");
    // It would not run the hook.
    home.write("old/node", "#!/bin/sh\necho v12.22.9\n");
    chmodSync(home.file("old/node"), 0o755);
    home.write("Cellar/node/26.5.0/bin/node", `#!/bin/sh\nexec '${process.execPath}' "$@"\n`);
    chmodSync(versioned, 0o755);
    mkdirSync(home.file("brew/bin"), { recursive: true });
    symlinkSync(versioned, home.file("brew/bin/node"));
    const folders = [path.dirname(versioned), home.file("old"), home.file("brew/bin")];
    home.env = { PATH: folders.join(":") };
    home.succeed("install", "gemini-cli", "--yes");
    const [line] = linesIn(home.read(".gemini/settings.json"));
    assert.doesNotMatch(line, /26\.5\.0/);
    // Agents that no shell has started have another PATH.
    const env = { PATH: "/nowhere", TURNKEEPER_STATE: home.file("state") };
    const heard = () => existsSync(home.file("state/gemini-cli.heard"));
    rmSync(versioned);
    home.env = { PATH: home.file("brew/bin") };
    inShell(home, line, env);
    assert.equal(heard(), false);
    assert.match(home.succeed("status"), /gemini-cli[\s\S]*does not run: Node is gone/);
    symlinkSync(process.execPath, versioned);
    inShell(home, line, env);
    assert.equal(heard(), true);
    assert.doesNotMatch(home.succeed("status"), /does not run/);
  },
);

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
    const [line] = linesIn(home.read(SHARED.codex));
    assert.deepEqual(inShell(other, line), { status: 0, said: "" });
    assert.ok(existsSync(other.file(".local/state/turnkeeper/codex.heard")));
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

const WINDOWS = `Object.defineProperty(process, "platform", { value: "win32" });
Object.defineProperty(process, "execPath", { value: "C:\\Program Files\\nodejs\\node.exe" });`;

test("on Windows PowerShell, cmd and Git Bash run the lines, and uninstall gives every byte back", (t) => {
  const content =
    '{\r\n  "hooks": {"Stop": [{"hooks": [{"command": "C:\\\\Tools\\\\a b.exe"}]}]}\r\n}\r\n';
  const home = new Home(t, { [CLAUDE]: content });
  home.write("state-of-test.cjs", WINDOWS);
  const before = home.all;
  home.env = {
    NODE_OPTIONS: `--require="${home.file("state-of-test.cjs")}"`,
    APPDATA: home.file("AppData"),
  };
  const agents = Object.keys(HOOKED);
  home.succeed("install", ...agents, "opencode", "kilo", "pi", "--yes");
  for (const [agent, name] of Object.entries(HOOKED)) {
    for (const line of linesIn(home.read(name))) {
      // The first word without quotes, no backslash, and nothing that a shell would put something in the place of.
      const plain = line.replace(/^try \{ (.*) \} catch \{ \}; exit 0$/, "$1");
      assert.match(plain, /^node "[^"\\$%`]*\/turnkeeper-hook\.cjs" [a-z-]+ --mode hint$/, agent);
    }
  }
  const copilot = JSON.parse(home.read(HOOKED["copilot-cli"])).hooks.PostToolUse[0];
  assert.match(copilot.powershell, /^try \{ .* \} catch \{ \}; exit 0$/);
  assert.match(home.run("install", "cline", "--yes").stderr, /Cline has no settings here/);
  home.succeed("uninstall");
  assert.deepEqual(home.all, before);
  home.succeed("install", ...agents, "--project", "--yes");
  const [line] = linesIn(home.read(SHARED.codex));
  assert.equal(line.includes(home.root), false);
  // This shell, too, runs it.
  const state = { TURNKEEPER_STATE: home.file("state") };
  assert.deepEqual(inShell(home, line, state), { status: 0, said: "" });
  assert.ok(existsSync(home.file("state/codex.heard")));
  rmSync(home.file("state"), { recursive: true });
  assert.deepEqual(inShell(home, line, state), { status: 0, said: "" });
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

const MINE = '{\n  // mine\n  "theme": "dark"\n}\n';
const isIn = (home, name) => existsSync(home.file(name)) && home.read(name).includes("turnkeeper");

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

test("with --project nothing of the user's own is taken out", (t) => {
  const home = new Home(t, { [CLAUDE]: MINE });
  home.succeed("install", "claude-code", "--yes");
  home.succeed("install", "claude-code", "--project", "--yes");
  home.succeed("uninstall", "--project");
  assert.ok(isIn(home, CLAUDE));
  assert.deepEqual(readdirSync(home.file("project")), []);
});

test("a plugin stands in one of two files, also when the other comes later", (t) => {
  const home = new Home(t, { ".config/opencode/opencode.json": MINE });
  home.succeed("install", "opencode", "--yes");
  home.write(".config/opencode/opencode.jsonc", "{}");
  home.succeed("install", "opencode", "--yes");
  assert.equal(home.read(".config/opencode/opencode.json"), MINE);
  assert.ok(isIn(home, ".config/opencode/opencode.jsonc"));
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
    home.write("run.sh", `exec '${process.execPath}' '${command}' install claude-code\n`);
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

test("status looks at the files, and at what would run", (t) => {
  const cases = {
    "gone from": (home) => home.write(CLAUDE, MINE),
    "gone from ": (home) => rmSync(home.file(".claude"), { recursive: true }),
    "does not run: .*turnkeeper-hook\\.cjs is gone": (home) =>
      rmSync(home.file("state/package"), { recursive: true }),
    'does not run: "disableAllHooks" is true': (home) =>
      home.write(CLAUDE, home.read(CLAUDE).replace("{", '{ "disableAllHooks": true,')),
  };
  for (const [words, change] of Object.entries(cases)) {
    const home = new Home(t, { [CLAUDE]: MINE });
    home.env = { PATH: path.dirname(process.execPath) };
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

test("status looks for the files of plugins, too", (t) => {
  const home = new Home(t);
  home.succeed("install", "opencode", "kilo", "pi", "--yes");
  assert.doesNotMatch(home.succeed("status"), /does not run/);
  rmSync(home.file("state/package/dist/pi.mjs"));
  rmSync(home.file("state/package/dist/opencode.mjs"));
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

test("install says what keeps hooks from running", (t) => {
  const home = new Home(t, { [CLAUDE]: '{ "disableAllHooks": true }' });
  assert.match(home.succeed("install", "claude-code", "--yes"), /"disableAllHooks" is true/);
});

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
