import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { load, turnkeeper } from "./installed-package.mjs";

const { hasLooped, loopMiddleware, streamAdapter } = load("turnkeeper/adapters/ai-sdk");

const called = { toolCallId: "c1", toolName: "ls" };

describe("parts of the AI SDK's streams", () => {
  const table = [
    [{ type: "start" }, undefined],
    [{ type: "start-step", request: {}, warnings: [] }, { type: "turn_started" }],
    [{ type: "stream-start", warnings: [] }, { type: "turn_started" }],
    [{ type: "text-start", id: "1" }, undefined],
    [
      { type: "text-delta", id: "1", text: "a" },
      { type: "text", text: "a" },
    ],
    [
      { type: "text-delta", id: "1", delta: "a" },
      { type: "text", text: "a" },
    ],
    [{ type: "text-delta", id: "1", text: "" }, undefined],
    [{ type: "text-end", id: "1" }, undefined],
    [
      { type: "reasoning-delta", id: "1", text: "a" },
      { type: "reasoning", text: "a" },
    ],
    [
      { type: "reasoning-delta", id: "1", delta: "a" },
      { type: "reasoning", text: "a" },
    ],
    [
      { type: "text", text: "a" },
      { type: "text", text: "a" },
    ],
    [
      { type: "reasoning", text: "a" },
      { type: "reasoning", text: "a" },
    ],
    [{ type: "tool-input-start", id: "c1", toolName: "ls" }, undefined],
    [{ type: "tool-input-delta", id: "c1", delta: "{" }, undefined],
    [
      { type: "tool-call", ...called, input: { path: "." } },
      { type: "tool_call", id: "c1", name: "ls", args: { path: "." } },
    ],
    [
      { type: "tool-call", ...called, input: '{"path":"."}' },
      { type: "tool_call", id: "c1", name: "ls", args: '{"path":"."}' },
    ],
    [
      { type: "tool-result", ...called, output: "a.ts" },
      { type: "tool_result", id: "c1", output: "a.ts" },
    ],
    [
      { type: "tool-result", ...called, result: { files: 2 }, isError: true },
      { type: "tool_result", id: "c1", output: '{"files":2}', isError: true },
    ],
    [{ type: "tool-result", ...called, output: "a", preliminary: true }, undefined],
    [
      { type: "tool-error", ...called, error: new Error("no such folder") },
      { type: "tool_result", id: "c1", output: "no such folder", isError: true },
    ],
    [
      { type: "tool-error", ...called, error: "no" },
      { type: "tool_result", id: "c1", output: "no", isError: true },
    ],
    [
      { type: "tool-output-denied", ...called },
      { type: "tool_result", id: "c1", output: "denied", isError: true },
    ],
    [{ type: "source", id: "s1" }, undefined],
    [{ type: "raw", rawValue: {} }, undefined],
    [{ type: "error", error: new Error("no") }, undefined],
    [{ type: "abort" }, undefined],
    [{ type: "finish-step" }, undefined],
    [{ type: "finish" }, { type: "finished" }],
    [{ type: "tool-approval-request", approvalId: "a1" }, { type: "other" }],
    [{ type: "of next year" }, { type: "other" }],
    [{}, { type: "other" }],
    [null, { type: "other" }],
  ];
  for (const [part, expected] of table) {
    test(`${JSON.stringify(part)} is ${JSON.stringify(expected)}`, () => {
      assert.deepEqual(streamAdapter()(part), expected);
    });
  }

  test("a tool may return anything", () => {
    const cyclic = {};
    cyclic.self = cyclic;
    for (const [output, text] of [
      [undefined, ""],
      [null, ""],
      [7, "7"],
      [7n, "7"],
      [cyclic, "[object Object]"],
    ]) {
      const event = streamAdapter()({ type: "tool-result", ...called, output });
      assert.deepEqual(event, { type: "tool_result", id: "c1", output: text });
    }
  });
});

