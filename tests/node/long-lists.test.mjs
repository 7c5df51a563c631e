// Lists that are longer than anything that could be in them: the answer comes at once.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { load, turnkeeper } from "./installed-package.mjs";

const {
  GhostBlockAssembler,
  HistoryDeduper,
  LoopDetector,
  SummaryInjector,
  TerminalSelector,
  TurnStack,
  TurnkeeperError,
  dedupeHistory,
  guardStream,
  restoreHistory,
  stripEnvironment,
  stripGhostBlocks,
  withEnvironment,
} = turnkeeper;
const { eventsOf } = load("turnkeeper/sessions");
const gemini = load("turnkeeper/adapters/gemini");
const openai = load("turnkeeper/adapters/openai");
const anthropic = load("turnkeeper/adapters/anthropic");

/** All holes. To look at each would take minutes, and to copy them more memory than there is. */
const long = new Array(2 ** 32 - 1);
/** Says that it is longer than an array can be, and has an event in each place. */
const lying = new Proxy([], {
  get: (target, name) => (name === "length" ? 2 ** 53 : { type: "other", role: "user" }),
});

const assembler = new GhostBlockAssembler({ root: "/work" });
const selector = new TerminalSelector({ platform: "posix" });
selector.register({ id: 1, provider: "vscode" });
const user = { role: "user", content: long };
const result = { role: "user", content: [{ type: "tool_result", content: long }] };

const REFUSED = {
  setRules: () => assembler.setRules(long),
  scanHistory: () => assembler.scanHistory([user]),
  "scanHistory of a list that lies": () => assembler.scanHistory(lying),
  stripGhostBlocks: () => stripGhostBlocks([user]),
  withEnvironment: () => withEnvironment(long, "x"),
  stripEnvironment: () => stripEnvironment(long),
  TurnStack: () => new TurnStack().push({ userContent: long, includeFileDetails: true }),
  dedupeHistory: () => dedupeHistory([user]),
  "dedupeHistory, for files": () => dedupeHistory([user], { files: "newest" }),
  HistoryDeduper: () => new HistoryDeduper().push(user),
  "restoreHistory, messages": () => restoreHistory(long, { undo: [] }),
  "restoreHistory, report": () => restoreHistory([{}], { undo: long }),
  "restoreHistory, content": () => restoreHistory([{}], { undo: [{ index: 0, content: long }] }),
  observe: () => new LoopDetector().observe({ type: "tool_result", output: long }),
  "observeAll of a list that lies": () => new LoopDetector().observeAll(lying),
  sync: () => selector.sync(long),
  update: () => selector.update(1, { environment: long }),
  recall: () => new SummaryInjector().recall({ turns: long }),
  eventsOf: () => eventsOf(long),
  fromMessages: () => anthropic.fromMessages(long),
};
const ANSWERED = {
  "eventsOf, content": () => eventsOf([user]),
  "toMessages, content": () => openai.toMessages([user]),
  "fromMessages, parts": () => gemini.fromMessages([{ role: "user", parts: long }]),
  "a result among parts": () => new HistoryDeduper({ embedded: true }).push(result),
  "arguments of a call": () =>
    new LoopDetector().observe({ type: "tool_call", name: "ls", args: long }),
  "an iterator of its own without end": () => {
    const endless = Object.assign([], {
      *[Symbol.iterator]() {
        for (;;) yield { id: 1, provider: "vscode" };
      },
    });
    selector.update(1, { environment: endless });
    selector.sync(endless);
  },
};

describe("is refused", () => {
  for (const [name, call] of Object.entries(REFUSED)) {
    test(name, () => {
      assert.throws(call, (error) => {
        assert.ok(error instanceof TurnkeeperError, error?.stack);
        return ["limit_exceeded", "invalid_argument"].includes(error.code);
      });
    });
  }

  test("what an adapter gives", async () => {
    async function* events() {
      yield 1;
    }
    const guarded = guardStream(events(), new LoopDetector(), { adapter: () => long });
    await assert.rejects(guarded.next(), { code: "limit_exceeded" });
  });
});

describe("is answered", () => {
  for (const [name, call] of Object.entries(ANSWERED)) test(name, () => void call());
});
