import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { command } from "../node/installed-package.mjs";
import { HOOK, Hooks, claude, startOf } from "./hook-process.mjs";

test("an id that is a path names no file", (t) => {
  const hooks = new Hooks(t, "claude-code");
  const ids = ["../../../x", "/etc/passwd", "a/../b", "CON", "x".repeat(100_000), "\0", "é\n"];
  for (const session of ids) assert.equal(hooks.send(claude.look({ session })), undefined);
  for (const subagent of ids) assert.equal(hooks.send(claude.look({ subagent })), undefined);
  assert.equal(hooks.sessions.length, 2 * ids.length);
  assert.deepEqual(readdirSync(hooks.root), ["state"]);
  for (const file of hooks.sessions)
    assert.match(path.basename(file), /^[0-9a-f]{32}\.(?:json|state)$/);
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

test(
  "a state folder that others could write to is closed",
  { skip: process.platform === "win32" },
  (t) => {
    const hooks = new Hooks(t, "claude-code");
    mkdirSync(hooks.state);
    chmodSync(hooks.state, 0o777);
    hooks.send(claude.look());
    assert.equal(hooks.sessions.length, 1);
  },
);

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

test("a hook whose modules are gone, or that nobody listens to, ends well and says nothing", (t) => {
  const hooks = new Hooks(t, "claude-code");
  const alone = path.join(hooks.root, path.basename(HOOK));
  copyFileSync(HOOK, alone);
  const run = (file, args, options) => {
    const [program, ...first] = startOf(file);
    const { status, stdout, stderr } = spawnSync(program, [...first, ...args], {
      encoding: "utf8",
      env: hooks.env,
      ...options,
    });
    return { status, stdout: stdout ?? "", stderr };
  };
  const silent = { status: 0, stdout: "", stderr: "" };
  const input = JSON.stringify(claude.look());
  assert.deepEqual(run(alone, ["claude-code"], { input }), silent);
  assert.deepEqual(run(HOOK, ["claude-code"], { stdio: ["ignore", "pipe", "pipe"] }), silent);
  assert.deepEqual(run(HOOK, ["claude-code"], { cwd: hooks.root, input: "" }), silent);
  // Standard input that is a folder or is closed, and standard output that nobody reads.
  for (const line of [
    `"$0" "$1" claude-code < /`,
    `"$0" "$1" claude-code <&-`,
    `"$0" "$1" x < /`,
  ]) {
    const ended = spawnSync("sh", ["-c", line, ...startOf(HOOK)], { env: hooks.env });
    assert.deepEqual([ended.status, `${ended.stdout}${ended.stderr}`], [0, ""], line);
  }
});

test("arguments that are not known are answered with nothing, and with exit code 0", (t) => {
  const hooks = new Hooks(t, "claude-code");
  const input = JSON.stringify(claude.look());
  for (const [program, ...first] of [startOf(HOOK), [process.execPath, command, "hook"]]) {
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
    const strange = left.filter((name) => !/^[0-9a-f]{32}\.(?:jsonl?|state)$/.test(name));
    assert.deepEqual(strange, []);
    rmSync(fill);
    const { hookSpecificOutput } = hooks.send(claude.look());
    assert.match(hookSpecificOutput.additionalContext, /3 times in a row/);
  } finally {
    spawnSync("umount", [hooks.state]);
  }
});

test("a lock that its process did not take back is taken away, another's is waited for", (t) => {
  const hooks = new Hooks(t, "claude-code");
  hooks.send(claude.look());
  const [file] = hooks.sessions;
  // No process has this number for long, and none has the number 0.
  writeFileSync(`${file}.lock`, "2147483646");
  assert.equal(hooks.send(claude.look()), undefined);
  writeFileSync(`${file}.lock`, String(process.pid));
  assert.equal(hooks.send(claude.look()), undefined);
  assert.match(hooks.log.at(-1).why, /lock/);
  const old = new Date(Date.now() - 60_000);
  utimesSync(`${file}.lock`, old, old);
  assert.match(hooks.send(claude.look()).hookSpecificOutput.additionalContext, /Turnkeeper/);
});

test("files of sessions that ended more than seven days ago are removed", (t) => {
  const hooks = new Hooks(t, "claude-code");
  hooks.send(claude.look({ session: "old" }));
  const old = new Date(Date.now() - 8 * 24 * 60 * 60 * 1000);
  utimesSync(hooks.sessions[0], old, old);
  hooks.send(claude.look({ session: "new" }));
  hooks.send(claude.prompt("new"));
  assert.equal(hooks.sessions.length, 1);
});
