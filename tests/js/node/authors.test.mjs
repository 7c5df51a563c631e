// Words of an agent or its host, in the user's name or in the model's, are neither's.

import assert from "node:assert/strict";
import { test } from "node:test";

import { load, turnkeeper } from "./installed-package.mjs";

const { LoopDetector } = turnkeeper;
const { eventsOf } = load("turnkeeper/sessions");
const typesOf = (message, format) => eventsOf([message], format).map(({ type }) => type);
const user = (content, more) => ({ role: "user", content, ...more });

const block = (name, inside = "text") => `<${name}>\n${inside}\n</${name}>`;
const NOTICES = {
  "a reminder after a reminder": `${block("system-reminder")}\n\n${block("system-reminder")}`,
  "a host's line": "System: [2026-09-01 10:00:00] Node connected: desk",
  "a hook": "Stop hook feedback:\n- [check.sh]: the tests fail",
  "a hook's context": block("hook_context"),
  "a compaction":
    "This session is being continued from a previous conversation that ran out of context. Summary:",
  "a compaction by Codex":
    "Another language model started to solve this problem and produced a summary of its work.",
  "the environment": block("environment_context", "<cwd>/srv/app</cwd>"),
  "instructions of a file":
    "# AGENTS.md instructions for /srv/app\n\n<INSTRUCTIONS>Be kind.</INSTRUCTIONS>",
  permissions: "<permissions instructions>\nAsk first.\n</permissions instructions>",
  "an interruption": "[Request interrupted by user for tool use]",
  "a result as text": '{"functionResponse": {"name": "ls"}}'.replace(": {", ":{"),
};
/** What wakes a model that has ended its answer. */
const WAKES = {
  "a task in the background": block(
    "task-notification",
    "<task-id>b1</task-id><status>completed</status>",
  ),
  "one that was cut off": "<task-notification>\n<task-id>b1</task-id>",
  "a subagent": block("subagent_notification", '{"agent_path":"/root/a","status":"done"}'),
  "another subagent": "[Subagent 'search' completed successfully]\n\nTask: look\n\nResult: found",
  "a heartbeat": "[OpenClaw heartbeat poll]",
  "a heartbeat with its task":
    "Read HEARTBEAT.md if it exists. If nothing needs attention, reply HEARTBEAT_OK.",
  "a timer": "[cron:8f2 nightly] Check the backups.",
};
for (const [what, text] of Object.entries(NOTICES)) {
  test(`${what} in the user's name starts no prompt`, () => {
    assert.deepEqual(typesOf(user(text)), ["other"]);
    assert.deepEqual(typesOf(user([{ type: "text", text }])), ["other"]);
    assert.deepEqual(typesOf({ role: "user", parts: [{ text }] }), ["other"]);
  });
}

for (const [what, text] of Object.entries(WAKES)) {
  test(`${what} in the user's name starts a prompt of nobody's words`, () => {
    assert.deepEqual(typesOf(user(text)), ["user_message"]);
    assert.deepEqual(typesOf({ role: "user", parts: [{ text }] }), ["user_message"]);
  });
}

const WORDS = {
  "words before a reminder": `Mend the footer.\n${block("system-reminder")}`,
  "words after a host's line":
    "System: [2026-09-01 10:00:00] Node connected: desk\n\nMend the footer.",
  "words between notices": `${block("task-notification")}\nMend the footer.\n${block("system-reminder")}`,
  "a quoted block": `Why does the agent write\n${block("task-notification")}\nat the end of each turn?`,
  "a tag that is only named": "<task-notification> should be hidden in the list.",
  "an element of the user's own": "<task>Mend the footer.</task>",
  "a log that was pasted": "[ERROR] Failed to execute goal: compilation failure",
  "a slash command": "<command-name>/review</command-name>\n<command-args>12</command-args>",
};
for (const [what, text] of Object.entries(WORDS)) {
  test(`${what}: the user's`, () => assert.deepEqual(typesOf(user(text)), ["user_message"]));
}

