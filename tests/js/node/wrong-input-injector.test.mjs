// Every call of the summary injector with values of the wrong type: a typed error that names the
// field, nothing changed, and an object that goes on working.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { assertTyped, cyclic } from "./typed-errors.mjs";
import { turnkeeper } from "./installed-package.mjs";

const { LoopDetector, SummaryInjector } = turnkeeper;

const machine = "summary_injector";
const parts = { capability: "C", direction: "D", workspace: "W" };
const message = (content, more) => ({ role: "user", content, ...more });

/** An injector with something of everything. */
function busy() {
  const injector = new SummaryInjector({ maxTokens: 30 });
  for (let turn = 1; turn <= 6; turn++) {
    injector.startTurn({ task: "Fix it.", workspace: "/work" });
    injector.addMessage(message("Please.", { id: `m${turn}` }));
    injector.addThinkingRound("Look.");
    injector.storeSummary({ summary: `Turn ${turn} of the work.`, insights: ["x"] });
  }
  assert.ok(injector.takeFoldRequest());
  return injector;
}

/** The call is refused, and the injector is as it was. */
function refuses(work, code, field) {
  const injector = busy();
  const before = injector.snapshot();
  assertTyped(() => work(injector), code, field, machine);
  assert.deepEqual(injector.snapshot(), before, "nothing changed");
  injector.completeTurn();
  injector.dispose();
}

describe("options", () => {
  for (const [options, field] of [
    [null, "options"],
    [7, "options"],
    ["maxTokens", "options"],
    [[], "options"],
    [{ maxToken: 1 }, "maxToken"],
    [{ maxTokens: 0 }, "maxTokens"],
    [{ maxTokens: 1.5 }, "maxTokens"],
    [{ maxTokens: "9" }, "maxTokens"],
    [{ maxTokens: Number.NaN }, "maxTokens"],
    [{ maxRecalledMessages: -1 }, "maxRecalledMessages"],
    [{ maxMessages: Infinity }, "maxMessages"],
    [{ maxMessages: null }, "maxMessages"],
  ]) {
    test(`refuses ${JSON.stringify(options)}`, () => {
      assertTyped(() => new SummaryInjector(options), "invalid_config", field, machine);
    });
  }

  test("what is left out or undefined has its default", () => {
    for (const options of [undefined, {}, { maxTokens: undefined }]) {
      new SummaryInjector(options).dispose();
    }
  });
});

const table = {
  startTurn: [
    [[null], "turn"],
    [["x"], "turn"],
    [[{ task: 7 }], "turn.task"],
    [[{ workspace: {} }], "turn.workspace"],
  ],
  addMessage: [
    [[], "message"],
    [[null], "message"],
    [["x"], "message"],
    [[[]], "message"],
    [[() => {}], "message"],
    [[{ content: "x" }], "message.role"],
    [[{ role: 7, content: "x" }], "message.role"],
    [[{ role: "", content: "x" }], "message.role"],
    [[{ role: "a\nb", content: "x" }], "message.role"],
    [[{ role: "</user>", content: "x" }], "message.role"],
    [[{ role: "r".repeat(65), content: "x" }], "message.role"],
    [[{ role: "\ud800\u200b", content: "x" }], "message.role"],
    [[message("x", { id: 7 })], "message.id"],
    [[{ role: "user" }], "message.content"],
    [[message(undefined)], "message.content"],
    [[message(() => {})], "message.content"],
    [[message(Symbol("x"))], "message.content"],
    [[message(7n)], "message"],
    [[message([{ deep: 7n }])], "message"],
    [[message(cyclic)], "message"],
    [[message("x", { extra: cyclic })], "message"],
    [[message("x", { toJSON: () => null })], "message"],
    [[message("x", { toJSON: () => undefined })], "message.role"],
    [[message("x", { toJSON: () => "x" })], "message"],
  ],
  addThinkingRound: [
    [[], "content"],
    [[null], "content"],
    [[{}], "content"],
  ],
  storeSummary: [
    [[], "summary"],
    [["x"], "summary"],
    [[{}], "summary.summary"],
    [[{ summary: 7 }], "summary.summary"],
    [[{ summary: "x", insights: "y" }], "summary.insights"],
    [[{ summary: "x", insights: {} }], "summary.insights"],
    [[{ summary: "x", insights: ["y", 7] }], "summary.insights[1]"],
    [[{ summary: "x", turn: "1" }], "summary.turn"],
    [[{ summary: "x", turn: 0 }], "summary.turn"],
    [[{ summary: "x", turn: -1 }], "summary.turn"],
    [[{ summary: "x", turn: 1.5 }], "summary.turn"],
    [[{ summary: "x", turn: Number.NaN }], "summary.turn"],
    [[{ summary: "x", turn: 2 ** 53 }], "summary.turn"],
  ],
  actionContext: [
    [[], "workspace"],
    [[null], "workspace"],
    [[7], "workspace"],
  ],
  thinkingContext: [[[], "workspace"]],
  systemPrompt: [
    [[], "parts"],
    [["x"], "parts"],
    [[{ direction: "D" }], "parts.capability"],
    [[{ capability: "C", direction: null }], "parts.direction"],
  ],
  recall: [
    [[], "what"],
    [[[7].values], "what"],
    [[{ turns: 1 }], "what.turns"],
    [[{ turns: ["1"] }], "what.turns[0]"],
    [[{ ids: "m1" }], "what.ids"],
    [[{ ids: [7] }], "what.ids[0]"],
    [[{ keywords: [null] }], "what.keywords[0]"],
  ],
  buildPrompt: [
    [[], "phase"],
    [["acting", parts], "phase"],
    [[parts], "phase"],
    [["action"], "parts"],
    [["action", null], "parts"],
    [["action", { ...parts, capability: undefined }], "parts.capability"],
    [["thinking", { ...parts, workspace: 7 }], "parts.workspace"],
  ],
  answerFoldRequest: [
    [[], "answer"],
    [[{}], "answer.summary"],
    [[{ summary: "" }], "answer.summary"],
    [[" "], "answer"],
    [[7], "answer"],
  ],
};

