// What a host does to an answer, or to what it has given, changes no later answer.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { turnkeeper } from "./installed-package.mjs";

const {
  AgentSession,
  GhostBlockAssembler,
  HistoryDeduper,
  LoopDetector,
  SummaryInjector,
  TerminalSelector,
  restoreHistory,
} = turnkeeper;

/** Changes everything in a value that lets itself be changed. */
function spoil(value) {
  if (typeof value !== "object" || value === null) return;
  for (const inner of Object.values(value)) spoil(inner);
  for (const name of Object.keys(value)) Reflect.set(value, name, "spoilt");
  if (Array.isArray(value) && Object.isExtensible(value)) value.push("spoilt");
}
const json = (value) => JSON.stringify(value);
const host = { readFile: async ({ path }) => `content of ${path}`, runTool: async () => "done" };
const SESSION = { assembler: { root: "/work" }, terminals: { platform: "posix", maxTerminals: 1 } };

/** What an object is asked, again and again. */
function stays(ask) {
  const before = json(ask());
  spoil(ask());
  assert.equal(json(ask()), before);
}

describe("spoiling", () => {
  test("a verdict", () => {
    const detector = new LoopDetector({ profile: "standard", identicalCalls: 2 });
    const call = { type: "tool_call", name: "ls", args: {} };
    detector.observeAll([call, call]);
    stays(() => detector.verdict);
    stays(() => detector.observe({ type: "other" }));
    stays(() => detector.counts);
    stays(() => detector.prompt);
    stays(() => detector.blind);
  });

  test("the items, the macros and the diagnostics of an assembler", async () => {
    const assembler = new GhostBlockAssembler({ root: "/work", macros: { ROLE: "reviewer" } });
    const assembled = await assembler.assemble('@[a.ts] @[ls{"in": {"a": 1}}] @[no', host);
    stays(() => assembler.items);
    stays(() => assembler.macros);
    spoil(assembled);
    const { text } = await assembler.assemble("Go on.", host);
    assert.match(text, /"in": \{\s+"a": 1/);
    assert.doesNotMatch(text, /spoilt/);
  });

  test("the report of a deduper", () => {
    const env = (n) => ({ type: "text", text: `<environment_details>${n}</environment_details>` });
    const message = { role: "user", content: [{ type: "text", text: "Go on." }, env(1), env(2)] };
    const deduper = new HistoryDeduper();
    const repaired = deduper.push(message);
    const part = message.content[1];
    const { undo, changes, kinds } = deduper.report;
    undo[0].content[0] = { kept: 7 };
    undo[0].index = 7;
    spoil(changes);
    spoil(kinds);
    const [restored] = restoreHistory([repaired], deduper.report);
    assert.deepEqual(restored, message);
    assert.equal(restored.content[1], part, "the host's own part");
  });

  test("the terminals and the log of a selector", () => {
    const selector = new TerminalSelector({ platform: "posix" });
    selector.register({ id: 1, provider: "vscode", workingDirectory: "/work" });
    spoil(selector.select({ workingDirectory: "/work", provider: "vscode" }));
    stays(() => selector.terminals);
    stays(() => selector.log);
  });

  test("the log, the tools and the history of an injector", () => {
    const injector = new SummaryInjector();
    injector.startTurn();
    injector.startTurn();
    injector.addMessage({ role: "user", content: [{ type: "text", text: "Go on." }] });
    stays(() => injector.log);
    stays(() => injector.thinkingTools);
    stays(() => injector.currentTurn);
    const parts = { capability: "C", direction: "D", workspace: "W" };
    stays(() => injector.buildPrompt("thinking", parts));
  });

  test("the log of a session, and what it tells of", async () => {
    const session = new AgentSession(SESSION);
    session.beginTurn({ prompt: "Look at @[no" });
    await session.assemble(host);
    session.terminals.register({
      id: 1,
      provider: "vscode",
      workingDirectory: "/work",
      busy: true,
    });
    const choice = session.selectTerminal({ workingDirectory: "/other", provider: "vscode" });
    assert.equal(choice.action, "wait");
    const before = json(session.log);
    spoil(choice);
    assert.equal(choice.waitFor, "spoilt", "a choice is the host's");
    spoil(session.log);
    assert.equal(json(session.log), before);
  });
});

test("an item of a session's log is of the turn that it was about", async () => {
  const session = new AgentSession(SESSION);
  session.beginTurn({ prompt: "Look at @[a.ts]" });
  const late = { readFile: () => new Promise((_, reject) => setImmediate(reject, "gone")) };
  const message = session.assemble(late);
  session.beginTurn({ prompt: "Go on." });
  await message;
  const failed = session.log.find(({ what }) => what === "failed");
  assert.equal(failed.turn, 1);
});
