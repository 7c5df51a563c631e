// An agent gets what its version takes: an event that it does not know may cost its user the whole settings file.

import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { CLAUDE, Home, posix } from "./home.mjs";

const OLD = ["SessionStart", "UserPromptSubmit", "PostToolUse"];
const TODAY = ["SessionStart", "UserPromptSubmit", "PostToolBatch"];

/** A program on the PATH; what it says may be any script. */
function program(home, name, script, folder = "bin") {
  home.write(`${folder}/${name}`, `#!/bin/sh\n${script}\n`);
  chmodSync(home.file(`${folder}/${name}`), 0o755);
  home.env = { ...home.env, PATH: `${home.file(folder)}:${home.env?.PATH ?? "/usr/bin:/bin"}` };
}

const events = (home, file = CLAUDE) => Object.keys(JSON.parse(home.read(file)).hooks ?? {});

test("Claude Code gets the events of its version, and keeps everything else", posix, (t) => {
  const mine = { permissions: { deny: ["Bash(rm:*)"] }, env: { A: "b" } };
  for (const [version, mode, expected] of [
    ["1.0.98", "hint", OLD],
    ["2.0.57", "hint", [...OLD, "PostToolUseFailure"]],
    ["2.1.97", "stop", [...OLD, "PostToolUseFailure", "PreToolUse"]],
    ["2.1.135", "watch", [...OLD, "PostToolUseFailure"]],
    ["2.1.136", "stop", TODAY],
    ["3.0.0", "hint", TODAY],
  ]) {
    for (const scope of [[], ["--project"]]) {
      const home = new Home(t, { [CLAUDE]: JSON.stringify(mine) });
      program(home, "claude", `echo '${version} (Claude Code)'`);
      const said = home.succeed("install", "claude-code", "--mode", mode, "--yes", ...scope);
      assert.ok(said.includes(`for version ${version}`), said);
      const file = scope.length > 0 ? "project/.claude/settings.local.json" : CLAUDE;
      assert.deepEqual(events(home, file), expected, version);
      assert.deepEqual(JSON.parse(home.read(CLAUDE)).permissions, mine.permissions);
      assert.ok(home.succeed("status").includes(`written for version ${version}`));
    }
  }
});

test(
  "a version that is not told is one of the last year, and the oldest of several counts",
  posix,
  (t) => {
    const folder = ".vscode/extensions/anthropic.claude-code-2.1.97-linux-x64";
    for (const [what, make, expected] of [
      ["nothing", () => {}, OLD],
      ["a failure", (home) => program(home, "claude", "echo 2.1.332; exit 1"), OLD],
      ["no version", (home) => program(home, "claude", "echo hello"), OLD],
      ["a program that does not end", (home) => program(home, "claude", "sleep 60"), OLD],
      [
        "one that leaves another",
        (home) => program(home, "claude", "sleep 60 & echo 2.1.332"),
        TODAY,
      ],
      [
        "an editor's",
        (home) => mkdirSync(home.file(folder), { recursive: true }),
        [...OLD, "PostToolUseFailure"],
      ],
      [
        "two",
        (home) => {
          program(home, "claude", "echo 2.1.332");
          program(home, "claude", "echo 2.1.89", "older");
        },
        [...OLD, "PostToolUseFailure"],
      ],
      [
        "the newest extension, which runs, and a program",
        (home) => {
          mkdirSync(home.file(folder), { recursive: true });
          mkdirSync(home.file(folder.replace("2.1.97", "2.1.200")));
          program(home, "claude", "echo 2.1.332");
        },
        TODAY,
      ],
      [
        "a package, whose program is not started",
        (home) => {
          const at = "lib/node_modules/@anthropic-ai/claude-code";
          home.write(
            `${at}/package.json`,
            '{"name": "@anthropic-ai/claude-code", "version": "2.1.332"}',
          );
          program(home, "cli.js", `touch '${home.root}/started'`, at);
          mkdirSync(home.file("bin"));
          symlinkSync(home.file(`${at}/cli.js`), home.file("bin/claude"));
          home.env = { PATH: home.file("bin") };
        },
        TODAY,
      ],
    ]) {
      const home = new Home(t, { [CLAUDE]: "{}" });
      home.env = { PATH: "/usr/bin:/bin" };
      make(home);
      home.succeed("install", "claude-code", "--yes");
      assert.deepEqual(events(home), expected, what);
      assert.equal(existsSync(home.file("started")), false);
    }
  },
);

test("no program of the current folder is started", posix, (t) => {
  const home = new Home(t, { [CLAUDE]: "{}" });
  home.write("project/claude", `#!/bin/sh\ntouch '${home.root}/started'\necho 2.1.332\n`);
  chmodSync(home.file("project/claude"), 0o755);
  home.env = { PATH: `.::${path.join("..", "project")}` };
  home.succeed("install", "claude-code", "--yes");
  home.succeed("status");
  assert.equal(existsSync(home.file("started")), false);
});

