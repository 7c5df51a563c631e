// Texts of a hundred million characters in every place that takes one: an answer or a typed error, and memory
// for whoever comes after.

import assert from "node:assert/strict";
import { before, describe, test } from "node:test";

import { load, turnkeeper } from "../node/installed-package.mjs";

const { AgentSession, GhostBlockAssembler, HistoryDeduper, LoopDetector } = turnkeeper;
const { SummaryInjector, TerminalSelector, TurnkeeperError } = turnkeeper;
const { detectFormat, readSession } = load("turnkeeper/sessions");

const LENGTH = 100_000_000;
const TEXTS = {
  ideographs: () => "思".repeat(LENGTH),
  references: () => "@[a]".repeat(LENGTH / 4),
  "code spans": () => "`a` ".repeat(LENGTH / 4),
  "list items": () => "- a\n".repeat(LENGTH / 4),
};

/** Calls that look for nothing in the text, or for slashes: they get the first one. */
const ONE_KIND_IS_ENOUGH = [
  "observe a call's name",
  "startPrompt",
  "LoopDetector's options",
  "select a directory",
  "update",
  "pathRelation",
  "startTurn",
  "addMessage",
  "addThinkingRound",
  "storeSummary",
  "recall",
  "buildPrompt",
  "detectFormat",
];

/** The objects that a call has made. Left to the garbage collector, they would keep their memory too long. */
const made = [];
const kept = (machine) => {
  made.push(machine);
  return machine;
};

const host = { readFile: async () => "", runTool: async () => "" };
const parts = { capability: "", direction: "", workspace: "" };
const assembler = (options) => kept(new GhostBlockAssembler({ root: "/w", ...options }));
const detector = () => kept(new LoopDetector());
const terminals = () => {
  const selector = kept(new TerminalSelector({ platform: "posix" }));
  selector.register({ id: 1, provider: "p", workingDirectory: "/w" });
  return selector;
};
const injector = () => {
  const summaries = kept(new SummaryInjector());
  summaries.startTurn({ task: "Fix it." });
  return summaries;
};
const where = { provider: "p", workingDirectory: "/w/a" };

const CALLS = {
  "observe text": (text) => detector().observe({ type: "text", text }),
  "observe reasoning": (text) => detector().observe({ type: "reasoning", text }),
  "observe a call's argument": (text) =>
    detector().observe({ type: "tool_call", name: "edit", args: { text } }),
  "observe a call's name": (text) =>
    detector().observe({ type: "tool_call", name: text, args: {} }),
  "observe a command": (command) =>
    detector().observe({ type: "tool_call", name: "execute_command", args: { command } }),
  "observe a result": (output) => detector().observe({ type: "tool_result", output }),
  startPrompt: (userPrompt) => detector().startPrompt("p", { userPrompt }),
  "LoopDetector's options": (profile) => new LoopDetector({ profile }),
  assemble: (prompt) => assembler().assemble(prompt, host),
  "assemble a file": (content) =>
    assembler().assemble("@[a.md]", { ...host, readFile: async () => content }),
  "assemble a file that is trusted": (content) =>
    assembler({ trustFiles: true }).assemble("@[a.md]", { ...host, readFile: async () => content }),
  setRules: (content) => assembler().setRules([{ name: "r", content }]),
  inspect: (prompt) => assembler().inspect(prompt),
  expandDocument: (text) => assembler().expandDocument(text, host),
  prepareSkill: (text) => assembler().prepareSkill(`---\n${text}\n---\n`, host),
  scanHistory: (content) => assembler().scanHistory([{ role: "user", content }]),
  stripGhostBlocks: (content) => turnkeeper.stripGhostBlocks([{ role: "user", content }]),
  dedupeHistory: (content) => turnkeeper.dedupeHistory([{ role: "user", content }]),
  push: (content) => kept(new HistoryDeduper()).push({ role: "user", content }),
  withEnvironment: (content) => turnkeeper.withEnvironment(content, content),
  stripEnvironment: (content) => turnkeeper.stripEnvironment(content),
  "select a command": (command) => terminals().select({ ...where, command }),
  "select a directory": (workingDirectory) => terminals().select({ ...where, workingDirectory }),
  update: (workingDirectory) => terminals().update(1, { workingDirectory }),
  pathRelation: (path) => turnkeeper.pathRelation(path, "/w", { platform: "posix" }),
  startTurn: (task) => kept(new SummaryInjector()).startTurn({ task }),
  addMessage: (content) => injector().addMessage({ id: "m", role: "user", content }),
  addThinkingRound: (text) => injector().addThinkingRound(text),
  storeSummary: (summary) => injector().storeSummary({ summary, insights: [summary] }),
  recall: (keyword) => injector().recall({ keywords: [keyword] }),
  buildPrompt: (capability) => injector().buildPrompt("action", { ...parts, capability }),
  readSession: (text) => readSession(text),
  detectFormat: (text) => detectFormat(text),
};

/** What a call throws, or rejects with. */
async function errorOf(call, text) {
  try {
    await call(text);
  } catch (error) {
    return error;
  } finally {
    for (const machine of made.splice(0)) machine.dispose();
  }
  return undefined;
}

/** New objects of every kind work. */
async function assertThereIsMemory() {
  assert.equal(detector().observe({ type: "text", text: "Hello." }).action, "ok");
  assert.match((await assembler().assemble("@[a.md]", host)).text, /a\.md/);
  assert.equal(terminals().select({ ...where, command: "make" }).action, "reuse_with_cd");
  assert.equal(injector().currentTurn.number, 1);
  new AgentSession({ assembler: { root: "/w" }, terminals: { platform: "posix" } }).dispose();
}

for (const [at, [kind, make]] of Object.entries(TEXTS).entries()) {
  describe(`a hundred million characters of ${kind}`, () => {
    let text;
    before(() => (text = make()));

    for (const [name, call] of Object.entries(CALLS)) {
      if (at > 0 && ONE_KIND_IS_ENOUGH.includes(name)) continue;
      test(name, async () => {
        const error = await errorOf(call, text);
        assert.ok(error === undefined || error instanceof TurnkeeperError, error?.stack);
        assert.notEqual(error?.code, "poisoned", error?.message);
      });
    }

    test("leave memory", assertThereIsMemory);
  });
}
