// gemini-cli's service where its own tests say nothing; those run in tests/js/peers.

import assert from "node:assert/strict";
import { test } from "node:test";

import { load } from "./installed-package.mjs";

const { LoopDetectionService } = load("turnkeeper/replace/gemini-cli");

const { signal } = new AbortController();

/** What a host gives to the service; `answer` is what its models say. */
function host({ answer = () => ({}), history = [], isDisabled = () => false } = {}) {
  const requests = [];
  const config = {
    getDisableLoopDetection: isDisabled,
    getBaseLlmClient: () => ({
      generateJson: async (request) => {
        requests.push(request);
        return answer(request);
      },
    }),
    getModelAvailabilityService: () => ({ snapshot: () => ({ available: true }) }),
    modelConfigService: { getResolvedConfig: ({ model }) => ({ model: `${model}-resolved` }) },
  };
  return { context: { config, geminiClient: { getHistory: () => history } }, requests };
}

const called = (args, more) => ({
  type: "tool_call_request",
  value: { callId: "c", name: "read_file", args, ...more },
});

const stuck = { unproductive_state_confidence: 0.95, unproductive_state_analysis: "It circles." };

async function turns(service, count) {
  let last;
  for (let turn = 0; turn < count; turn++) last = await service.turnStarted(signal);
  return last;
}

test("the fifth identical call is found, and told in words for the model until it is cleared", () => {
  const logged = [];
  const loopDetected = (...event) => logged.push(event);
  const service = new LoopDetectionService(host().context, { loopDetected });
  service.reset("p1");
  const call = called({ path: "a.ts" });
  for (let time = 1; time < 5; time++) assert.deepEqual(service.addAndCheck(call), { count: 0 });
  const found = service.addAndCheck(call);
  assert.deepEqual(Object.keys(found), ["count", "type", "detail"]);
  assert.equal(found.type, "consecutive_identical_tool_calls");
  assert.match(found.detail, /read_file.*a\.ts/s);
  assert.deepEqual(service.addAndCheck({ type: "content", value: "x" }), found);
  assert.deepEqual(logged, [["consecutive_identical_tool_calls", "p1", 1]]);
  service.clearDetection();
  assert.deepEqual(service.addAndCheck({ type: "content", value: "x" }), { count: 0 });
  assert.equal(service.addAndCheck(call).count, 2);
});

test("what it answers is the host's to change", () => {
  const service = new LoopDetectionService(host().context);
  for (let time = 0; time < 5; time++) service.addAndCheck(called({}));
  service.addAndCheck(called({})).count = 7;
  assert.equal(service.addAndCheck(called({})).count, 1);
});

test("every reset is a new prompt, also one with the same id", () => {
  const service = new LoopDetectionService(host().context);
  for (let time = 0; time < 12; time++) {
    if (time % 4 === 0) service.reset("p1");
    assert.deepEqual(service.addAndCheck(called({ path: "a.ts" })), { count: 0 });
  }
});

test("calls that the user makes count, too, as they do for gemini-cli", () => {
  const service = new LoopDetectionService(host().context);
  const counts = [1, 2, 3, 4, 5].map(
    () => service.addAndCheck(called({}, { isClientInitiated: true })).count,
  );
  assert.deepEqual(counts, [0, 0, 0, 0, 1]);
});

test("arguments of any depth are compared", () => {
  const nested = (leaf) => {
    let args = { leaf };
    for (let level = 0; level < 500; level++) args = { args };
    return called(args);
  };
  const service = new LoopDetectionService(host().context);
  for (let time = 0; time < 20; time++) {
    assert.equal(service.addAndCheck(nested(time)).count, 0);
  }
  const counts = [1, 2, 3, 4, 5].map(() => service.addAndCheck(nested("x")).count);
  assert.deepEqual(counts, [0, 0, 0, 0, 1]);
});

