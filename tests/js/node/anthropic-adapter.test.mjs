import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { load, turnkeeper } from "./installed-package.mjs";

const { fromMessages, streamAdapter, toMessages } = load("turnkeeper/adapters/anthropic");

const start = (content_block, index = 0) => ({
  type: "content_block_start",
  index,
  content_block,
});
const delta = (delta, index = 0) => ({ type: "content_block_delta", index, delta });
const stop = (index = 0) => ({ type: "content_block_stop", index });
const json = (partial_json, index) => delta({ type: "input_json_delta", partial_json }, index);

const all = (events) => {
  const adapter = streamAdapter();
  return events.map((event) => adapter(event));
};

describe("events of a message stream", () => {
  const table = [
    [{ type: "message_start", message: { content: [] } }, { type: "turn_started" }],
    [start({ type: "text", text: "" }), undefined],
    [start({ type: "text", text: "Hello." }), { type: "text", text: "Hello." }],
    [delta({ type: "text_delta", text: "Hello." }), { type: "text", text: "Hello." }],
    [start({ type: "thinking", thinking: "", signature: "" }), undefined],
    [delta({ type: "thinking_delta", thinking: "Hm." }), { type: "reasoning", text: "Hm." }],
    [delta({ type: "signature_delta", signature: "c2ln" }), undefined],
    [delta({ type: "citations_delta", citation: {} }), undefined],
    [start({ type: "redacted_thinking", data: "…" }), undefined],
    [start({ type: "compaction", content: null }), { type: "condensation" }],
    [
      start({ type: "mcp_tool_result", tool_use_id: "c1", is_error: true, content: "no" }),
      { type: "tool_result", id: "c1", output: "no", isError: true },
    ],
    [
      start({
        type: "web_search_tool_result",
        tool_use_id: "c1",
        content: { type: "web_search_tool_result_error", error_code: "unavailable" },
      }),
      {
        type: "tool_result",
        id: "c1",
        output: '{"type":"web_search_tool_result_error","error_code":"unavailable"}',
        isError: true,
      },
    ],
    [
      start({
        type: "code_execution_tool_result",
        tool_use_id: "c1",
        content: { type: "code_execution_result", stdout: "", stderr: "no", return_code: 2 },
      }),
      {
        type: "tool_result",
        id: "c1",
        output: '{"type":"code_execution_result","stdout":"","stderr":"no","return_code":2}',
        exitCode: 2,
      },
    ],
    [stop(), undefined],
    [{ type: "message_delta", delta: { stop_reason: "tool_use" }, usage: {} }, undefined],
    [{ type: "ping" }, undefined],
    [{ type: "message_stop" }, { type: "finished" }],
    [{ type: "of next year" }, { type: "other" }],
    [null, { type: "other" }],
    ["text", { type: "other" }],
  ];
  for (const [event, expected] of table) {
    test(`${JSON.stringify(event)} is ${JSON.stringify(expected)}`, () => {
      assert.deepEqual(all([event]), [expected]);
    });
  }

  test("a call's arguments are put together, whatever comes between", () => {
    const seen = all([
      start({ type: "tool_use", id: "c1", name: "read_file", input: {} }, 0),
      start({ type: "server_tool_use", id: "c2", name: "web_search", input: {} }, 1),
      json('{"path": "a', 0),
      json('{"query": "', 1),
      json('.ts"}', 0),
      stop(0),
      json('x"}', 1),
      stop(1),
    ]);
    assert.deepEqual(
      seen.filter((event) => event !== undefined),
      [
        { type: "tool_call", id: "c1", name: "read_file", args: '{"path": "a.ts"}' },
        { type: "tool_call", id: "c2", name: "web_search", args: '{"query": "x"}' },
      ],
    );
  });

  test("a call without deltas has the input that its block came with", () => {
    for (const input of [{}, { path: "a.ts" }]) {
      const seen = all([start({ type: "tool_use", id: "c1", name: "ls", input }), stop()]);
      assert.deepEqual(seen[1], { type: "tool_call", id: "c1", name: "ls", args: input });
    }
  });

  test("broken JSON is compared as the text that it is", () => {
    const detector = new turnkeeper.LoopDetector({ identicalCalls: 2 });
    const adapter = streamAdapter();
    const call = [
      start({ type: "tool_use", id: "c1", name: "ls", input: {} }),
      json('{"path": "'),
      stop(),
    ];
    const verdicts = [...call, ...call].flatMap((event) => {
      const observed = adapter(event);
      return observed === undefined ? [] : [detector.observe(observed).action];
    });
    assert.deepEqual(verdicts, ["ok", "stop"]);
  });

  test("a message that begins anew forgets the call that was not finished", () => {
    const seen = all([
      start({ type: "tool_use", id: "c1", name: "ls", input: {} }),
      json('{"path": "'),
      { type: "message_start", message: {} },
      stop(),
    ]);
    assert.deepEqual(seen, [undefined, undefined, { type: "turn_started" }, undefined]);
  });
});

// Which calls a text has: calls-in-text.test.mjs.
describe("tool calls in text", () => {
  const calls = (text, options) =>
    fromMessages([{ role: "assistant", content: text }], options)[0].content;
  const call = (name, input) => ({ type: "tool_use", name, input });
  const plain = (content) => JSON.parse(JSON.stringify(content));

  test("become parts, and the text around them stays", () => {
    const text =
      "I look.\n\n<read_file>\n<path> src/a.ts </path>\n</read_file>\n" +
      "<execute_command>\n<command>npm test</command>\n" +
      "<requires_approval>false</requires_approval>\n</execute_command>";
    assert.deepEqual(plain(calls(text)), [
      { type: "text", text: "I look.\n\n" },
      call("read_file", { path: "src/a.ts" }),
      { type: "text", text: "\n" },
      call("execute_command", { command: "npm test", requires_approval: "false" }),
    ]);
  });

  test("are text where the host says so, and in what is not the assistant's", () => {
    const text = "<read_file><path>a</path></read_file>";
    assert.equal(calls(text, { xmlTools: false }), text);
    assert.equal(calls(text, { xmlTools: ["other"] }), text);
    assert.equal(calls(text, { xmlTools: ["read_file"] }).length, 1);
    const user = { role: "user", content: text };
    assert.equal(fromMessages([user])[0], user);
  });

  test("a message that changes keeps them as text, and its other fields", () => {
    const history = [
      { role: "assistant", ts: 7, content: "I look.<read_file><path>a</path></read_file>" },
    ];
    const [message] = fromMessages(history);
    const changed = { ...message, content: [...message.content, { type: "text", text: "!" }] };
    assert.deepEqual(toMessages([changed]), [
      {
        role: "assistant",
        ts: 7,
        content: [
          { type: "text", text: "I look." },
          { type: "text", text: "<read_file><path>a</path></read_file>" },
          { type: "text", text: "!" },
        ],
      },
    ]);
  });
});

describe("what is no history", () => {
  test("is refused by name", () => {
    for (const wrong of [undefined, null, 7, "text", {}]) {
      for (const map of [fromMessages, toMessages]) {
        assert.throws(() => map(wrong), turnkeeper.TurnkeeperError);
        assert.throws(() => map(wrong), {
          code: "invalid_argument",
          detail: { field: "messages" },
        });
      }
    }
  });
});
