import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { load, turnkeeper } from "./installed-package.mjs";
import { collect, source, watched } from "./streams.mjs";

const { LoopDetector } = turnkeeper;
const { streamAdapter } = load("turnkeeper/adapters/gemini");

/** What an adapter in the middle of its stream makes of one event. */
function observed(event) {
  const adapter = streamAdapter();
  adapter({ type: "content", value: "Hello." });
  return adapter(event);
}

const request = (fields) => ({
  type: "tool_call_request",
  value: {
    callId: "read_file__1",
    name: "read_file",
    args: { path: "a.ts" },
    isClientInitiated: false,
    prompt_id: "p1",
    ...fields,
  },
});

const chunk = (parts, finishReason) => ({
  candidates: [{ content: { role: "model", parts }, finishReason }],
});

describe("events of gemini-cli", () => {
  const table = [
    [
      { type: "content", value: "Let me see." },
      { type: "text", text: "Let me see." },
    ],
    [
      { type: "thought", value: { subject: "Reading", description: "I look at the file." } },
      { type: "reasoning", text: "Reading\nI look at the file.\n" },
    ],
    [
      { type: "thought", value: { subject: "", description: "I look." } },
      { type: "reasoning", text: "I look.\n" },
    ],
    [{ type: "thought", value: { subject: "", description: "" } }, undefined],
    [
      { type: "reasoning", value: { text: "step 1" } },
      { type: "reasoning", text: "step 1" },
    ],
    [
      request(),
      { type: "tool_call", id: "read_file__1", name: "read_file", args: { path: "a.ts" } },
    ],
    [request({ isClientInitiated: true }), undefined],
    [
      { type: "finished", value: { reason: "STOP", usageMetadata: undefined } },
      { type: "finished" },
    ],
    [{ type: "chat_compressed", value: { compressionStatus: 1 } }, { type: "condensation" }],
    [{ type: "chat_compressed", value: { compressionStatus: 6 } }, { type: "condensation" }],
    [{ type: "chat_compressed", value: { compressionStatus: 5 } }, undefined],
    [{ type: "chat_compressed", value: null }, undefined],
    [{ type: "tool_call_confirmation", value: { request: request().value } }, { type: "other" }],
    [{ type: "loop_detected" }, { type: "loop_reported", by: "the agent" }],
    [
      { type: "loop_detected", value: { loopType: "consecutive_identical_tool_calls" } },
      { type: "loop_reported", by: "the agent", detail: "consecutive_identical_tool_calls" },
    ],
    [{ type: "user_cancelled" }, { type: "other" }],
    [{ type: "error", value: { error: { message: "quota" } } }, { type: "other" }],
    [{ type: "retry" }, { type: "retry" }],
    [{ type: "model_info", value: "gemini-3-pro-preview" }, { type: "other" }],
    [{ type: "of next year", value: 7 }, { type: "other" }],
  ];
  for (const [event, expected] of table) {
    test(`${JSON.stringify(event)} is ${JSON.stringify(expected)}`, () => {
      assert.deepEqual(observed(event), expected);
    });
  }

  test("a tool's response is its result, wherever it carries its output", () => {
    const response = (fields) =>
      observed({ type: "tool_call_response", value: { callId: "c1", ...fields } });
    const parts = (answer) => [{ functionResponse: { id: "c1", name: "ls", response: answer } }];
    const result = (output, rest) => ({ type: "tool_result", id: "c1", output, ...rest });

    assert.deepEqual(response({ responseParts: parts({ output: "a.ts" }) }), result("a.ts"));
    assert.deepEqual(response({ responseParts: parts({ output: "" }) }), result(""));
    assert.deepEqual(response({ responseParts: parts({ files: 2 }) }), result('{"files":2}'));
    assert.deepEqual(
      response({ responseParts: parts({ error: "no such folder" }), error: new Error("ENOENT") }),
      result("no such folder", { isError: true }),
    );
    assert.deepEqual(
      response({ responseParts: [], error: new Error("ENOENT") }),
      result("ENOENT", { isError: true }),
    );
    assert.deepEqual(response({ responseParts: [], resultDisplay: "2 files" }), result("2 files"));
    assert.deepEqual(response({ responseParts: [], resultDisplay: undefined }), undefined);
  });
});

