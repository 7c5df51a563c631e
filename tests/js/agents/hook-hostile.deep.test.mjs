import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { command } from "../node/installed-package.mjs";
import { HOOK, Hooks, claude } from "./hook-process.mjs";

test("an id that is a path names no file", (t) => {
  const hooks = new Hooks(t, "claude-code");
  const ids = ["../../../x", "/etc/passwd", "a/../b", "CON", "x".repeat(100_000), "\0", "é\n"];
  for (const session of ids) assert.equal(hooks.send(claude.look({ session })), undefined);
  for (const subagent of ids) assert.equal(hooks.send(claude.look({ subagent })), undefined);
  assert.equal(hooks.sessions.length, 2 * ids.length);
  assert.deepEqual(readdirSync(hooks.root), ["state"]);
  for (const file of hooks.sessions) {
    assert.match(path.basename(file), /^claude-code-[0-9a-f]{32}\.state$/);
  }
});

test("what is no event is answered with nothing", (t) => {
  for (const agent of ["claude-code", "codex", "copilot-cli", "cursor", "crush", "goose"]) {
    const hooks = new Hooks(t, agent);
    const name = { hook_event_name: "PostToolUse", event: "PreToolUse", session_id: "s" };
    const events = ["", "{", "null", "[]", "7", '"x"', {}, name];
    events.push({ ...name, tool_name: 7, tool_input: "{" }, { ...name, session_id: {} });
    events.push({ hook_event_name: "PostToolBatch", session_id: "s", tool_calls: {} });
    events.push({
      hook_event_name: "PostToolBatch",
      session_id: "s",
      tool_calls: [null, 7, "x", {}],
    });
    for (const event of events) assert.equal(hooks.send(event), undefined, JSON.stringify(event));
  }
});

test("an event of 100 MB breaks nothing", (t) => {
  const hooks = new Hooks(t, "claude-code");
  const output = "x".repeat(100_000_000);
  assert.equal(hooks.send(claude.batch([{ command: "cat big", output }])), undefined);
  assert.match(hooks.log[0].why, /too large/);
  assert.equal(hooks.send(claude.look()), undefined);
  assert.equal(hooks.log.length, 1);
});

test("a large event counts", (t) => {
  const hooks = new Hooks(t, "claude-code");
  const output = "x".repeat(10_000_000);
  const answers = [0, 1, 2].map(() => hooks.send(claude.batch([{ command: "cat big", output }])));
  assert.match(answers[2].hookSpecificOutput.additionalContext, /Turnkeeper/);
});

test("a state folder that is a link is not used", { skip: process.platform === "win32" }, (t) => {
  const hooks = new Hooks(t, "claude-code");
  const elsewhere = path.join(hooks.root, "elsewhere");
  mkdirSync(elsewhere);
  symlinkSync(elsewhere, hooks.state);
  for (let at = 0; at < 4; at++) assert.equal(hooks.send(claude.look()), undefined);
  assert.deepEqual(readdirSync(elsewhere), []);
});

test(
  "a state folder of another user is not used",
  { skip: process.getuid?.() !== 0 },
  async (t) => {
    const hooks = new Hooks(t, "claude-code");
    mkdirSync(hooks.state);
    const { chownSync } = await import("node:fs");
    chownSync(hooks.state, 12_345, 12_345);
    for (let at = 0; at < 4; at++) assert.equal(hooks.send(claude.look()), undefined);
    assert.deepEqual(readdirSync(hooks.state), []);
  },
);

const posix = { skip: process.platform === "win32" };

test(
  "a state folder that was there stays as open as it is, and what is kept in it is closed",
  posix,
  (t) => {
    for (const mode of [0o755, 0o775, 0o777, 0o1777]) {
      const hooks = new Hooks(t, "claude-code");
      mkdirSync(hooks.state);
      chmodSync(hooks.state, mode);
      hooks.send(claude.look());
      hooks.send("no JSON");
      const modes = [".", "sessions", "log.jsonl", "claude-code.heard"].map(
        (name) => statSync(path.join(hooks.state, name)).mode & 0o7777,
      );
      assert.deepEqual(modes, [mode, 0o700, 0o600, 0o600]);
      assert.equal(statSync(hooks.sessions[0]).mode & 0o777, 0o600);
    }
  },
);

