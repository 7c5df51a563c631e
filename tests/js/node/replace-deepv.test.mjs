// DeepV Code's service by its public interface.

import assert from "node:assert/strict";
import { test } from "node:test";

import { load } from "./installed-package.mjs";
import { random, seed } from "./random.mjs";

const { LoopDetectionService } = load("turnkeeper/replace/deepv");

const { signal } = new AbortController();
const STABLE = "gemini-2.0-flash";
const PREVIEW = "gemini-3-pro-Preview";

/** What a host gives to the service; `answer` is what its server says. */
function host({ answer = () => ({}), history = [], model = STABLE } = {}) {
  const requests = [];
  const config = {
    model,
    getModel: () => config.model,
    getGeminiClient: () => ({
      getHistory: () => history,
      getContentGenerator: () => ({
        generateContent: async (...request) => {
          requests.push(request);
          return answer(...request);
        },
      }),
    }),
  };
  return { config, requests };
}

const called = (name, args) => ({
  type: "tool_call_request",
  value: { callId: "c", name, args, isClientInitiated: false, prompt_id: "p" },
});
const said = (value) => ({ type: "content", value });

/** How many times an event must come until a loop is found; 0 if it is not in a hundred. */
function timesUntilFound(service, event) {
  for (let time = 1; time <= 100; time++) if (service.addAndCheck(event(time))) return time;
  return 0;
}

async function turns(service, count) {
  const answers = [];
  for (let turn = 0; turn < count; turn++) answers.push(await service.turnStarted(signal));
  return answers;
}

const sure = { confidence: 0.95, reasoning: "It circles." };
const asText = (text) => ({ candidates: [{ content: { role: "model", parts: [{ text }] } }] });

test("the tenth identical call is found, told once, and stays found until the next prompt", () => {
  const told = [];
  const { config } = host();
  const service = new LoopDetectionService(config, { loopDetected: (...what) => told.push(what) });
  service.reset("p1");
  assert.equal(service.getDetectedLoopType(), null);
  assert.equal(
    timesUntilFound(service, () => called("t", { a: 1 })),
    10,
  );
  assert.equal(service.getDetectedLoopType(), "consecutive_identical_tool_calls");
  assert.equal(service.addAndCheck(called("other", {})), true);
  assert.equal(service.addAndCheck(said("x")), true);
  assert.deepEqual(told, [["consecutive_identical_tool_calls", "p1"]]);
  service.reset("p1");
  assert.equal(service.getDetectedLoopType(), null);
  assert.equal(service.addAndCheck(called("t", { a: 1 })), false);
});

test("without a reset, what is found is found all the same", () => {
  const service = new LoopDetectionService({ getModel: () => STABLE });
  assert.equal(
    timesUntilFound(service, () => called("t", {})),
    10,
  );
});

test("the order of keys counts, as it does for DeepV Code; other events and text do not", () => {
  const service = new LoopDetectionService(host().config);
  service.reset("p");
  const orders = [called("t", { a: 1, b: 2 }), called("t", { b: 2, a: 1 })];
  assert.equal(
    timesUntilFound(service, (time) => orders[time % 2]),
    0,
  );
  for (let time = 1; time < 10; time++) {
    assert.equal(service.addAndCheck(called("t", {})), false);
    assert.equal(service.addAndCheck(said("Again.")), false);
    assert.equal(service.addAndCheck({ type: "thought", value: { subject: "s" } }), false);
    assert.equal(service.addAndCheck({ type: "unknown" }), false);
  }
  assert.equal(service.addAndCheck(called("t", {})), true);
});

test("arguments of any depth are compared", () => {
  const nested = (leaf) => {
    let args = { leaf };
    for (let level = 0; level < 500; level++) args = { args };
    return called("t", args);
  };
  const service = new LoopDetectionService(host().config);
  assert.equal(timesUntilFound(service, nested), 0);
  assert.equal(
    timesUntilFound(service, () => nested("x")),
    10,
  );
});

for (const [what, model, tool, options, times] of [
  ["a preview model's tool", PREVIEW, "read_file", {}, 32],
  ["a preview model's tool at the host's own number", PREVIEW, "shell", { monitoredCalls: 12 }, 12],
  ["a preview model's tool, switched off", PREVIEW, "glob", { monitoredCalls: false }, 0],
  ["a preview model's tool that is not monitored", PREVIEW, "task", {}, 0],
  ["another model's tool", STABLE, "read_file", {}, 0],
]) {
  test(`${what}, whatever the arguments: found after ${times} calls`, () => {
    const service = new LoopDetectionService(host({ model }).config, options);
    service.reset("p");
    assert.equal(
      timesUntilFound(service, (time) => called(tool, { time })),
      times,
    );
  });
}

test("another tool in between starts a preview model's run again", () => {
  const service = new LoopDetectionService(host({ model: PREVIEW }).config);
  service.reset("p");
  const tool = (time) => (time % 32 === 0 ? "replace" : "ls");
  assert.equal(
    timesUntilFound(service, (time) => called(tool(time), { time })),
    0,
  );
});

test("the model is read with each prompt", () => {
  const { config } = host({ model: PREVIEW });
  const service = new LoopDetectionService(config);
  const call = (time) => called("ls", { time });
  service.reset("p1");
  assert.equal(timesUntilFound(service, call), 32);
  config.model = STABLE;
  service.reset("p2");
  assert.equal(timesUntilFound(service, call), 0);
});