describe("chunks of @google/genai", () => {
  test("give text, thoughts and calls in the order of their parts", () => {
    const parts = [
      { text: "I should look.", thought: true },
      { text: "Let me look." },
      { functionCall: { name: "ls", args: { path: "." } } },
      { inlineData: { mimeType: "image/png", data: "" } },
    ];
    assert.deepEqual(observed(chunk(parts, "STOP")), [
      { type: "reasoning", text: "I should look." },
      { type: "text", text: "Let me look." },
      { type: "tool_call", name: "ls", args: { path: "." } },
      { type: "finished" },
    ]);
  });

  test("without output are not observed", () => {
    for (const event of [
      {},
      { candidates: [] },
      { candidates: [{}] },
      chunk([]),
      chunk([{ text: "" }]),
    ]) {
      assert.equal(observed(event), undefined);
    }
  });

  test("give the model's own code runs as calls with results", () => {
    const parts = [
      { executableCode: { code: "print(1)", language: "PYTHON" } },
      { codeExecutionResult: { outcome: "OUTCOME_FAILED", output: "SyntaxError" } },
    ];
    assert.deepEqual(observed(chunk(parts)), [
      { type: "tool_call", name: "code_execution", args: { code: "print(1)", language: "PYTHON" } },
      { type: "tool_result", output: "SyntaxError", isError: true },
    ]);
  });

  test("whose call is streamed in pieces give one call, at its end", () => {
    const adapter = streamAdapter();
    const piece = (functionCall) => adapter(chunk([{ functionCall }]));
    assert.equal(piece({ id: "c1", name: "edit", willContinue: true }), undefined);
    const first = { jsonPath: "$.path", stringValue: "src/", willContinue: true };
    assert.equal(piece({ partialArgs: [first], willContinue: true }), undefined);
    const rest = [
      { jsonPath: "$.path", stringValue: "a.ts" },
      { jsonPath: "$.line", numberValue: 3 },
    ];
    assert.equal(piece({ partialArgs: rest, willContinue: true }), undefined);
    assert.deepEqual(piece({}), [
      { type: "turn_started" },
      { type: "tool_call", id: "c1", name: "edit", args: { "$.path": "src/a.ts", "$.line": 3 } },
    ]);
  });
});

test("the first output of a stream starts a turn, and no other", () => {
  const adapter = streamAdapter();
  const all = [
    { type: "model_info", value: "gemini-2.0-flash" },
    { type: "chat_compressed", value: { compressionStatus: 1 } },
    { type: "content", value: "a" },
    { type: "content", value: "b" },
    { type: "finished", value: {} },
  ].flatMap((event) => adapter(event) ?? []);
  assert.deepEqual(
    all.map(({ type }) => type),
    ["other", "condensation", "turn_started", "text", "text", "finished"],
  );
});

test("a preview model's fourth read_file is held back, in both kinds of stream", async () => {
  const paths = ["a.ts", "b.ts", "c.ts", "d.ts", "e.ts"];
  const streams = [
    paths.map((path, index) => request({ callId: `c${index}`, args: { path } })),
    paths.map((path) => chunk([{ functionCall: { name: "read_file", args: { path } } }])),
  ];
  for (const events of streams) {
    const detector = new LoopDetector({ profile: "standard" });
    detector.startPrompt("p1", { model: "gemini-3-pro-preview" });
    const guarded = watched(source(events), detector, { adapter: streamAdapter() });
    assert.deepEqual(await collect(guarded), events.slice(0, 3));
    assert.equal(guarded.told[0].verdict.report.type, "same_tool_different_arguments");
  }
});