for (const [method, calls] of Object.entries(table)) {
  describe(method, () => {
    calls.forEach(([given, field], at) => {
      test(`refuses call ${at + 1} of the table, naming ${field}`, () => {
        refuses((injector) => injector[method](...given), "invalid_argument", field);
      });
    });
  });
}

describe("limits", () => {
  test("a thousand things can be recalled at once, and no more", () => {
    const turns = Array.from({ length: 1_000 }, (_, at) => at);
    refuses(
      (injector) => injector.recall({ turns, ids: ["x"], keywords: ["y"] }),
      "limit_exceeded",
    );
    const injector = busy();
    assert.equal(injector.recall({ turns }), 11);
    injector.dispose();
  });

  test("numbers that are of no turn are no error", () => {
    const injector = busy();
    const turns = [0, -1, 1.5, Number.NaN, Infinity, 2 ** 53, 1e300, 7];
    assert.equal(injector.recall({ turns }), 0);
    assert.equal(injector.recall({ turns: [...turns, 2] }), 2);
    injector.dispose();
  });

  test("a message nested too deep is refused, and any other comes back", () => {
    const deep = (depth) => {
      let content = "x";
      for (let at = 0; at < depth; at++) content = [content];
      return content;
    };
    refuses((injector) => injector.addMessage(message(deep(1_000_000))), "invalid_argument");
    refuses((injector) => injector.addMessage(message(deep(1_000))), "limit_exceeded", "message");
    const injector = new SummaryInjector();
    injector.startTurn();
    injector.addMessage(message(deep(999)));
    injector.recall({ turns: [1] });
    const [got] = injector.buildPrompt("action", parts).conversationHistory;
    assert.deepEqual(got, message(deep(999)));
    injector.dispose();
  });

  test("a text of 40 million characters is carried", () => {
    const injector = new SummaryInjector();
    const long = "中x".repeat(20_000_000);
    injector.startTurn();
    injector.storeSummary({ summary: long });
    const { length } = injector.accumulatedSummaries();
    assert.equal(length, "=== ACCUMULATED MEMORY SUMMARIES ===\n[Turn 1] ".length + long.length);
    injector.dispose();
  });
});