test("while the settings say so, nothing counts", async () => {
  let isDisabled = true;
  const { context, requests } = host({ isDisabled: () => isDisabled });
  const service = new LoopDetectionService(context);
  for (let time = 0; time < 9; time++) service.addAndCheck(called({}));
  assert.deepEqual(await turns(service, 40), { count: 0 });
  isDisabled = false;
  assert.deepEqual(service.addAndCheck(called({})), { count: 0 });
  assert.equal(requests.length, 0);
});

test("two models are asked in the 30th turn, by the names and the schema of gemini-cli", async () => {
  const events = [];
  const history = [
    { role: "user", parts: [{ functionResponse: { name: "t" } }] },
    { role: "model", parts: [{ text: "I will look." }] },
    { role: "model", parts: [{ functionCall: { name: "t" } }] },
  ];
  const { context, requests } = host({ answer: () => stuck, history });
  const service = new LoopDetectionService(context, {
    loopDetected: (...event) => events.push(["loopDetected", ...event]),
    llmLoopCheck: (...event) => events.push(["llmLoopCheck", ...event]),
  });
  service.reset("p1", "Fix the build.");
  assert.deepEqual(await turns(service, 29), { count: 0 });
  assert.deepEqual(requests, []);
  const type = "llm_detected_loop";
  const confirmedByModel = "loop-detection-double-check-resolved";
  const detail = "It circles.";
  assert.deepEqual(await turns(service, 1), { count: 1, type, detail, confirmedByModel });
  // Who confirmed it is told once.
  assert.deepEqual(await turns(service, 1), { count: 1, type, detail });
  assert.deepEqual(
    requests.map(({ modelConfigKey }) => modelConfigKey.model),
    ["loop-detection", "loop-detection-double-check"],
  );
  for (const request of requests) {
    assert.equal(request.role, "utility_loop_detector");
    assert.equal(request.promptId, "p1");
    assert.equal(request.abortSignal, signal);
    assert.deepEqual(request.schema.required, Object.keys(request.schema.properties));
    assert.ok(request.schema.required.every((name) => name in stuck));
    const texts = request.contents.map(({ parts }) => parts[0].text);
    assert.match(texts[0], /^<original_user_request>\nFix the build\.\n</);
    assert.equal(texts[1], "I will look.");
    // What has no answer yet, or no call, is left out; the question is the last.
    assert.equal(texts.length, 3);
  }
  assert.deepEqual(events, [
    ["llmLoopCheck", "p1", 0.95, confirmedByModel, 0.95],
    ["loopDetected", type, "p1", 1, confirmedByModel, detail, 0.9],
  ]);
});

test("an answer about a prompt that is over is none about the next", async () => {
  let answer;
  const { context } = host({ answer: () => new Promise((resolve) => (answer = resolve)) });
  const service = new LoopDetectionService(context);
  service.reset("p1");
  await turns(service, 29);
  const asked = service.turnStarted(signal);
  service.reset("p2");
  answer(stuck);
  // The second model is asked; it answers, too.
  await new Promise(setImmediate);
  answer(stuck);
  assert.deepEqual(await asked, { count: 0 });
  assert.deepEqual(await service.turnStarted(signal), { count: 0 });
});

for (const [what, answer] of [
  ["fails", () => Promise.reject(new Error("quota"))],
  ["answers nothing", () => undefined],
  ["answers with words", () => ({ unproductive_state_confidence: "very" })],
  ["answers beyond certainty", () => ({ unproductive_state_confidence: 7 })],
]) {
  test(`a model that ${what} has found no loop`, async () => {
    const { context, requests } = host({ answer });
    const service = new LoopDetectionService(context);
    assert.deepEqual(await turns(service, 35), { count: 0 });
    assert.ok(requests.length > 0);
  });
}

test("a service that was disposed of says so", async () => {
  const service = new LoopDetectionService(host().context);
  service.dispose();
  assert.throws(() => service.addAndCheck(called({})), { code: "disposed" });
  await assert.rejects(service.turnStarted(signal), { code: "disposed" });
});