test("an agent without hooks is left alone, and said so", posix, (t) => {
  for (const [agent, command, version] of [
    ["claude-code", "claude", "0.2.126"],
    ["codex", "codex", "0.100.0"],
    ["gemini-cli", "gemini", "0.21.3"],
    ["qwen-code", "qwen", "0.10.1"],
    ["copilot-cli", "copilot", "0.0.420"],
    ["opencode", "opencode", "0.5.29"],
    ["pi", "pi", "0.30.2"],
  ]) {
    const home = new Home(t);
    program(home, command, `echo '${version}'`);
    const before = home.all;
    const { status, stderr } = home.run("install", agent, "--yes");
    assert.equal(status, 2, agent);
    assert.ok(stderr.includes(version), stderr);
    assert.deepEqual(home.all, before);
  }
});

test(
  "status tells when an agent has changed, and what to do; install writes the other events",
  posix,
  (t) => {
    const home = new Home(t, { [CLAUDE]: '{\n  "theme": "dark"\n}\n' });
    program(home, "claude", "echo 2.1.332");
    home.succeed("install", "claude-code", "--yes");
    program(home, "claude", "echo 2.1.340");
    assert.match(
      home.succeed("status"),
      /written for version 2\.1\.332, and the same for 2\.1\.340/,
    );
    program(home, "claude", "echo 2.1.89");
    assert.match(
      home.succeed("status"),
      /written for version 2\.1\.332; Claude Code is 2\.1\.89 now, .*install claude-code/,
    );
    home.succeed("install", "claude-code", "--yes");
    assert.deepEqual(events(home), [...OLD, "PostToolUseFailure"]);
    assert.match(home.succeed("status"), /written for version 2\.1\.89\n/);
    home.succeed("uninstall");
    assert.equal(home.read(CLAUDE), '{\n  "theme": "dark"\n}\n');
  },
);

test("--economy is for the versions that let a hook replace a result", posix, (t) => {
  for (const [version, expected, says] of [
    ["2.1.332", [...TODAY, "PostToolUse"], false],
    ["2.1.89", [...OLD, "PostToolUseFailure"], true],
  ]) {
    const home = new Home(t, { [CLAUDE]: "{}" });
    program(home, "claude", `echo ${version}`);
    const said = home.succeed("install", "claude-code", "--economy", "--yes");
    assert.deepEqual(events(home), expected);
    assert.equal(/--economy changes nothing/.test(said), says);
    assert.equal(home.read(CLAUDE).includes("--economy"), !says);
  }
});

test("opencode's plugins stand in the list that its version has, or that is there", posix, (t) => {
  for (const [version, content, list] of [
    ["1.18.33", "{}", "plugin"],
    ["2.0.1", "{}", "plugins"],
    ["2.0.1", '{ "plugin": [] }', "plugin"],
    ["1.18.33", '{ "plugins": [{ "package": "@acme/reviewer" }] }', "plugins"],
  ]) {
    const file = ".config/opencode/opencode.json";
    const home = new Home(t, { [file]: content });
    program(home, "opencode", `echo ${version}`);
    home.succeed("install", "opencode", "--yes");
    const written = JSON.parse(home.read(file));
    assert.match(JSON.stringify(written[list]), /turnkeeper/, `${version} ${content}`);
    assert.doesNotMatch(home.succeed("status"), /does not run|gone/);
    home.succeed("uninstall");
    assert.equal(home.read(file), content);
  }
});

test(
  "Cline's hooks in VS Code stand in the folder of documents, which has a name in each language",
  posix,
  (t) => {
    for (const [what, make, folder] of [
      ["neither", () => {}, "Documents"],
      [
        "a file",
        (home) => home.write(".config/user-dirs.dirs", 'XDG_DOCUMENTS_DIR="$HOME/Dokumente"\n'),
        "Dokumente",
      ],
      ["a program", (home) => program(home, "xdg-user-dir", 'echo "$HOME/文档"'), "文档"],
      ["a program that fails", (home) => program(home, "xdg-user-dir", "exit 1"), "Documents"],
    ]) {
      const home = new Home(t);
      home.env = { PATH: "/nowhere" };
      make(home);
      home.succeed("install", "cline", "--yes");
      assert.ok(existsSync(home.file(`${folder}/Cline/Hooks/PostToolUse`)), what);
      // One of an earlier version stands in the usual folder.
      if (folder !== "Documents") assert.equal(existsSync(home.file("Documents")), false);
      home.succeed("uninstall");
      assert.equal(existsSync(home.file(folder)), false, what);
    }
    const moved = new Home(t);
    moved.succeed("install", "cline", "--yes");
    moved.write(".config/user-dirs.dirs", 'XDG_DOCUMENTS_DIR="$HOME/Dokumente"\n');
    moved.succeed("install", "cline", "--yes");
    assert.equal(existsSync(moved.file("Documents/Cline/Hooks/PostToolUse")), false);
    assert.ok(existsSync(moved.file("Dokumente/Cline/Hooks/PostToolUse")));
    writeFileSync(moved.file(".config/user-dirs.dirs"), "");
  },
);
