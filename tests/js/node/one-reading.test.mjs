// What a part means does not depend on where it is read: in a stream, in a history of the adapter's, or
// in a history whose events are asked for.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { load } from "./installed-package.mjs";

const { eventsOf } = load("turnkeeper/sessions");
const adapters = Object.fromEntries(
  ["ai-sdk", "anthropic", "gemini", "openai", "vscode"].map((name) => [
    name,
    load(`turnkeeper/adapters/${name}`),
  ]),
);

/** The events of a stream but for those that begin and end it. */
function ofStream(name, events) {
  const adapter = adapters[name].streamAdapter();
  return events
    .flatMap((event) => adapter(event) ?? [])
    .filter(({ type }) => type !== "turn_started" && type !== "finished");
}

/** The events of an assistant's message but for the turn that it starts. */
function ofHistory(messages) {
  return eventsOf(messages).filter(({ type }) => type !== "turn_started");
}

const result = (id, output, more) => ({ type: "tool_result", id, output, ...more });
const call = (id, name, args) => ({ type: "tool_call", id, name, args });
const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } };

describe("a block of Anthropic's", () => {
  const cases = [
    [
      { type: "text", text: "Hello." },
      { type: "text", text: "Hello." },
    ],
    [
      { type: "thinking", thinking: "Hm.", signature: "c2ln" },
      { type: "reasoning", text: "Hm." },
    ],
    [
      { type: "thinking", thinking: [{ type: "text", text: "Hm." }] },
      { type: "reasoning", text: "Hm." },
    ],
    [{ type: "redacted_thinking", data: "AAAA" }],
    [{ type: "compaction", content: "So far: nothing." }, { type: "condensation" }],
    [
      { type: "tool_use", id: "c1", name: "ls", input: { path: "." } },
      call("c1", "ls", { path: "." }),
    ],
    [
      { type: "server_tool_use", id: "c2", name: "web_search", input: { query: "x" } },
      call("c2", "web_search", { query: "x" }),
    ],
    [
      { type: "mcp_tool_result", tool_use_id: "c3", is_error: true, content: "no" },
      result("c3", "no", { isError: true }),
    ],
    [
      {
        type: "code_execution_tool_result",
        tool_use_id: "c4",
        content: { type: "code_execution_result", stdout: "", stderr: "no", return_code: 2 },
      },
      result("c4", '{"type":"code_execution_result","stdout":"","stderr":"no","return_code":2}', {
        exitCode: 2,
      }),
    ],
    [
      {
        type: "web_search_tool_result",
        tool_use_id: "c5",
        content: [{ type: "web_search_result", url: "https://example.org", title: "A" }],
      },
      result("c5", '[{"type":"web_search_result","url":"https://example.org","title":"A"}]'),
    ],
    [
      {
        type: "mcp_tool_result",
        tool_use_id: "c6",
        content: [{ type: "text", text: "A picture:" }, image],
      },
      result("c6", "A picture:\n[image wzqvxlts]"),
    ],
  ];
  for (const [block, ...events] of cases) {
    test(`${block.type} is ${events.map(({ type }) => type).join() || "nothing"}`, () => {
      const stream = [
        { type: "content_block_start", index: 0, content_block: block },
        { type: "content_block_stop", index: 0 },
      ];
      assert.deepEqual(ofStream("anthropic", stream), events);
      assert.deepEqual(ofHistory([{ role: "assistant", content: [block] }]), events);
    });
  }
});

describe("an item of OpenAI's Responses", () => {
  const cases = [
    [
      { type: "function_call", id: "fc_1", call_id: "c1", name: "ls", arguments: '{"path":"."}' },
      call("c1", "ls", '{"path":"."}'),
    ],
    [
      { type: "custom_tool_call", call_id: "c2", name: "patch", input: "*** Begin" },
      call("c2", "patch", "*** Begin"),
    ],
    [
      { type: "local_shell_call", call_id: "c3", action: { command: ["ls"] } },
      call("c3", "local_shell", { command: ["ls"] }),
    ],
    [
      { type: "web_search_call", id: "ws_1", status: "completed", action: { query: "x" } },
      call("ws_1", "web_search", { query: "x" }),
    ],
    [
      { type: "file_search_call", id: "fs_1", queries: ["x"], results: [{ text: "found" }] },
      call("fs_1", "file_search", ["x"]),
      result("fs_1", "found"),
    ],
    [
      { type: "code_interpreter_call", id: "ci_1", code: "print(1)", outputs: null },
      call("ci_1", "code_interpreter", "print(1)"),
    ],
    [
      { type: "mcp_call", id: "mcp_1", name: "roll", arguments: "{}", output: "4" },
      call("mcp_1", "roll", "{}"),
      result("mcp_1", "4"),
    ],
    [
      { type: "mcp_call", id: "mcp_2", name: "roll", arguments: "{}", error: "no dice" },
      call("mcp_2", "roll", "{}"),
      result("mcp_2", "no dice", { isError: true }),
    ],
    [
      { type: "apply_patch_call", call_id: "c4", operation: { type: "delete_file", path: "a" } },
      call("c4", "apply_patch", { type: "delete_file", path: "a" }),
    ],
    [{ type: "compaction", id: "cmp_1", encrypted_content: "AAAA" }, { type: "condensation" }],
    [
      { type: "image_generation_call", id: "ig_1", result: "AAAA" },
      call("ig_1", "image_generation"),
    ],
  ];
  for (const [item, ...events] of cases) {
    test(`${item.type} is ${events.map(({ type }) => type).join()}`, () => {
      const stream = [{ type: "response.output_item.done", output_index: 0, item }];
      assert.deepEqual(ofStream("openai", stream), events.map(plain));
      assert.deepEqual(ofHistory([item]), events.map(plain));
    });
  }
});

