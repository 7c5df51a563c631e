// The adapter, the middleware and the stop condition for the AI SDK, in three majors of it: with its
// own mock model, and with a real provider's client that talks to a server.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { createOpenAICompatible as provider6 } from "@ai-sdk/openai-compatible";
import * as ai6 from "ai";
import * as ai5 from "ai-5";
import { MockLanguageModelV2 } from "ai-5/test";
import * as ai7 from "ai-7";
import { MockLanguageModelV4 } from "ai-7/test";
import { MockLanguageModelV3 } from "ai/test";
import { createOpenAICompatible as provider5 } from "openai-compatible-1";
import { createOpenAICompatible as provider7 } from "openai-compatible-3";

import { turnkeeper } from "../node/installed-package.mjs";
import { forever, serveProvider, sse } from "./provider-server.mjs";
import { adapterOf, assertCutsDoNotMatter, assertStopped, guarded, observed } from "./watching.mjs";

const { LoopDetector } = turnkeeper;
const { hasLooped, loopMiddleware, streamAdapter } = adapterOf("ai-sdk");

const VERSIONS = {
  "ai 5": { ai: ai5, Mock: MockLanguageModelV2, provider: provider5, version: "v2" },
  "ai 6": { ai: ai6, Mock: MockLanguageModelV3, provider: provider6, version: "v3" },
  "ai 7": { ai: ai7, Mock: MockLanguageModelV4, provider: provider7, version: "v4" },
};

/** The parts that end an answer, in the words of a version. */
function ends(version, reason) {
  const usage =
    version === "v2"
      ? { inputTokens: 1, outputTokens: 1, totalTokens: 2 }
      : {
          inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 1, text: 1, reasoning: 0 },
        };
  return { finishReason: version === "v2" ? reason : { unified: reason, raw: reason }, usage };
}

let calls = 0;
const toolCall = (input = '{"command":"npm test"}') => ({
  type: "tool-call",
  toolCallId: `call_${calls++}`,
  toolName: "run_command",
  input,
});

