import assert from "node:assert/strict";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { test } from "node:test";

import { Hooks, claude } from "./hook-process.mjs";

const contextOf = (answer) =>
  answer?.hookSpecificOutput?.additionalContext ?? answer?.additionalContext;

test("a loop becomes a fact for the model, and in mode hint a message for the user", (t) => {
  const hooks = new Hooks(t, "claude-code");
  assert.equal(hooks.send(claude.prompt()), undefined);
  const answers = Array.from({ length: 5 }, () => hooks.send(claude.look()));
  assert.deepEqual(answers.slice(0, 2), [undefined, undefined]);
  assert.match(contextOf(answers[2]), /Turnkeeper.*\b3\b/);
  assert.equal(answers[3], undefined);
  assert.match(answers[4].systemMessage, /TURNKEEPER=off/);
  assert.equal(answers[4].continue, undefined);
  const { rule, what } = hooks.log[0];
  assert.deepEqual({ rule, what }, { rule: "repeated_results", what: "nudge" });
});

test("a stop ends the turn, and the next prompt lifts it", (t) => {
  const hooks = new Hooks(t, "claude-code", "stop");
  hooks.send(claude.prompt());
  const answers = Array.from({ length: 6 }, () => hooks.send(claude.look()));
  assert.equal(answers[4].continue, false);
  assert.match(answers[4].stopReason, /A new message lets it go on/);
  assert.equal(answers[5].continue, false);
  hooks.send(claude.prompt("s", "p2"));
  assert.equal(hooks.send(claude.look({ promptId: "p2" })), undefined);
});

test("a prompt that no event told of lifts a stop, too", (t) => {
  const hooks = new Hooks(t, "claude-code", "stop");
  for (let at = 0; at < 5; at++) hooks.send(claude.look());
  assert.equal(hooks.send(claude.look({ promptId: "p2" })), undefined);
});

test("mode watch says nothing and logs everything", (t) => {
  const hooks = new Hooks(t, "claude-code", "watch");
  for (let at = 0; at < 5; at++) assert.equal(hooks.send(claude.look()), undefined);
  assert.deepEqual(
    hooks.log.map(({ what }) => what),
    ["found", "went_on"],
  );
});

test("the log says what was done of a loop that went on: a stop only where something was ended", (t) => {
  for (const [mode, done] of [
    ["hint", ["nudge", "went_on"]],
    ["stop", ["nudge", "stop"]],
  ]) {
    const hooks = new Hooks(t, "claude-code", mode);
    for (let at = 0; at < 6; at++) hooks.send(claude.look());
    assert.deepEqual(
      hooks.log.map(({ what }) => what),
      done,
    );
  }
});

test("TURNKEEPER=off switches it off for one run", (t) => {
  const hooks = new Hooks(t, "claude-code", "stop");
  for (let at = 0; at < 8; at++) {
    assert.equal(hooks.send(claude.look(), { TURNKEEPER: "off" }), undefined);
  }
  assert.deepEqual(hooks.sessions, []);
});

test("calls of one request are one step, however many are equal", (t) => {
  const hooks = new Hooks(t, "claude-code");
  const calls = Array.from({ length: 6 }, () => ({
    command: "cat build.log",
    output: "Compiling",
  }));
  assert.equal(hooks.send(claude.batch(calls)), undefined);
});

test("sessions, and a session and its subagent, are kept apart", (t) => {
  const hooks = new Hooks(t, "claude-code");
  for (let at = 0; at < 2; at++) {
    for (const options of [{ session: "a" }, { session: "b" }, { session: "a", subagent: "x" }]) {
      assert.equal(hooks.send(claude.look(options)), undefined);
    }
  }
  assert.equal(hooks.sessions.length, 3);
  assert.match(contextOf(hooks.send(claude.look({ session: "b" }))), /Turnkeeper/);
});

test("the main agent is told why a subagent of its was ended", (t) => {
  const hooks = new Hooks(t, "claude-code", "stop");
  for (let at = 0; at < 5; at++) hooks.send(claude.look({ subagent: "x" }));
  const answer = hooks.send(claude.batch([{ command: "ls", output: "build.log" }]));
  assert.match(contextOf(answer), /a subagent was ended/);
  assert.equal(hooks.send(claude.batch([{ command: "pwd", output: "/w" }])), undefined);
});

test("an event that two settings files both report counts once", (t) => {
  const hooks = new Hooks(t, "claude-code");
  for (let at = 0; at < 3; at++) {
    const event = claude.look();
    const first = hooks.send(event);
    assert.equal(hooks.send(event), undefined);
    assert.equal(first === undefined, at < 2);
  }
});

test("each compaction gets a ledger, and one that is told twice gets one", (t) => {
  const hooks = new Hooks(t, "claude-code");
  const compacted = () => {
    const event = { hook_event_name: "SessionStart", session_id: "s", source: "compact" };
    return contextOf(hooks.send(event)) !== undefined;
  };
  hooks.send(claude.prompt());
  const said = [compacted(), compacted()];
  hooks.send(claude.look());
  said.push(compacted());
  hooks.send(claude.prompt("s", "p2"));
  said.push(compacted());
  assert.deepEqual(said, [true, false, true, true]);
});

test("events at once are all counted, and the state stays whole", async (t) => {
  const hooks = new Hooks(t, "codex");
  const event = (at) => ({
    hook_event_name: "PostToolUse",
    session_id: "s",
    turn_id: "t",
    tool_name: "Bash",
    tool_input: { command: `expr ${at}` },
    tool_use_id: `call-${at}`,
    tool_response: `${at}`,
  });
  const events = [1, 2, 3, 4].map(event);
  const answers = await hooks.sendAll(events);
  assert.deepEqual(answers, [undefined, undefined, undefined, undefined]);
  const [file] = hooks.sessions;
  const record = readFileSync(file);
  // Each is known now, and changes nothing when it is told again.
  for (const told of events) hooks.send(told);
  assert.deepEqual(readFileSync(file), record);
  assert.deepEqual(hooks.log, []);
});

test(
  "what a session keeps can be read by its user alone",
  { skip: process.platform === "win32" },
  (t) => {
    const hooks = new Hooks(t, "claude-code");
    hooks.send(claude.look());
    const modes = [hooks.state, ...hooks.sessions].map((file) => statSync(file).mode & 0o777);
    assert.deepEqual(modes, [0o700, 0o600]);
  },
);

test("a state that cannot be read is left, and the session begins afresh", (t) => {
  const hooks = new Hooks(t, "claude-code");
  for (let at = 0; at < 2; at++) hooks.send(claude.look());
  const [file] = hooks.sessions;
  const record = readFileSync(file);
  const cut = record.subarray(0, record.length / 2);
  const altered = Buffer.from(record);
  altered[record.length >> 1] ^= 1;
  for (const broken of ["", "{", cut, altered]) {
    writeFileSync(file, broken);
    assert.equal(hooks.send(claude.look()), undefined);
  }
  assert.equal(hooks.log.filter(({ what }) => what === "failure").length, 4);
  assert.equal(hooks.send(claude.look()), undefined);
  assert.match(contextOf(hooks.send(claude.look())), /Turnkeeper/);
});