/** What is no plain file, and would keep one waiting, have no end, or be another's. */
const OTHERS = {
  "a pipe": (file) => spawnSync("mkfifo", [file]),
  "a folder": (file) => mkdirSync(file),
  "a link to a device": (file) => symlinkSync("/dev/zero", file),
  "a link to nothing": (file) => symlinkSync(`${file}.nowhere`, file),
};

for (const [what, make] of Object.entries(OTHERS)) {
  test(`${what} in the place of any of its files keeps no hook waiting`, posix, (t) => {
    const hooks = new Hooks(t, "claude-code");
    hooks.send(claude.look());
    const record = path.basename(hooks.sessions[0]);
    const lock = `turnkeeper-${record.at("claude-code-".length)}.lock`;
    const names = ["log.jsonl", "claude-code.heard", "installed.json"];
    for (const name of [...names, `sessions/${record}`, `sessions/${lock}`]) {
      const spoilt = new Hooks(t, "claude-code");
      mkdirSync(path.join(spoilt.state, "sessions"), { recursive: true });
      const file = path.join(spoilt.state, name);
      make(file);
      const answers = [1, 2, 3, 4].map(() => spoilt.send(claude.look()));
      // Without a lock nothing is judged; a record is put in the place of anything but a folder.
      const isJudged =
        name !== `sessions/${lock}` && !(what === "a folder" && name.endsWith(record));
      const isTold = answers.some((it) => it !== undefined);
      assert.equal(isTold, isJudged, `${what}: ${name}`);
      assert.equal(existsSync(`${file}.nowhere`), false);
    }
  });
}

test("a state folder that is a file, or cannot be made, breaks nothing", (t) => {
  const hooks = new Hooks(t, "claude-code");
  writeFileSync(hooks.state, "mine");
  assert.equal(hooks.send(claude.look()), undefined);
  const below = { TURNKEEPER_STATE: path.join(hooks.state, "below") };
  assert.equal(hooks.send(claude.look(), below), undefined);
});

test("what stands in the way within the state folder breaks nothing, and a hint is given all the same", (t) => {
  const hooks = new Hooks(t, "claude-code");
  mkdirSync(path.join(hooks.state, "log.jsonl"), { recursive: true });
  mkdirSync(path.join(hooks.state, "claude-code.heard"));
  const answers = [0, 1, 2].map(() => hooks.send(claude.look()));
  assert.match(answers[2].hookSpecificOutput.additionalContext, /Turnkeeper/);
  rmSync(path.join(hooks.state, "sessions"), { recursive: true });
  assert.equal(hooks.send(claude.look()), undefined);
  rmSync(path.join(hooks.state, "sessions"), { recursive: true });
  writeFileSync(path.join(hooks.state, "sessions"), "mine");
  assert.equal(hooks.send(claude.look()), undefined);
  rmSync(hooks.state, { recursive: true });
  assert.equal(hooks.send(claude.look()), undefined);
  assert.equal(hooks.sessions.length, 1);
});

test("a hook that nobody talks to ends well and says nothing", (t) => {
  const hooks = new Hooks(t, "claude-code");
  const [program, ...first] = HOOK;
  const run = (options) => {
    const all = { encoding: "utf8", env: hooks.env, ...options };
    const { status, stdout, stderr } = spawnSync(program, [...first, "claude-code"], all);
    return { status, stdout: stdout ?? "", stderr };
  };
  const silent = { status: 0, stdout: "", stderr: "" };
  assert.deepEqual(run({ stdio: ["ignore", "pipe", "pipe"] }), silent);
  assert.deepEqual(run({ cwd: hooks.root, input: "" }), silent);
  // Standard input that is a folder or is closed.
  for (const line of [
    `"$0" "$1" claude-code < /`,
    `"$0" "$1" claude-code <&-`,
    `"$0" "$1" x < /`,
  ]) {
    const ended = spawnSync("sh", ["-c", line, ...HOOK], { env: hooks.env });
    assert.deepEqual([ended.status, `${ended.stdout}${ended.stderr}`], [0, ""], line);
  }
});

