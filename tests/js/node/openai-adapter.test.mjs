import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { load, turnkeeper } from "./installed-package.mjs";

const { fromMessages, streamAdapter, toMessages } = load("turnkeeper/adapters/openai");

const all = (events) => {
  const adapter = streamAdapter();
  return events.flatMap((event) => adapter(event) ?? []);
};

describe("chunks of a chat completion", () => {
  const chunk = (delta, finish_reason = null) => ({
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta, finish_reason }],
  });
  const calls = (...tool_calls) => chunk({ tool_calls });
  const piece = (index, args, id, name) => ({
    index,
    ...(id && { id, type: "function" }),
    function: { ...(name && { name }), arguments: args },
  });
  /** What chunks in the middle of an answer are observed as. */
  const middle = (...chunks) => all([chunk({ content: "" }), ...chunks]).slice(1);
  const call = (id, name, args) => ({ type: "tool_call", id, name, args });
  const end = chunk({}, "tool_calls");
  const finished = { type: "finished" };

  test("start one turn, however many they are", () => {
    assert.deepEqual(
      all([chunk({ role: "assistant", content: "" }), chunk({ content: "a" }), chunk({}, "stop")]),
      [{ type: "turn_started" }, { type: "text", text: "a" }, finished],
    );
  });

  test("give text, refusals and thinking under each of its names", () => {
    assert.deepEqual(
      middle(
        chunk({ reasoning_content: "Hm.", content: null }),
        chunk({ reasoning_content: "", reasoning: "Well.", reasoning_details: [] }),
        chunk({ content: "Yes." }),
        chunk({ refusal: "No.", content: null }),
      ),
      [
        { type: "reasoning", text: "Hm." },
        { type: "reasoning", text: "Well." },
        { type: "text", text: "Yes." },
        { type: "text", text: "No." },
      ],
    );
  });

  test("give the parts of a content that is a list, as Mistral's is", () => {
    const content = [
      { type: "thinking", thinking: [{ type: "text", text: "Hm." }] },
      { type: "text", text: "Yes." },
      { type: "reference", reference_ids: [1] },
    ];
    assert.deepEqual(middle(chunk({ content })), [
      { type: "reasoning", text: "Hm." },
      { type: "text", text: "Yes." },
    ]);
  });

  test("give a call when it is complete: when the next one begins, or at the end", () => {
    const seen = [
      calls(piece(0, "", "c1", "ls")),
      calls(piece(0, '{"path":')),
      calls(piece(0, '"a"}')),
      calls(piece(1, '{"path":"b"}', "c2", "ls")),
      end,
    ];
    assert.deepEqual(middle(...seen.slice(0, 3)), []);
    assert.deepEqual(middle(...seen.slice(0, 4)), [call("c1", "ls", '{"path":"a"}')]);
    assert.deepEqual(middle(...seen), [
      call("c1", "ls", '{"path":"a"}'),
      call("c2", "ls", '{"path":"b"}'),
      finished,
    ]);
  });

  test("may mix the pieces of several calls", () => {
    const mixed = [
      calls(piece(0, "", "c1", "ls"), piece(1, "", "c2", "cat")),
      calls(piece(1, '{"path":'), piece(0, '{"path":')),
      calls(piece(0, '"a"}'), piece(1, '"b"}')),
      end,
    ];
    assert.deepEqual(middle(...mixed), [
      call("c1", "ls", '{"path":"a"}'),
      call("c2", "cat", '{"path":"b"}'),
      finished,
    ]);
  });

  test("tell calls apart by their id where the index does not", () => {
    const whole = (id) => ({ ...piece(0, `{"path":"${id}"}`, id, "ls") });
    const expected = [call("a", "ls", '{"path":"a"}'), call("b", "ls", '{"path":"b"}'), finished];
    assert.deepEqual(middle(calls(whole("a")), calls(whole("b")), end), expected);
    const bare = (id) => ({ ...whole(id), index: undefined });
    assert.deepEqual(middle(calls(bare("a"), bare("b")), end), expected);
  });

  test("tell calls apart by their names where nothing else does", () => {
    const bare = (name, args) => ({ function: { ...(name && { name }), arguments: args } });
    const one = (args) => ({ type: "tool_call", name: "ls", args });
    const expected = [one('{"path":"a"}'), one('{"path":"b"}'), finished];
    const [a, b] = expected.map(({ args }) => args);
    assert.deepEqual(middle(calls(bare("ls", a), bare("ls", b)), end), expected);
    const pieces = [
      bare("ls", ""),
      bare("", '{"path":'),
      bare("", '"a"}'),
      bare("ls", ""),
      bare("", b),
    ];
    assert.deepEqual(middle(...pieces.map((it) => calls(it)), end), expected);
  });

  test("may hold calls of custom tools, whose input is text", () => {
    const custom = (made, id) => ({ index: 0, ...(id && { id, type: "custom" }), custom: made });
    const pieces = [
      custom({ name: "patch", input: "*** Begin" }, "c1"),
      custom({ input: " Patch" }),
    ];
    assert.deepEqual(middle(...pieces.map((it) => calls(it)), end), [
      call("c1", "patch", "*** Begin Patch"),
      finished,
    ]);
  });

  test("give broken JSON as it is, and no arguments as none", () => {
    assert.deepEqual(middle(calls(piece(0, '{"path', "c1", "ls")), end), [
      call("c1", "ls", '{"path'),
      finished,
    ]);
    assert.deepEqual(middle(calls(piece(0, "", "c1", "ls")), end), [
      call("c1", "ls", {}),
      finished,
    ]);
  });

  test("end a call without a finish reason when the usage comes", () => {
    const usage = { choices: [], usage: { total_tokens: 3 } };
    assert.deepEqual(middle(calls(piece(0, "{}", "c1", "ls")), usage), [call("c1", "ls", "{}")]);
  });

  test("may hold a function call of the old kind", () => {
    const old = (function_call) => chunk({ function_call });
    assert.deepEqual(
      middle(
        old({ name: "ls", arguments: "" }),
        old({ arguments: "{}" }),
        chunk({}, "function_call"),
      ),
      [{ type: "tool_call", name: "ls", args: "{}" }, finished],
    );
  });

  test("of further answers are not looked at", () => {
    const other = { choices: [{ index: 1, delta: { content: "b" }, finish_reason: "stop" }] };
    assert.deepEqual(middle(other), []);
  });
});

