// Where there is no program, Node runs the same judge as Wasm, over the same records.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { BY_NODE, BY_PROGRAM, Hooks, claude } from "./hook-process.mjs";

test("Node's hook nudges, stops and gives the ledger as the program does, also in turns with it", (t) => {
  const events = [
    claude.prompt(),
    ...Array.from({ length: 6 }, () => claude.look()),
    { hook_event_name: "SessionStart", session_id: "s", source: "compact" },
    claude.prompt("s", "p2"),
    claude.look({ promptId: "p2" }),
  ];
  const answersOf = (starts) => {
    const hooks = new Hooks(t, "claude-code", "stop");
    return events.map((event, at) => {
      hooks.start = starts[at % starts.length];
      return hooks.send(event);
    });
  };
  const told = answersOf([BY_PROGRAM]);
  assert.ok(told.some((it) => it?.hookSpecificOutput && it.continue === undefined));
  assert.ok(told.some((it) => it?.continue === false));
  assert.match(told[7].hookSpecificOutput.additionalContext, /cat build\.log/);
  assert.deepEqual(answersOf([BY_NODE]), told);
  assert.deepEqual(answersOf([BY_PROGRAM, BY_NODE]), told);
});

test("Node's hook obeys turnkeeper.json, and logs what it could not do", (t) => {
  const hooks = new Hooks(t, "claude-code", "hint", [], BY_NODE);
  const home = path.join(hooks.root, "home");
  mkdirSync(home);
  writeFileSync(path.join(home, "turnkeeper.json"), '{ "exempt": ["Bash"] }');
  for (let at = 0; at < 6; at++) {
    assert.equal(hooks.send(claude.look(), { HOME: home }), undefined);
  }
  assert.equal(hooks.send("no JSON", { HOME: home }), undefined);
  assert.deepEqual(
    hooks.log.map(({ agent, what }) => [agent, what]),
    [["claude-code", "failure"]],
  );
});