describe("texts", () => {
  test("unpaired surrogates become U+FFFD, except in messages that are recalled", () => {
    const injector = new SummaryInjector();
    injector.startTurn({ task: "a\ud800" });
    injector.storeSummary({ summary: "b\udc00\0", insights: ["\ud800c"] });
    injector.addMessage(message("d\ud800", { id: "e" }));
    injector.recall({ ids: ["e"] });
    const { systemPrompt, workspaceContext, conversationHistory } = injector.buildPrompt("action", {
      capability: "\ud800",
      direction: "\udc00",
      workspace: "\ud83d",
    });
    assert.equal(
      workspaceContext,
      "=== TASK CONTEXT ===\nUser's Goal: a\ufffd\n\n" +
        "=== ACCUMULATED MEMORY SUMMARIES ===\n[Turn 1] b\ufffd\0\nInsights: \ufffdc\n\n" +
        "=== CURRENT WORKSPACE CONTEXT ===\n\ufffd",
    );
    assert.ok(
      systemPrompt.startsWith('\ufffd\n\n\ufffd\n\nKeep the user\'s goal in mind: "a\ufffd".'),
    );
    assert.deepEqual(conversationHistory, [message("d\ud800", { id: "e" })]);
    assert.deepEqual(injector.buildPrompt("thinking", parts).conversationHistory, [
      "<user>\nd\ufffd\n</user>",
    ]);
    injector.dispose();
  });

  test("what is handed out is the host's to change", () => {
    const injector = busy();
    const build = (phase) => {
      injector.recall({ turns: [1] });
      return injector.buildPrompt(phase, parts);
    };
    for (const phase of ["thinking", "action"]) {
      const first = build(phase);
      const copy = structuredClone(first);
      first.conversationHistory.splice(0, 9, "changed");
      assert.deepEqual(build(phase), copy);
    }
    injector.thinkingTools[0].parameters.type = "changed";
    assert.equal(injector.thinkingTools[0].parameters.type, "object");
    injector.dispose();
  });

  test("a message is kept as it was when it was added", () => {
    const injector = new SummaryInjector();
    injector.startTurn();
    const given = message([{ type: "text", text: "first" }], { ts: 5, gone: undefined });
    injector.addMessage(given);
    given.content[0].text = "changed";
    injector.recall({ turns: [1] });
    assert.deepEqual(injector.buildPrompt("action", parts).conversationHistory, [
      { role: "user", content: [{ type: "text", text: "first" }], ts: 5 },
    ]);
    injector.dispose();
  });
});

describe("snapshots", () => {
  test("what is none is refused", () => {
    for (const snapshot of [undefined, null, "x", [], new Uint16Array(20), 7]) {
      const call = () => SummaryInjector.restore(snapshot);
      assertTyped(call, "invalid_argument", "snapshot", machine);
    }
    const snapshot = busy().snapshot();
    const altered = snapshot.slice();
    altered[30] ^= 1;
    for (const bytes of [new Uint8Array(0), snapshot.subarray(0, 40), altered]) {
      assertTyped(() => SummaryInjector.restore(bytes), "snapshot_corrupt", undefined, machine);
    }
    const detector = new LoopDetector();
    const other = detector.snapshot();
    assertTyped(() => SummaryInjector.restore(other), "wrong_machine", undefined, machine);
    assertTyped(() => LoopDetector.restore(snapshot), "wrong_machine");
    detector.dispose();
  });
});

describe("after dispose", () => {
  test("every call says so", () => {
    const injector = busy();
    injector.dispose();
    injector.dispose();
    const calls = [
      () => injector.startTurn(),
      () => injector.addMessage(message("x")),
      () => injector.addThinkingRound("x"),
      () => injector.storeSummary({ summary: "x" }),
      () => injector.completeTurn(),
      () => injector.currentTurn,
      () => injector.accumulatedSummaries(),
      () => injector.actionContext("x"),
      () => injector.thinkingContext("x"),
      () => injector.systemPrompt(parts),
      () => injector.recall({}),
      () => injector.buildPrompt("action", parts),
      () => injector.takeFoldRequest(),
      () => injector.answerFoldRequest({ summary: "x" }),
      () => injector.dropFoldRequest(),
      () => injector.thinkingMessage(),
      () => injector.thinkingTools,
      () => injector.log,
      () => injector.snapshot(),
    ];
    for (const call of calls) assertTyped(call, "disposed", undefined, machine);
  });

  test("`using` disposes of it", () => {
    const injector = new SummaryInjector();
    injector[Symbol.dispose ?? Symbol.for("Symbol.dispose")]();
    assertTyped(() => injector.startTurn(), "disposed", undefined, machine);
  });
});

test("the log keeps its newest hundred entries", () => {
  const injector = new SummaryInjector();
  for (let turn = 0; turn < 150; turn++) injector.startTurn();
  assert.equal(injector.log.length, 100);
  assert.deepEqual(injector.log[99], {
    turn: 149,
    what: "turn_completed",
    why: "the next turn was started",
  });
  injector.dispose();
});
