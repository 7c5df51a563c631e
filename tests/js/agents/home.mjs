// A home folder of a test's own, the program in it, and what it writes for each agent.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { launched, program } from "./program.mjs";

import { command } from "../node/installed-package.mjs";

/** A home folder with files, and the command in it. */
export class Home {
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
    const files = names.filter((name) => isFile(this.file(name)));
    return Object.fromEntries(files.map((name) => [name, this.read(name)]));
  }

  /** Runs the command; the last argument may be options of the process. */
  run(...args) {
    const options = typeof args.at(-1) === "object" ? args.pop() : {};
    const env = { PATH: "/nowhere", HOME: this.root, USERPROFILE: this.root, ...launched };
    const { status, stdout, stderr } = spawnSync(program, args, {
      cwd: this.file("project"),
      env: { ...env, TURNKEEPER_STATE: this.file("state"), ...this.env },
      encoding: "utf8",
      ...options,
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

/** Whether a file is there; a link may lead nowhere. */
function isFile(file) {
  try {
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

export const CLAUDE = ".claude/settings.json";
export const MINE = '{\n  // mine\n  "theme": "dark"\n}\n';

/** Agents with hooks, and a file of theirs. */
export const HOOKED = {
  "claude-code": CLAUDE,
  codex: ".codex/hooks.json",
  "gemini-cli": ".gemini/settings.json",
  "qwen-code": ".qwen/settings.json",
  "copilot-cli": ".copilot/hooks/turnkeeper.json",
  cursor: ".cursor/hooks.json",
  crush: ".config/crush/crush.json",
};
/** The same in a project. */
export const SHARED = {
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
export const posix = { skip: process.platform === "win32" };

/** Whether something of ours stands in a file. */
export function isIn(home, name) {
  return existsSync(home.file(name)) && home.read(name).includes("turnkeeper");
}

/** The command lines in a file, in whatever field. */
export function linesIn(content) {
  const strings = (value) =>
    typeof value === "string" ? [value] : Object.values(value ?? {}).flatMap(strings);
  return strings(JSON.parse(content)).filter(
    (it) => it.includes("turnkeeper") && it.includes(" --mode "),
  );
}

/** What an agent sends to a hook: more than a pipe holds. */
const EVENT = JSON.stringify({
  hook_event_name: "UserPromptSubmit",
  session_id: "s",
  prompt: "Go. ".repeat(50_000),
});

/** What a line does in `sh`, as agents run it. */
export function inShell(home, line, env = {}) {
  const { error, status, stdout, stderr } = spawnSync("/bin/sh", ["-c", line], {
    cwd: home.file("project"),
    input: EVENT,
    env: { PATH: process.env.PATH, HOME: home.root, ...env },
    encoding: "utf8",
  });
  // A pipe that nobody reads breaks.
  if (error) throw error;
  return { status, said: stdout + stderr };
}

/** A program in the place of the installed one, which records how it is called, and answers. */
export class Recorder {
  good = { status: 0, said: "{}\n" };

  constructor(home, name = "state/bin/turnkeeper") {
    this.home = home;
    const record = home.file("recorded").replaceAll("'", "'\\''");
    const lines = [`printf '%s\\n' "$@" >'${record}.args'`, `cat >'${record}.event'`, "echo {}"];
    home.write(name, `#!/bin/sh\n${lines.join("\n")}\n`);
    chmodSync(home.file(name), 0o755);
  }

  /** The arguments that it was called with. */
  get args() {
    assert.ok(this.home.read("recorded.event") === EVENT, "the whole event");
    return this.home.read("recorded.args").trim().split("\n");
  }
}