describe("events of the Responses API", () => {
  const done = (item, output_index = 0) => ({
    type: "response.output_item.done",
    output_index,
    item,
  });
  const table = [
    [{ type: "response.created", response: {} }, [{ type: "turn_started" }]],
    [{ type: "response.in_progress", response: {} }, [{ type: "other" }]],
    [{ type: "response.output_text.delta", delta: "a" }, [{ type: "text", text: "a" }]],
    [{ type: "response.output_text.done", text: "a" }, []],
    [{ type: "response.refusal.delta", delta: "No." }, [{ type: "text", text: "No." }]],
    [{ type: "response.reasoning_text.delta", delta: "a" }, [{ type: "reasoning", text: "a" }]],
    [
      { type: "response.reasoning_summary_text.delta", delta: "a" },
      [{ type: "reasoning", text: "a" }],
    ],
    [{ type: "response.reasoning_summary_part.done" }, [{ type: "reasoning", text: "\n" }]],
    [{ type: "response.function_call_arguments.delta", delta: "{" }, []],
    [
      done({ type: "function_call", id: "fc_1", call_id: "c1", name: "ls", arguments: "{}" }),
      [{ type: "tool_call", id: "c1", name: "ls", args: "{}" }],
    ],
    [
      done({ type: "custom_tool_call", call_id: "c1", name: "patch", input: "*** Begin" }),
      [{ type: "tool_call", id: "c1", name: "patch", args: "*** Begin" }],
    ],
    [
      done({ type: "local_shell_call", id: "x", call_id: "c1", action: { command: ["ls"] } }),
      [{ type: "tool_call", id: "c1", name: "local_shell", args: { command: ["ls"] } }],
    ],
    [
      done({
        type: "mcp_call",
        id: "m1",
        name: "ask",
        arguments: "{}",
        output: "yes",
        error: null,
      }),
      [
        { type: "tool_call", id: "m1", name: "ask", args: "{}" },
        { type: "tool_result", id: "m1", output: "yes" },
      ],
    ],
    [
      done({ type: "mcp_call", id: "m1", name: "ask", arguments: "{}", output: null, error: "no" }),
      [
        { type: "tool_call", id: "m1", name: "ask", args: "{}" },
        { type: "tool_result", id: "m1", output: "no", isError: true },
      ],
    ],
    [
      done({ type: "web_search_call", id: "w1", action: { type: "search", query: "x" } }),
      [{ type: "tool_call", id: "w1", name: "web_search", args: { type: "search", query: "x" } }],
    ],
    [
      done({ type: "shell_call_output", call_id: "c1", output: "a.ts" }),
      [{ type: "tool_result", id: "c1", output: "a.ts" }],
    ],
    [done({ type: "message", content: [] }), []],
    [done({ type: "reasoning", summary: [] }), []],
    [done({ type: "compaction", encrypted_content: "…" }), [{ type: "condensation" }]],
    [{ type: "response.completed", response: {} }, [{ type: "finished" }]],
    [{ type: "response.incomplete", response: {} }, [{ type: "finished" }]],
    [{ type: "response.failed", response: {} }, [{ type: "finished" }]],
    [{ type: "of next year" }, [{ type: "other" }]],
    [{}, [{ type: "other" }]],
    [null, [{ type: "other" }]],
    ["text", [{ type: "other" }]],
  ];
  for (const [event, expected] of table) {
    test(`${JSON.stringify(event)} is ${JSON.stringify(expected)}`, () => {
      assert.deepEqual(all([event]), expected);
    });
  }

  test("a call is observed once, as soon as its arguments are complete", () => {
    const item = { type: "function_call", id: "fc_1", call_id: "c1", name: "ls", arguments: "" };
    const adapter = streamAdapter();
    const events = [
      { type: "response.output_item.added", output_index: 1, item },
      { type: "response.function_call_arguments.done", output_index: 1, arguments: "{}" },
      { type: "response.function_call_arguments.done", output_index: 1, arguments: "{}" },
      done({ ...item, arguments: "{}" }, 1),
      done({ ...item, call_id: "c2", arguments: "{}" }, 1),
    ];
    const seen = events.map((event) => [adapter(event) ?? []].flat());
    assert.deepEqual(seen, [
      [],
      [{ type: "tool_call", id: "c1", name: "ls", args: "{}" }],
      [],
      [],
      [{ type: "tool_call", id: "c2", name: "ls", args: "{}" }],
    ]);
  });
});

describe("a history of chat messages", () => {
  test("has an assistant's calls with their arguments read when they are looked at", () => {
    const call = (id, json) => ({
      id,
      type: "function",
      function: { name: "ls", arguments: json },
    });
    const [message] = fromMessages([
      {
        role: "assistant",
        content: "I look.",
        tool_calls: [call("c1", '{"a":1}'), call("c2", "{")],
      },
    ]);
    const [text, first, second] = message.content;
    assert.deepEqual(text, { type: "text", text: "I look." });
    assert.deepEqual(
      [first.type, first.id, first.name, first.input],
      ["tool_use", "c1", "ls", { a: 1 }],
    );
    assert.equal(second.input, "{");
  });

  test("keeps what was added to a tool's result as the user's", () => {
    const tool = { role: "tool", tool_call_id: "c1", content: "a.ts" };
    const [message] = fromMessages([tool]);
    const content = turnkeeper.withEnvironment(message.content, "10:05");
    const back = toMessages([{ ...message, content }]);
    assert.equal(back[0], tool);
    assert.equal(back[1].role, "user");
    assert.match(back[1].content[0].text, /10:05/);
  });
});