test("arguments that are not known are answered with nothing, and with exit code 0", (t) => {
  const hooks = new Hooks(t, "claude-code");
  const input = JSON.stringify(claude.look());
  for (const [program, ...first] of [HOOK, [process.execPath, command, "hook"]]) {
    for (const args of [
      ["claude"],
      [],
      ["codex", "--mode", "loud"],
      ["codex", "--mode"],
      ["--x"],
    ]) {
      const options = { input, env: hooks.env, encoding: "utf8" };
      const ended = spawnSync(program, [...first, ...args], options);
      assert.deepEqual([ended.status, ended.stdout, ended.stderr], [0, "", ""], args.join(" "));
    }
  }
  hooks.more = ["--quiet", "PostToolBatch", "x", "--mode=watch"];
  hooks.send(claude.look());
  assert.equal(hooks.sessions.length, 1);
});

test("a full disk breaks nothing, and what is there when it has room again is whole", (t) => {
  const hooks = new Hooks(t, "claude-code");
  mkdirSync(hooks.state);
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", hooks.state]);
  if (mounted.status !== 0) return t.skip("no file system can be mounted here");
  try {
    for (let at = 0; at < 2; at++) assert.equal(hooks.send(claude.look()), undefined);
    const fill = path.join(hooks.state, "fill");
    spawnSync("dd", ["if=/dev/zero", `of=${fill}`]);
    for (let at = 0; at < 2; at++) assert.equal(hooks.send(claude.look()), undefined);
    const left = readdirSync(path.join(hooks.state, "sessions"));
    const strange = left.filter(
      (name) => !/^(?:claude-code-[0-9a-f]{32}\.state|turnkeeper-[0-9a-f]\.lock)$/.test(name),
    );
    assert.deepEqual(strange, []);
    rmSync(fill);
    const { hookSpecificOutput } = hooks.send(claude.look());
    assert.match(hookSpecificOutput.additionalContext, /3 times in a row/);
  } finally {
    spawnSync("umount", [hooks.state]);
  }
});

test("a lock goes with its process, and another's is waited for", posix, async (t) => {
  if (spawnSync("flock", ["--version"]).status !== 0) return t.skip("there is no flock here");
  const hooks = new Hooks(t, "claude-code");
  hooks.send(claude.look());
  const record = path.basename(hooks.sessions[0]);
  const lock = path.join(
    hooks.state,
    `sessions/turnkeeper-${record.at("claude-code-".length)}.lock`,
  );
  const holder = spawn("flock", ["--no-fork", lock, "sh", "-c", "echo held; exec sleep 600"]);
  await once(holder.stdout, "data");
  assert.equal(hooks.send(claude.look()), undefined);
  assert.match(hooks.log.at(-1).why, /lock/);
  holder.kill("SIGKILL");
  await once(holder, "exit");
  assert.equal(hooks.send(claude.look()), undefined);
  assert.match(hooks.send(claude.look()).hookSpecificOutput.additionalContext, /Turnkeeper/);
});

test("files of sessions that ended more than seven days ago are removed", (t) => {
  const hooks = new Hooks(t, "claude-code");
  hooks.send(claude.look({ session: "old" }));
  const old = new Date(Date.now() - 8 * 24 * 60 * 60 * 1000);
  utimesSync(hooks.sessions[0], old, old);
  // What others keep there has other names, or is no file.
  const folder = path.dirname(hooks.sessions[0]);
  const key = "0".repeat(32);
  for (const name of ["2026-01-01.jsonl", `${key}.state`, `claude-code-${key}.state.bak`]) {
    writeFileSync(path.join(folder, name), "theirs");
    utimesSync(path.join(folder, name), old, old);
  }
  mkdirSync(path.join(folder, `claude-code-${key}.state`));
  utimesSync(path.join(folder, `claude-code-${key}.state`), old, old);
  hooks.send(claude.look({ session: "new" }));
  hooks.send(claude.prompt("new"));
  const left = readdirSync(folder).filter((name) => !name.endsWith(".lock"));
  assert.equal(left.length, 5);
});