test("an empty field hides no thinking in a chat message", () => {
  const said = { role: "assistant", content: "Hi.", reasoning_content: "", reasoning: "Hm." };
  const events = [
    { type: "reasoning", text: "Hm." },
    { type: "text", text: "Hi." },
  ];
  assert.deepEqual(ofStream("openai", [{ choices: [{ delta: said }] }]), events);
  assert.deepEqual(ofHistory([said]), events);
});

/** A call without arguments has the field, undefined. */
function plain(event) {
  return event.type === "tool_call" ? { ...event, args: event.args } : event;
}

describe("a part of Gemini's", () => {
  const cases = [
    [{ text: "Hello." }, { type: "text", text: "Hello." }],
    [
      { text: "Hm.", thought: true },
      { type: "reasoning", text: "Hm." },
    ],
    [
      { functionCall: { id: "c1", name: "ls", args: { path: "." } } },
      call("c1", "ls", { path: "." }),
    ],
    [
      { executableCode: { code: "print(1)", language: "PYTHON" } },
      {
        type: "tool_call",
        name: "code_execution",
        args: { code: "print(1)", language: "PYTHON" },
      },
    ],
    [
      { codeExecutionResult: { output: "1\n", outcome: "OUTCOME_FAILED" } },
      { type: "tool_result", output: "1\n", isError: true },
    ],
    [{ inlineData: { mimeType: "image/png", data: "AAAA" } }],
  ];
  for (const [part, ...events] of cases) {
    test(`${Object.keys(part)[0]} is ${events.map(({ type }) => type).join() || "nothing"}`, () => {
      const content = { role: "model", parts: [part] };
      assert.deepEqual(ofStream("gemini", [{ candidates: [{ content }] }]), events);
      assert.deepEqual(ofHistory([content]), events);
    });
  }

  test("functionResponse has the same text in messages and in events", () => {
    for (const response of [{ output: "a.ts" }, { error: "no" }, { size: 3 }, {}]) {
      const content = { role: "user", parts: [{ functionResponse: { id: "c1", response } }] };
      const [part] = adapters.gemini.fromMessages([content])[0].content;
      const [event] = ofHistory([content]);
      assert.equal(part.content, event.output);
      assert.equal(part.is_error, event.isError);
    }
  });
});

describe("a part of the AI SDK's", () => {
  const cases = [
    [
      { type: "reasoning", text: "Hm." },
      { type: "reasoning", text: "Hm." },
    ],
    [
      { type: "tool-call", toolCallId: "c1", toolName: "ls", input: { path: "." } },
      call("c1", "ls", { path: "." }),
    ],
    [
      { type: "tool-error", toolCallId: "c2", toolName: "ls", error: "no" },
      result("c2", "no", { isError: true }),
    ],
  ];
  for (const [part, ...events] of cases) {
    test(`${part.type} is ${events.map(({ type }) => type).join()}`, () => {
      assert.deepEqual(ofStream("ai-sdk", [part]), events);
      assert.deepEqual(ofHistory([{ role: "assistant", content: [part] }]), events);
    });
  }

  test("a result is told by its type in a history", () => {
    const outputs = [
      [{ type: "text", value: "a.ts" }, "a.ts"],
      [{ type: "json", value: { a: 1 } }, '{"a":1}'],
      [{ type: "error-text", value: "no" }, "no", true],
      [{ type: "execution-denied", reason: "not now" }, "not now", true],
      [
        {
          type: "content",
          value: [
            { type: "text", text: "A picture:" },
            { type: "media", data: "AAAA", mediaType: "image/png" },
          ],
        },
        "A picture:\n[media gzzkjkzr]",
      ],
    ];
    for (const [output, text, isError] of outputs) {
      const part = { type: "tool-result", toolCallId: "c1", toolName: "ls", output };
      const events = ofHistory([{ role: "tool", content: [part] }]);
      assert.deepEqual(events, [result("c1", text, isError && { isError })]);
    }
  });
});

describe("a part of VS Code's", () => {
  const cases = [
    [{ value: "Hello." }, { type: "text", text: "Hello." }],
    [
      { value: ["Hm", "."], id: undefined },
      { type: "reasoning", text: "Hm." },
    ],
    [{ callId: "c1", name: "ls", input: { path: "." } }, call("c1", "ls", { path: "." })],
    [{ mimeType: "image/png", data: new Uint8Array(4) }],
  ];
  for (const [part, ...events] of cases) {
    test(`${Object.keys(part)} is ${events.map(({ type }) => type).join() || "nothing"}`, () => {
      assert.deepEqual(ofStream("vscode", [part]), events);
      assert.deepEqual(ofHistory([{ role: 2, content: [part] }]), events);
    });
  }
});

describe("a tool's own list is no list of parts", () => {
  for (const output of [[1, 2], [{ type: "file", path: "a.ts" }], [{ name: "a" }, { name: "b" }]]) {
    test(JSON.stringify(output), () => {
      const part = { type: "tool-result", toolCallId: "c1", toolName: "ls", output };
      assert.deepEqual(ofStream("ai-sdk", [part]), [result("c1", JSON.stringify(output))]);
    });
  }
});