describe("the results that a request brings", () => {
  const ok = { action: "ok" };
  /** What is observed of prompts, each of which the model answers with a call of this id, or with nothing. */
  const observed = async (prompts, ids = []) => {
    const seen = [];
    const detector = { verdict: ok, observe: (event) => (seen.push(event), ok) };
    const { wrapGenerate } = loopMiddleware(detector);
    const model = { specificationVersion: "v3" };
    for (const [at, prompt] of prompts.entries()) {
      const call = { type: "tool-call", toolCallId: ids[at], toolName: "ls", input: "{}" };
      const doGenerate = async () => ({ content: ids[at] ? [call] : [] });
      await wrapGenerate({ doGenerate, params: { prompt }, model });
    }
    return seen.filter(({ type }) => type === "tool_result");
  };
  const tool = (id, output) => ({
    role: "tool",
    content: [{ type: "tool-result", toolCallId: id, toolName: "ls", output }],
  });
  const assistant = { role: "assistant", content: [] };
  const text = (value) => ({ type: "text", value });

  test("are those behind the model's last answer", async () => {
    assert.deepEqual(
      await observed([
        [assistant, tool("c1", text("a"))],
        [assistant, tool("c1", text("a")), assistant, tool("c2", text("b"))],
      ]),
      [
        { type: "tool_result", id: "c1", output: "a" },
        { type: "tool_result", id: "c2", output: "b" },
      ],
    );
  });

  test("count once, however often the request is made", async () => {
    const prompt = [assistant, tool("c1", text("a"))];
    const user = { role: "user", content: [{ type: "text", text: "Go on." }] };
    const prompts = [prompt, structuredClone(prompt), [...prompt, user]];
    assert.equal((await observed(prompts, ["c2"])).length, 1);
  });

  test("count each time that the model has called again, whatever the ids of its calls", async () => {
    const step = [assistant, tool("call_0", text("a"))];
    const prompts = [[], step, [...step, ...step], step, step];
    assert.equal((await observed(prompts, Array(4).fill("call_0"))).length, 4);
  });

  test("come in each of their kinds", async () => {
    const kinds = [
      [text("a"), { output: "a" }],
      [{ type: "json", value: { a: 1 } }, { output: '{"a":1}' }],
      [
        { type: "error-text", value: "no" },
        { output: "no", isError: true },
      ],
      [
        { type: "error-json", value: { a: 1 } },
        { output: '{"a":1}', isError: true },
      ],
      [
        { type: "execution-denied", reason: "no" },
        { output: "no", isError: true },
      ],
      [{ type: "content", value: [{ type: "text", text: "a" }] }, { output: "a" }],
    ];
    for (const [output, expected] of kinds) {
      const [seen] = await observed([[assistant, tool("c1", output)]]);
      assert.deepEqual(seen, { type: "tool_result", id: "c1", ...expected });
    }
  });
});

test("an answer that is cut off keeps what its provider said of it", async () => {
  const { LoopDetector } = turnkeeper;
  const call = { type: "tool-call", ...called, input: "{}" };
  const answer = {
    content: [{ type: "text", text: "I look." }, ...Array(12).fill(call)],
    usage: { inputTokens: { total: 3 } },
    providerMetadata: { openai: { id: "r1" } },
    finishReason: { unified: "tool-calls", raw: "tool_calls" },
  };
  const { wrapGenerate } = loopMiddleware(new LoopDetector({ profile: "standard" }));
  const { content, usage, providerMetadata, finishReason } = await wrapGenerate({
    doGenerate: async () => answer,
    params: { prompt: [] },
    model: { specificationVersion: "v3" },
  });
  assert.equal(content.length, 10);
  assert.equal(usage, answer.usage);
  assert.deepEqual(finishReason, { unified: "other", raw: "loop_detected" });
  assert.deepEqual(providerMetadata.openai, { id: "r1" });
  assert.equal(providerMetadata.turnkeeper.report.count, 10);
});

test("the stop condition starts anew with the steps of another call", () => {
  const seen = [];
  const ok = { action: "ok" };
  const detector = { verdict: ok, observe: (event) => (seen.push(event), ok) };
  const condition = hasLooped(detector);
  const step = (text) => ({ content: [{ type: "text", text }] });
  condition({ steps: [step("a")] });
  condition({ steps: [step("a"), step("b")] });
  condition({ steps: [step("c")] });
  assert.deepEqual(
    seen.filter(({ type }) => type === "text").map(({ text }) => text),
    ["a", "b", "c"],
  );
});
