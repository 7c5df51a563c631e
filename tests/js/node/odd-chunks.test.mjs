// A server that speaks a provider's format may have something else in any place of a chunk. The host's own reader may
// take that, so no adapter ends its stream.

import assert from "node:assert/strict";
import { test } from "node:test";

import { load, turnkeeper } from "./installed-package.mjs";
import { watched } from "./streams.mjs";

const { LoopDetector } = turnkeeper;

const call = { name: "read", arguments: '{"path":"a"}' };
const STREAMS = {
  anthropic: [
    { type: "message_start", message: { id: "m", usage: { input_tokens: 1 } } },
    {
      type: "content_block_start",
      index: 0,
      content_block: { type: "tool_use", id: "1", name: "read", input: {} },
    },
    {
      type: "content_block_delta",
      index: 0,
      delta: { type: "input_json_delta", partial_json: "{}" },
    },
    { type: "content_block_stop", index: 0 },
    {
      type: "content_block_start",
      index: 1,
      content_block: {
        type: "web_search_tool_result",
        tool_use_id: "1",
        content: [{ type: "text", text: "a" }],
      },
    },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: {} },
  ],
  openai: [
    {
      choices: [
        {
          index: 0,
          delta: {
            content: "a",
            reasoning: "b",
            refusal: null,
            tool_calls: [{ index: 0, id: "1", function: call }],
          },
        },
      ],
    },
    { choices: [{ index: 0, delta: { function_call: call }, finish_reason: "stop" }] },
    {
      type: "response.output_item.added",
      output_index: 0,
      item: { type: "function_call", call_id: "1", name: "read" },
    },
    { type: "response.function_call_arguments.done", output_index: 0, arguments: "{}" },
    {
      type: "response.output_item.done",
      output_index: 0,
      item: { type: "web_search_call", id: "1", action: { query: "a" }, results: [{ text: "a" }] },
    },
    {
      type: "response.output_item.done",
      output_index: 1,
      item: { type: "reasoning", summary: [{ text: "a" }] },
    },
    { type: "response.output_text.delta", delta: "a" },
  ],
  gemini: [
    {
      candidates: [
        {
          content: {
            parts: [
              { text: "a", thought: true },
              { functionCall: { id: "1", name: "read", args: { path: "a" } } },
            ],
          },
          finishReason: "STOP",
        },
      ],
    },
    {
      candidates: [
        {
          content: {
            parts: [
              {
                functionCall: {
                  name: "read",
                  partialArgs: [{ jsonPath: "$.a", stringValue: "b" }],
                  willContinue: true,
                },
              },
            ],
          },
        },
      ],
    },
    {
      candidates: [
        {
          content: {
            parts: [
              { executableCode: { code: "1" } },
              { codeExecutionResult: { output: "1", outcome: "OUTCOME_OK" } },
            ],
          },
        },
      ],
    },
    {
      type: "tool_call_response",
      value: {
        callId: "1",
        responseParts: [{ functionResponse: { response: { output: "a" } } }],
        error: { message: "b" },
      },
    },
    { type: "thought", value: { subject: "a", description: "b" } },
    { type: "chat_compressed", value: { compressionStatus: 1 } },
  ],
  "ai-sdk": [
    { type: "start-step" },
    { type: "text-delta", id: "1", text: "a" },
    { type: "tool-call", toolCallId: "1", toolName: "read", input: { path: "a" } },
    { type: "tool-result", toolCallId: "1", output: { type: "text", value: "a" } },
    { type: "tool-error", toolCallId: "1", error: { message: "a" } },
  ],
  vscode: [
    { value: "a" },
    { value: ["a"], id: "1" },
    { callId: "1", name: "read", input: { path: "a" } },
    { callId: "1", content: [{ value: "a" }] },
    { data: { 0: 1 }, mimeType: "image/png" },
  ],
};
const ODD = [
  null,
  undefined,
  false,
  true,
  7,
  NaN,
  "text",
  [],
  [null],
  ["text"],
  [[]],
  {},
  { a: null },
];

/** The value with something odd in each of its places in turn, itself included. */
function* oddly(value) {
  yield* ODD;
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    for (const odd of oddly(inner)) {
      yield Object.assign(Array.isArray(value) ? [...value] : { ...value }, { [name]: odd });
    }
  }
}

async function* streamOf(events) {
  yield* events;
}

for (const [name, events] of Object.entries(STREAMS)) {
  test(`a chunk with anything in any place is passed on by the adapter ${name}`, async () => {
    const { streamAdapter } = load(`turnkeeper/adapters/${name}`);
    let chunks = 0;
    for (const [at, event] of events.entries()) {
      for (const odd of oddly(event)) {
        const given = [...events.slice(0, at), odd, ...events.slice(at + 1)];
        const detector = new LoopDetector();
        const passed = [];
        const options = { adapter: streamAdapter() };
        for await (const each of watched(streamOf(given), detector, options)) passed.push(each);
        assert.deepEqual(passed, given);
        detector.dispose();
        chunks += 1;
      }
    }
    assert.ok(chunks > 50);
  });
}

test("arguments that come as an object are compared", async () => {
  const { streamAdapter } = load("turnkeeper/adapters/openai");
  const adapter = streamAdapter();
  const chunk = (path) => ({
    choices: [
      {
        index: 0,
        delta: { tool_calls: [{ id: path, function: { name: "read", arguments: { path } } }] },
        finish_reason: "tool_calls",
      },
    ],
  });
  const read = (path) => adapter(chunk(path)).find(({ type }) => type === "tool_call").args;
  assert.notEqual(read("a"), read("b"));
});