test("an agent's own marks count more than the text", () => {
  const pasted = WAKES["a task in the background"];
  assert.deepEqual(typesOf(user(pasted, { origin: { kind: "human" } })), ["user_message"]);
  for (const mark of [
    { provenance: { kind: "internal_system" } },
    { isMeta: true },
    { isSynthetic: true },
    { injected_event: "subagent_result" },
  ]) {
    assert.deepEqual(typesOf(user("Mend the footer.", mark)), ["other"], JSON.stringify(mark));
  }
  for (const mark of [
    { origin: { kind: "task-notification" } },
    { provenance: { kind: "cron" } },
  ]) {
    assert.deepEqual(typesOf(user("Look.", mark)), ["user_message"], JSON.stringify(mark));
  }
  const parts = [
    { type: "text", text: "Mend it." },
    { type: "text", text: "Go on.", synthetic: true },
  ];
  assert.deepEqual(typesOf(user(parts)), ["user_message"]);
  assert.deepEqual(typesOf(user(parts.slice(1))), ["other"]);
});

test("results in the user's name, as gemini-cli saves them, are results and start no prompt", () => {
  const answer = { functionResponse: { id: "1", name: "ls", response: { output: "a.ts" } } };
  const saved = (content) => ({
    id: "u",
    timestamp: "2026-09-01T10:00:00Z",
    type: "user",
    content,
  });
  const types = (content) => eventsOf([saved(content)], "gemini-cli").map(({ type }) => type);
  assert.deepEqual(types([answer]), ["tool_result"]);
  assert.deepEqual(types([{ text: "Mend the footer." }]), ["user_message"]);
  assert.deepEqual(typesOf({ role: "user", parts: [answer] }), ["tool_result"]);
});

const MODELS = {
  "a copy of what was delivered": { content: "The report is done.", model: "delivery-mirror" },
  "a notice of a gateway": { content: "The gateway was restarted.", model: "gateway-injected" },
  "an error of the service": { content: "API Error: 529 overloaded", model: "<synthetic>" },
  "a turn that failed": {
    content: [{ type: "text", text: "429" }],
    stopReason: "error",
    usage: { output: 0 },
  },
  "a report of a subagent": { content: "Found it.", injected_event: "subagent_result" },
  "an answer to a heartbeat": { content: "HEARTBEAT_OK" },
};
for (const [what, message] of Object.entries(MODELS)) {
  test(`${what} in the model's name is no turn, and many are no loop`, () => {
    const given = { role: "assistant", ...message };
    assert.deepEqual(typesOf(given), ["other"]);
    const history = [user("Go on."), ...Array(30).fill(given)];
    assert.equal(new LoopDetector().observeAll(eventsOf(history)).action, "ok");
  });
}

test("the model's own words and calls are its own, whatever is beside them", () => {
  const said = (content, more) => typesOf({ role: "assistant", content, ...more });
  assert.deepEqual(said("All is well: HEARTBEAT_OK is what I would say."), [
    "turn_started",
    "text",
  ]);
  const broken = { stopReason: "error", usage: { output: 12 } };
  assert.deepEqual(said("Let me see.", broken), ["turn_started", "text"]);
  const call = [{ type: "tool_use", id: "1", name: "ls", input: {} }];
  assert.deepEqual(said(call, { stopReason: "error" }), ["turn_started", "tool_call"]);
});

test("a loop goes on across notices, and ends where the user speaks", () => {
  const rounds = (said) =>
    Array.from({ length: 8 }, (_, n) => [
      { role: "assistant", content: [{ type: "tool_use", id: `${n}`, name: "ls", input: {} }] },
      user([{ type: "tool_result", tool_use_id: `${n}`, content: "a.ts" }]),
      user(said),
    ]).flat();
  const play = (messages) => {
    const detector = new LoopDetector();
    let prompts = 0;
    const actions = eventsOf(messages).map((event) => {
      if (event.type === "user_message")
        detector.startPrompt(`${prompts++}`, { userPrompt: "Go." });
      return detector.observe(event).action;
    });
    return actions.find((action) => action === "stop") ?? "ok";
  };
  assert.equal(play([user("Go."), ...rounds(WAKES["a task in the background"])]), "stop");
  assert.equal(play([user("Go."), ...rounds(WAKES["a timer"])]), "ok");
  assert.equal(play([user("Go."), ...rounds("And now?")]), "ok");
});
