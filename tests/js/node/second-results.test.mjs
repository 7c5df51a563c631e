// A call has one result: of a history that was resumed and has a second one, providers refuse every request.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { turnkeeper } from "./installed-package.mjs";
import { frozen } from "./made-up-histories.mjs";

const { HistoryDeduper, dedupeHistory, restoreHistory } = turnkeeper;
const FILE = "line\n".repeat(200);
const go = { role: "user", content: "Go." };

/** A call and two results, as each provider has them. */
const PROVIDERS = {
  Anthropic: {
    call: [
      { role: "assistant", content: [{ type: "tool_use", id: "1", name: "read", input: {} }] },
    ],
    both: (...outputs) => [
      {
        role: "user",
        content: outputs.map((content) => ({ type: "tool_result", tool_use_id: "1", content })),
      },
    ],
    apart: (said) => ({
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "1", content: said }],
    }),
  },
  Gemini: {
    call: [{ role: "model", parts: [{ functionCall: { id: "1", name: "read", args: {} } }] }],
    both: (...outputs) => [{ role: "user", parts: outputs.map(response) }],
    apart: (output) => ({ role: "user", parts: [response(output)] }),
  },
  OpenAI: {
    call: [
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "1", type: "function", function: { name: "read", arguments: "{}" } }],
      },
    ],
    apart: (content) => ({ role: "tool", tool_call_id: "1", content }),
  },
  Responses: {
    call: [{ type: "function_call", call_id: "1", name: "read", arguments: "{}" }],
    apart: (output) => ({ type: "function_call_output", call_id: "1", output }),
  },
  "the AI SDK": {
    call: [
      {
        role: "assistant",
        content: [{ type: "tool-call", toolCallId: "1", toolName: "read", input: {} }],
      },
    ],
    both: (...outputs) => [{ role: "tool", content: outputs.map(toolResult) }],
    apart: (output) => ({ role: "tool", content: [toolResult(output)] }),
  },
};

function response(output) {
  return { functionResponse: { id: "1", name: "read", response: { output } } };
}

function toolResult(value) {
  return {
    type: "tool-result",
    toolCallId: "1",
    toolName: "read",
    output: { type: "text", value },
  };
}

for (const [name, { call, both, apart }] of Object.entries(PROVIDERS)) {
  describe(`of two results of a call the first stays, in the shape of ${name}:`, () => {
    if (both) {
      test("in one message", () => {
        const history = frozen([go, ...call, ...both(FILE, "cancelled")]);
        const { messages, report } = dedupeHistory(history);
        const [kept] = both(FILE);
        assert.deepEqual(JSON.parse(JSON.stringify(messages)), [go, ...call, kept]);
        assert.deepEqual([report.messagesChanged, report.kinds.duplicate.items], [1, 1]);
        assert.equal(report.charactersSaved, "cancelled".length);
        assertCanBeUndone(history, messages, report);
        const deduper = new HistoryDeduper();
        assert.deepEqual(
          history.map((message) => deduper.push(message)),
          messages,
        );
        assert.deepEqual(deduper.report, report);
      });
    }

    test("in two messages, of which the second goes", () => {
      const end = { role: "user", content: "Go on." };
      const history = frozen([go, ...call, apart(FILE), apart(FILE), end]);
      const { messages, report } = dedupeHistory(history, { repeatedResults: true });
      assert.deepEqual(messages, [go, ...call, history.at(-3), end]);
      assert.equal(messages[2], history.at(-3));
      assert.equal(report.charactersSaved, FILE.length);
      assertCanBeUndone(history, messages, report);
      const deduper = new HistoryDeduper();
      assert.deepEqual(
        history.map((message) => deduper.push(message)),
        history,
      );
      assert.equal(deduper.report.messagesChanged, 0);
    });
  });
}

function assertCanBeUndone(history, messages, report) {
  assert.equal(dedupeHistory(messages).report.messagesChanged, 0);
  const restored = restoreHistory(messages, JSON.parse(JSON.stringify(report)));
  assert.deepEqual(restored, history);
}

test("an id that is given again to a later call has a result for each, and so has one without its call", () => {
  const { call, apart } = PROVIDERS.Anthropic;
  for (const history of [
    [go, ...call, apart("a"), ...call, apart("b")],
    [apart("its call was cut off"), ...call, apart("a")],
    [apart("its call was cut off"), apart("too")],
  ]) {
    assert.deepEqual(dedupeHistory(frozen(history)).messages, history);
  }
});

test("what else a message holds stays when its second result goes", () => {
  const { call, apart } = PROVIDERS.Anthropic;
  const env = (time) => ({
    type: "text",
    text: `<environment_details>\n# Time\n${time}\n</environment_details>`,
  });
  const [again] = apart("again").content;
  const user = { role: "user", content: [again, env(1), { type: "text", text: "Go on." }, env(2)] };
  const history = frozen([go, ...call, apart("a"), user]);
  const { messages, report } = dedupeHistory(history);
  assert.deepEqual(messages[3].content, [user.content[2], user.content[3]]);
  assert.deepEqual([report.messagesChanged, report.blocksRemoved], [1, 1]);
  assertCanBeUndone(history, messages, report);
});

test("a report that names parts or places that are not there undoes nothing", () => {
  const { call, both } = PROVIDERS.Anthropic;
  const { messages, report } = dedupeHistory([go, ...call, ...both("a", "b")]);
  for (const content of [
    [{ kept: 1 }],
    [{ kept: -1 }],
    [{ kept: "0" }],
    [{}],
    { start: 0, end: 1, was: "x" },
  ]) {
    const undo = [{ ...report.undo[0], content }];
    assert.throws(() => restoreHistory(messages, { ...report, undo }), {
      code: "invalid_argument",
      detail: { field: "report.undo[0]" },
    });
  }
  for (const entry of [
    { index: 9, message: go },
    { index: -1, message: go },
    { index: 0, message: 1 },
  ]) {
    assert.throws(() => restoreHistory(messages, { ...report, undo: [entry] }), {
      code: "invalid_argument",
      detail: { field: "report.undo[0]" },
    });
  }
});

test("a hole among messages is told", () => {
  const history = [go, , go];
  for (const call of [
    () => dedupeHistory(history),
    () => restoreHistory(history, dedupeHistory([]).report),
    () => turnkeeper.stripGhostBlocks(history),
    () => new turnkeeper.GhostBlockAssembler({ root: "/work" }).scanHistory(history),
  ]) {
    assert.throws(call, { code: "invalid_argument", detail: { field: "messages[1]" } });
  }
});