test("text that goes on and on is found, unless it is a ruled line", () => {
  const service = new LoopDetectionService(host().config);
  service.reset("p");
  assert.equal(
    timesUntilFound(service, () => said("-=".repeat(250))),
    0,
  );
  service.addAndCheck(called("t", {}));
  assert.ok(timesUntilFound(service, () => said("I will look at the file now. ".repeat(20))) > 0);
  assert.equal(service.getDetectedLoopType(), "chanting_identical_sentences");
});

test("a call in between starts the text afresh", () => {
  const service = new LoopDetectionService(host().config);
  service.reset("p");
  for (let round = 0; round < 40; round++) {
    assert.equal(service.addAndCheck(said("I will look at the file. ".repeat(12))), false);
    assert.equal(service.addAndCheck(called("t", { round })), false);
  }
});

for (const [what, answer] of [
  ["as a value", sure],
  ["as a response with JSON", asText(JSON.stringify(sure))],
  ["as a response that gives its JSON as a text", { text: JSON.stringify(sure) }],
]) {
  test(`the model is asked in the 30th turn, and believed when it is sure: ${what}`, async () => {
    const told = [];
    const history = Array.from({ length: 25 }, (_, at) => ({
      role: "model",
      parts: [{ text: `Message ${at}` }],
    }));
    const { config, requests } = host({ answer: () => answer, history });
    const service = new LoopDetectionService(config, { loopDetected: (...it) => told.push(it) });
    service.reset("p1");
    const answers = await turns(service, 31);
    assert.deepEqual(answers.map((found) => (found ? 1 : 0)).join(""), "0".repeat(29) + "11");
    assert.equal(service.getDetectedLoopType(), "llm_detected_loop");
    assert.equal(service.addAndCheck(said("x")), true);
    assert.deepEqual(told, [["llm_detected_loop", "p1"]]);
    assert.equal(requests.length, 1);
    const [{ contents, config: settings }, scene] = requests[0];
    assert.equal(scene, "json_generation");
    assert.equal(settings.abortSignal, signal);
    assert.equal(settings.responseMimeType, "application/json");
    assert.equal(settings.httpOptions.headers["X-Scene-Type"], "json_generation");
    assert.deepEqual(contents.slice(0, -1), history.slice(-20));
    assert.equal(contents.at(-1).role, "user");
    assert.match(contents.at(-1).parts[0].text, /"confidence"/);
  });
}

test("a model that is sure of progress is asked less often", async () => {
  const { config, requests } = host({ answer: () => ({ confidence: 0, reasoning: "" }) });
  const service = new LoopDetectionService(config);
  service.reset("p");
  await turns(service, 44);
  assert.equal(requests.length, 1);
  await turns(service, 1);
  assert.equal(requests.length, 2);
});

for (const [what, answer] of [
  ["fails", () => Promise.reject(new Error("quota"))],
  ["answers nothing", () => undefined],
  ["answers with prose", () => asText("I am not sure.")],
  ["answers with words", () => ({ confidence: "very" })],
  ["is not sure enough", () => ({ confidence: 0.9, reasoning: "" })],
]) {
  test(`a model that ${what} has found no loop`, async () => {
    const { config, requests } = host({ answer });
    const service = new LoopDetectionService(config);
    service.reset("p");
    assert.ok(!(await turns(service, 36)).includes(true));
    assert.ok(requests.length > 0);
  });
}

test("an answer about a prompt that is over is none about the next", async () => {
  let answer;
  const { config } = host({ answer: () => new Promise((resolve) => (answer = resolve)) });
  const service = new LoopDetectionService(config);
  service.reset("p1");
  await turns(service, 29);
  const asked = service.turnStarted(signal);
  service.reset("p2");
  answer(sure);
  assert.equal(await asked, false);
  assert.equal(service.getDetectedLoopType(), null);
});

test("a number that is none, and a service that was disposed of, are told", async () => {
  const { config } = host();
  assert.throws(() => new LoopDetectionService(config, { monitoredCalls: -1 }), {
    code: "invalid_config",
  });
  const service = new LoopDetectionService(config);
  service.dispose();
  assert.throws(() => service.reset("p"), { code: "disposed" });
  assert.throws(() => service.addAndCheck(called("t", {})), { code: "disposed" });
  await assert.rejects(service.turnStarted(signal), { code: "disposed" });
});

test("random calls are found as a naive count finds them", () => {
  const pick = (items) => items[random(items.length)];
  for (let round = 0; round < 100; round++) {
    const model = pick([PREVIEW, STABLE]);
    const service = new LoopDetectionService(host({ model }).config);
    service.reset("p");
    const naive = new NaiveService(model === PREVIEW);
    // A run is likely, and so is its end.
    let call = ["ls", 0];
    for (let index = 0; index < 120; index++) {
      if (random(20) === 0) call = [pick(["ls", "shell", "task"]), random(2)];
      if (random(3) === 0) call = [call[0], random(50)];
      const message = `seed ${seed}, round ${round}, call ${index}`;
      const [name, path] = call;
      assert.equal(service.addAndCheck(called(name, { path })), naive.finds(name, path), message);
    }
    service.dispose();
  }
});

/** What is promised of calls, in the fewest words. */
class NaiveService {
  calls = [];
  found = false;

  constructor(isPreview) {
    this.isPreview = isPreview;
  }

  finds(name, path) {
    this.calls.push([name, path]);
    const isRun = (length, matches) =>
      this.calls.length >= length && this.calls.slice(-length).every(matches);
    const isMonitored = name === "ls" || name === "shell";
    this.found ||=
      isRun(10, ([tool, at]) => tool === name && at === path) ||
      (this.isPreview && isMonitored && isRun(32, ([tool]) => tool === name));
    return this.found;
  }
}
