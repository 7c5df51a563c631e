// Cline's loop tracker by its public interface: the functions over a state of the host's, and the class.

import assert from "node:assert/strict";
import { test } from "node:test";

import { load } from "./installed-package.mjs";
import { random, seed } from "./random.mjs";

const {
  LoopDetectionTracker,
  checkRepeatedToolCall,
  createLoopDetectionState,
  resetLoopDetectionState,
  toolCallSignature,
} = load("turnkeeper/replace/cline");

const CONFIG = { softThreshold: 3, hardThreshold: 5 };
const times = (count, call) => Array.from({ length: count }, () => call);
const kinds = (tracker, calls) => calls.map((call) => tracker.inspect(call).kind);

test("the third identical call is a warning, the fifth and all after it end the run", () => {
  const call = { name: "read_files", input: { paths: ["a.ts"] } };
  const expected = ["ok", "ok", "soft", "ok", "hard", "hard", "hard"];
  assert.deepEqual(kinds(new LoopDetectionTracker(), times(7, call)), expected);
});

test("another tool or another input starts the count again", () => {
  const [a, b, c] = [
    { name: "t", input: { p: 1 } },
    { name: "t", input: { p: 2 } },
    { name: "u", input: { p: 2 } },
  ];
  const tracker = new LoopDetectionTracker({ softThreshold: 2, hardThreshold: 3 });
  assert.deepEqual(kinds(tracker, [a, a, b, b, c, a]), ["ok", "soft", "ok", "soft", "ok", "ok"]);
  // Also after the end, for the host may go on.
  assert.deepEqual(kinds(tracker, [a, a, a, b]), ["soft", "hard", "hard", "ok"]);
});

test("a message names the tool and the count, and an ok verdict has none", () => {
  const tracker = new LoopDetectionTracker();
  const verdicts = times(6, { name: "poll", input: {} }).map((call) => tracker.inspect(call));
  assert.deepEqual(verdicts[0], { kind: "ok" });
  assert.match(verdicts[2].message, /3 consecutive identical calls to `poll`/);
  assert.match(verdicts[5].message, /6 consecutive identical calls to `poll`/);
  for (const verdict of verdicts) assert.equal("message" in verdict, verdict.kind !== "ok");
});

test("after a reset the count starts again", () => {
  const tracker = new LoopDetectionTracker();
  const five = times(5, { name: "t", input: "x" });
  const expected = ["ok", "ok", "soft", "ok", "hard"];
  assert.deepEqual(kinds(tracker, five), expected);
  tracker.reset();
  assert.deepEqual(kinds(tracker, five), expected);
  // Also in the middle of a run.
  tracker.reset();
  kinds(tracker, five.slice(0, 2));
  tracker.reset();
  assert.deepEqual(kinds(tracker, five), expected);
});

test("inputs are the same if their signatures are", () => {
  const groups = [
    [undefined, null, "null"],
    [1, "1"],
    [true, "true"],
    [{ a: 1 }, '{"a":1}'],
    [
      { b: [{ d: 1, c: 2 }], a: 3 },
      { a: 3, b: [{ c: 2, d: 1 }] },
    ],
    [[1, 2], "[1,2]"],
    [{ a: undefined }, {}, "{}"],
    [""],
    [[], "[]"],
    [{ task_progress: "1/2" }],
    [{ task_progress: "2/2" }],
    [JSON.parse('{"__proto__":1}')],
  ];
  groups.forEach((group, place) => {
    for (const input of group) {
      for (const [other, inputs] of groups.entries()) {
        for (const second of inputs) {
          const tracker = new LoopDetectionTracker({ softThreshold: 2, hardThreshold: 9 });
          const calls = [input, second].map((input) => ({ name: "t", input }));
          const expected = other === place ? "soft" : "ok";
          assert.equal(kinds(tracker, calls)[1], expected, JSON.stringify(calls));
          assert.equal(toolCallSignature(input) === toolCallSignature(second), other === place);
          tracker.dispose();
        }
      }
    }
  });
});

test("a signature is JSON with sorted keys, a text is its own", () => {
  assert.equal(
    toolCallSignature({ b: { d: 1, c: [2, null] }, a: "x" }),
    '{"a":"x","b":{"c":[2,null],"d":1}}',
  );
  assert.equal(toolCallSignature("ls -l"), "ls -l");
  assert.equal(toolCallSignature(undefined), "null");
  assert.equal(toolCallSignature(null), "null");
});

test("no input makes a signature throw", () => {
  const cyclic = {};
  cyclic.self = cyclic;
  let deep = {};
  for (let level = 0; level < 100_000; level++) deep = { deep };
  for (const input of [cyclic, deep, { big: 1n }, 1n, Symbol("s"), () => 1, Number.NaN]) {
    assert.equal(typeof toolCallSignature(input), "string");
    new LoopDetectionTracker().inspect({ name: "t", input });
  }
});

test("the state is a plain object that the host may save", () => {
  let state = createLoopDetectionState();
  assert.deepEqual(state, {
    lastToolName: "",
    lastToolSignature: "",
    consecutiveIdenticalCount: 0,
  });
  const check = () => checkRepeatedToolCall(state, "t", toolCallSignature({ a: 1 }), CONFIG);
  assert.deepEqual(check(), { softWarning: false, hardEscalation: false });
  assert.deepEqual(state, {
    lastToolName: "t",
    lastToolSignature: '{"a":1}',
    consecutiveIdenticalCount: 1,
  });
  check();
  state = JSON.parse(JSON.stringify(state));
  assert.deepEqual(check(), { softWarning: true, hardEscalation: false });
  assert.deepEqual(check(), { softWarning: false, hardEscalation: false });
  assert.deepEqual(check(), { softWarning: false, hardEscalation: true });
  assert.deepEqual(check(), { softWarning: false, hardEscalation: true });
  resetLoopDetectionState(state);
  assert.deepEqual(state, createLoopDetectionState());
});

const pick = (items) => items[random(items.length)];

test("the class and the functions agree on random calls, whatever the thresholds", () => {
  const thresholds = [1, 2, 3, 5, 0, -1, 2.5, Number.NaN, Infinity];
  for (let round = 0; round < 300; round++) {
    const config = { softThreshold: pick(thresholds), hardThreshold: pick(thresholds) };
    const tracker = new LoopDetectionTracker(config);
    const state = createLoopDetectionState();
    for (let step = 0; step < 40; step++) {
      const call = {
        name: pick(["t", "t", "t", "u"]),
        input: pick([1, "1", "1", { a: 1 }, '{"a":1}', null]),
      };
      const { softWarning, hardEscalation } = checkRepeatedToolCall(
        state,
        call.name,
        toolCallSignature(call.input),
        config,
      );
      const expected = hardEscalation ? "hard" : softWarning ? "soft" : "ok";
      const message = `seed ${seed}, round ${round}, call ${step}`;
      assert.equal(tracker.inspect(call).kind, expected, message);
      if (random(20) === 0) {
        tracker.reset();
        resetLoopDetectionState(state);
      }
    }
    tracker.dispose();
  }
});

test("a tracker that was disposed of says so", () => {
  const tracker = new LoopDetectionTracker();
  tracker.dispose();
  assert.throws(() => tracker.inspect({ name: "t", input: {} }), { code: "disposed" });
});