for (const [name, { ai, Mock, provider, version }] of Object.entries(VERSIONS)) {
  const { generateText, jsonSchema, stepCountIs, streamText, tool, wrapLanguageModel } = ai;

  const streamOf = (parts, cancelled) => {
    const rest = parts[Symbol.iterator]();
    return new ReadableStream({
      pull(controller) {
        const { done, value } = rest.next();
        if (done) controller.close();
        else if (value instanceof Error) controller.error(value);
        else controller.enqueue(value);
      },
      cancel: cancelled,
    });
  };
  const answer = (...content) => {
    const reason = content.some(({ type }) => type === "tool-call") ? "tool-calls" : "stop";
    return { content, warnings: [], ...ends(version, reason) };
  };
  const streamed = (...content) => ({
    stream: streamOf([
      { type: "stream-start", warnings: [] },
      ...content,
      { type: "finish", ...ends(version, content.length > 0 ? "tool-calls" : "stop") },
    ]),
  });
  /** A model that calls the same tool in each of its answers. */
  const stuck = () =>
    new Mock({
      doStream: async () => streamed(toolCall()),
      doGenerate: async () => answer(toolCall()),
    });
  /** A tool, and how often it was run. */
  const runs = () => {
    const ran = [];
    const execute = async (input) => {
      ran.push(input);
      return "1 failed";
    };
    const inputSchema = jsonSchema({ type: "object", properties: { command: { type: "string" } } });
    const tools = { run_command: tool({ description: "Runs.", inputSchema, execute }) };
    return { ran, tools };
  };
  const common = { prompt: "Fix it.", stopWhen: stepCountIs(40), maxRetries: 0, onError() {} };

  async function collected(stream) {
    const parts = [];
    for await (const part of stream) parts.push(part);
    return parts;
  }

  describe(`${name}: the middleware`, () => {
    const WAYS = {
      streamText: async (options) => {
        const result = streamText(options);
        const parts = await collected(result.fullStream);
        return { parts, steps: await result.steps, reason: await result.finishReason };
      },
      generateText: async (options) => {
        const { steps, finishReason: reason } = await generateText(options);
        return { parts: [], steps, reason };
      },
    };
    for (const [way, ask] of Object.entries(WAYS)) {
      test(`${way}: a call that loops is not run, and no step follows`, async () => {
        const detector = new LoopDetector({ profile: "standard" });
        const told = [];
        const middleware = loopMiddleware(detector, {
          onLoopDetected: (event) => told.push(event),
        });
        const mock = stuck();
        const model = wrapLanguageModel({ model: mock, middleware });
        const { ran, tools } = runs();
        detector.startPrompt("prompt-1");
        const { parts, steps, reason } = await ask({ ...common, model, tools });
        assert.equal(ran.length, 9);
        assert.equal(steps.length, 10);
        assert.equal(reason, "other");
        const { report } = steps.at(-1).providerMetadata.turnkeeper;
        assert.equal(report.type, "consecutive_identical_tool_calls");
        assert.deepEqual(
          told.map(({ type, verdict }) => [type, verdict.action]),
          [["loop_detected", "stop"]],
        );
        assert.deepEqual(
          parts.filter(({ type }) => type === "error"),
          [],
        );

        const asked = () => mock.doStreamCalls.length + mock.doGenerateCalls.length;
        assert.equal(asked(), 10);
        const again = await ask({ ...common, model, tools });
        assert.deepEqual([again.reason, again.steps.length, asked()], ["other", 1, 10]);
        detector.clear();
        await ask({ ...common, model, tools });
        assert.equal(ran.length, 18);
      });

      test(`${way}: a session without a loop is not touched`, async () => {
        let count = 0;
        const more = () => (count++ < 5 ? [toolCall(`{"command":"${count}"}`)] : []);
        const mock = new Mock({
          doStream: async () => streamed(...more()),
          doGenerate: async () => answer(...more()),
        });
        const model = wrapLanguageModel({
          model: mock,
          middleware: loopMiddleware(new LoopDetector({ profile: "standard" })),
        });
        const { ran, tools } = runs();
        const { steps, reason } = await ask({ ...common, model, tools });
        assert.deepEqual([ran.length, steps.length, reason], [5, 6, "stop"]);
      });

      test(`${way}: the model's turns, and each result once, are observed`, async () => {
        const seen = [];
        const ok = { action: "ok" };
        const detector = { verdict: ok, observe: (event) => (seen.push(event), ok) };
        let count = 0;
        const answers = (make) => async () => {
          count += 1;
          // The second request fails and is repeated by the SDK.
          if (count === 2) {
            throw new ai.APICallError({
              message: "busy",
              url: "",
              requestBodyValues: {},
              isRetryable: true,
            });
          }
          return make(...(count === 1 ? [toolCall()] : []));
        };
        const mock = new Mock({ doStream: answers(streamed), doGenerate: answers(answer) });
        const model = wrapLanguageModel({ model: mock, middleware: loopMiddleware(detector) });
        await ask({ ...common, model, tools: runs().tools, maxRetries: 1 });
        assert.deepEqual(
          seen.map(({ type }) => type).filter((type) => type !== "finished"),
          ["turn_started", "tool_call", "tool_result", "turn_started", "turn_started"],
        );
        assert.equal(seen.find(({ type }) => type === "tool_result").output, "1 failed");
      });
    }

    test("a text that loops is ended, its source cancelled", async () => {
      let cancelled = 0;
      function* parts() {
        yield { type: "stream-start", warnings: [] };
        yield { type: "text-start", id: "1" };
        yield* forever({ type: "text-delta", id: "1", delta: "I will try that again. " });
      }
      const mock = new Mock({
        doStream: async () => ({ stream: streamOf(parts(), () => void cancelled++) }),
      });
      const model = wrapLanguageModel({
        model: mock,
        middleware: loopMiddleware(new LoopDetector({ profile: "standard" })),
      });
      const seen = await collected(streamText({ ...common, model }).fullStream);
      const types = seen.map(({ type }) => type).filter((type) => type !== "text-delta");
      assert.deepEqual(types, [
        "start",
        "start-step",
        "text-start",
        "text-end",
        "finish-step",
        "finish",
      ]);
      assert.equal(cancelled, 1);
    });

    test("a nudge is told, and nothing else happens", async () => {
      const nudge = () => ({ action: "nudge", report: {} });
      const detector = {
        verdict: { action: "ok" },
        observe: ({ type }) => (type === "tool_call" ? nudge() : { action: "ok" }),
      };
      const told = [];
      const middleware = loopMiddleware(detector, { onLoopDetected: (event) => told.push(event) });
      const model = wrapLanguageModel({ model: stuck(), middleware });
      const { ran, tools } = runs();
      await generateText({ ...common, model, tools, stopWhen: stepCountIs(3) });
      assert.equal(ran.length, 3);
      assert.deepEqual(
        told.map(({ verdict }) => verdict),
        [nudge(), nudge(), nudge()],
      );
    });

    test("an error of the model's stream comes out as it is", async () => {
      const gone = new Error("gone");
      const parts = [{ type: "stream-start", warnings: [] }, gone];
      const mock = new Mock({ doStream: async () => ({ stream: streamOf(parts) }) });
      const model = wrapLanguageModel({
        model: mock,
        middleware: loopMiddleware(new LoopDetector({ profile: "standard" })),
      });
      const { stream } = await model.doStream({ prompt: [] });
      await assert.rejects(collected(stream), (error) => error === gone);
    });

    test("a consumer that leaves cancels the model's stream", async () => {
      let reason;
      const parts = forever({ type: "text-delta", id: "1", delta: "a" });
      const mock = new Mock({
        doStream: async () => ({ stream: streamOf(parts, (given) => (reason = given)) }),
      });
      const model = wrapLanguageModel({
        model: mock,
        middleware: loopMiddleware(new LoopDetector({ profile: "standard" })),
      });
      const { stream } = await model.doStream({ prompt: [] });
      await stream.cancel("enough");
      assert.equal(reason, "enough");
    });
  });

  describe(`${name}: the stop condition`, () => {
    test("alone, it observes each step, and ends the tenth", async () => {
      for (const way of ["streamText", "generateText"]) {
        const detector = new LoopDetector({ profile: "standard" });
        const told = [];
        const onLoopDetected = (event) => told.push(event);
        const stopWhen = [stepCountIs(40), hasLooped(detector, { onLoopDetected })];
        const { ran, tools } = runs();
        const options = { ...common, model: stuck(), tools, stopWhen };
        const result = way === "streamText" ? streamText(options) : await generateText(options);
        if (way === "streamText") await collected(result.fullStream);
        assert.equal((await result.steps).length, 10);
        assert.equal(ran.length, 10);
        assert.equal(told.length, 1);
        assert.equal(detector.verdict.report.type, "consecutive_identical_tool_calls");
      }
    });

    test("serves for a second call, and counts nothing twice", async () => {
      const detector = new LoopDetector({ profile: "standard" });
      const stopWhen = [stepCountIs(4), hasLooped(detector)];
      for (const steps of [4, 4, 2]) {
        const { tools } = runs();
        const result = await generateText({ ...common, model: stuck(), tools, stopWhen });
        assert.equal(result.steps.length, steps);
      }
    });

    test("beside the middleware, it counts nothing twice", async () => {
      const detector = new LoopDetector({ profile: "standard" });
      const model = wrapLanguageModel({ model: stuck(), middleware: loopMiddleware(detector) });
      const { ran, tools } = runs();
      const stopWhen = [stepCountIs(40), hasLooped(detector)];
      await generateText({ ...common, model, tools, stopWhen });
      assert.equal(ran.length, 9);
    });
  });

  describe(`${name}: behind a real provider's client`, () => {
    const chunk = (delta, finish_reason = null) =>
      sse({
        id: "chatcmpl-1",
        object: "chat.completion.chunk",
        created: 1,
        model: "model-1",
        choices: [{ index: 0, delta, finish_reason }],
      });
    const callChunk = (index, args) =>
      chunk({
        tool_calls: [
          {
            index,
            id: `call_${index}`,
            type: "function",
            function: { name: "run_command", arguments: args },
          },
        ],
      });
    /** This client gives the calls of an answer when it is complete. */
    function* toolCalls(args) {
      for (let index = 0; index < 12; index++) yield callChunk(index, args);
      yield chunk({}, "tool_calls");
      yield sse("[DONE]");
    }
    const sentences = () =>
      forever(chunk({ content: "I will try that " }), chunk({ content: "again. " }));
    const realModel = (url) => provider({ name: "local", baseURL: url, apiKey: "none" })("model-1");
    const openWith =
      (options = {}) =>
      (url, { signal }) =>
        streamText({ ...common, ...options, model: realModel(url), abortSignal: signal })
          .fullStream;

    test("a guarded fullStream that loops is stopped, and the request aborted", async () => {
      const seen = await guarded(sentences(), openWith(), streamAdapter());
      assertStopped(seen, "chanting_identical_sentences");
    });

    test("a guarded fullStream of the same call ends at the tenth", async () => {
      const inputSchema = jsonSchema({ type: "object", properties: {} });
      const tools = { run_command: tool({ description: "Runs.", inputSchema }) };
      const seen = await guarded(toolCalls('{"a":1}'), openWith({ tools }), streamAdapter());
      const called = seen.events.filter(({ type }) => type === "tool-call");
      assert.equal(called.length, 9);
      const said = seen.told.map(({ action, report }) => [action, report.type]);
      assert.deepEqual(said, [["stop", "consecutive_identical_tool_calls"]]);
      assert.ok(seen.aborted);
    });

    test("with the middleware, no call of an answer that loops is run", async () => {
      const server = await serveProvider(() => toolCalls('{"command":"npm test"}'));
      const middleware = loopMiddleware(new LoopDetector({ profile: "standard" }));
      const model = wrapLanguageModel({ model: realModel(server.url), middleware });
      const { ran, tools } = runs();
      const result = streamText({ ...common, model, tools, stopWhen: stepCountIs(1) });
      const parts = await collected(result.fullStream);
      await server.stop();
      assert.equal(ran.length, 0);
      const called = parts.filter(({ type }) => type === "tool-call");
      assert.equal(called.length, 9);
      const [last] = parts.filter(({ type }) => type === "finish-step");
      assert.equal(last.finishReason, "other");
      assert.equal(last.providerMetadata.turnkeeper.report.count, 10);
    });

    test("the middleware aborts a text that loops", async () => {
      const server = await serveProvider(sentences);
      const middleware = loopMiddleware(new LoopDetector({ profile: "standard" }));
      const model = wrapLanguageModel({ model: realModel(server.url), middleware });
      const result = streamText({ ...common, model });
      await collected(result.fullStream);
      assert.equal(await server.ending(), "aborted");
      await server.stop();
      assert.equal(await result.finishReason, "other");
    });

    test("however the bytes are cut, the same is observed", async () => {
      const inputSchema = jsonSchema({ type: "object", properties: {} });
      const tools = { run_command: tool({ description: "Runs.", inputSchema }) };
      const body = [
        chunk({ role: "assistant", reasoning_content: "思考 — look." }),
        chunk({ content: "Let me look " }),
        chunk({ content: "at 𝒳." }),
        callChunk(0, '{"path": "日本"}'),
        chunk({}, "tool_calls"),
        sse("[DONE]"),
      ];
      assert.deepEqual(await assertCutsDoNotMatter(body, openWith({ tools }), streamAdapter), [
        { type: "turn_started" },
        { type: "reasoning", text: "思考 — look." },
        { type: "text", text: "Let me look at 𝒳." },
        { type: "tool_call", id: "call_0", name: "run_command", args: { path: "日本" } },
        { type: "finished" },
      ]);
    });

    test("arguments that are no JSON are observed as a call and its error", async () => {
      const { ran, tools } = runs();
      const body = [callChunk(0, '{"path'), chunk({}, "tool_calls"), sse("[DONE]")];
      const server = await serveProvider(() => body);
      const open = openWith({ tools, stopWhen: stepCountIs(1) });
      const stream = open(server.url, new AbortController());
      const events = await observed(stream, streamAdapter());
      await server.stop();
      const types = events.map(({ type, isError = false }) => [type, isError]);
      assert.deepEqual(types, [
        ["turn_started", false],
        ["tool_call", false],
        ["tool_result", true],
        ["finished", false],
      ]);
      assert.equal(ran.length, 0);
    });

    test("JSON that is broken off is an error part of the SDK's", async () => {
      const body = [chunk({ content: "Let me" }), 'data: {"choices": [{"del\n\n'];
      const seen = await guarded(body, openWith(), streamAdapter());
      assert.equal(seen.error, undefined);
      assert.ok(seen.events.some(({ type }) => type === "error"));
      assert.equal(seen.aborted, false);
    });

    test("a connection that breaks is told as the SDK tells it", async () => {
      function* breaking() {
        yield chunk({ content: "Let me" });
        throw new Error("gone");
      }
      const seen = await guarded(breaking(), openWith(), streamAdapter());
      const told = seen.error ?? seen.events.find(({ type }) => type === "error")?.error;
      assert.ok(told instanceof Error);
      assert.equal(seen.aborted, false);
    });

    test("a host that aborts ends the stream without an error", async () => {
      function* counting() {
        for (let n = 0; ; n++) yield chunk({ content: `Line ${n}.\n` });
      }
      let count = 0;
      const seen = await guarded(counting(), openWith(), streamAdapter(), {
        onEvent: (event, abort) => ++count === 5 && abort.abort(),
      });
      assert.equal(seen.error, undefined);
      assert.deepEqual([seen.events.length, seen.ending], [5, "aborted"]);
    });
  });
}
