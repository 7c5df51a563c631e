// Roo Code's detector by its public interface: what it blocks, what makes two calls the same, and what
// no input may do to it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { load } from "./installed-package.mjs";
import { random, seed } from "./random.mjs";

const { ToolRepetitionDetector } = load("turnkeeper/replace/roo");

const block = (name, params = {}, nativeArgs = undefined) => ({
  type: "tool_use",
  name,
  params,
  partial: false,
  ...(nativeArgs !== undefined && { nativeArgs }),
});

/** Whether each call in turn may run. */
const allowed = (detector, blocks) => blocks.map((call) => detector.check(call).allowExecution);
const times = (count, call) => Array.from({ length: count }, () => call);

/** Whether the second of two calls counts as the first again. */
const isSame = (first, second) => !allowed(new ToolRepetitionDetector(1), [first, second])[1];

test("without a limit, the fourth identical call is blocked, and counting starts again", () => {
  const detector = new ToolRepetitionDetector();
  const call = block("read_file", { path: "a.ts" });
  const round = [true, true, true, false];
  assert.deepEqual(allowed(detector, times(8, call)), [...round, ...round]);
});

test("what it answers has no more than Roo Code reads", () => {
  const detector = new ToolRepetitionDetector(1);
  assert.deepEqual(detector.check(block("list_files")), { allowExecution: true });
  const { askUser, ...rest } = detector.check(block("list_files"));
  assert.deepEqual(rest, { allowExecution: false });
  assert.deepEqual(Object.keys(askUser), ["messageKey", "messageDetail"]);
  assert.equal(askUser.messageKey, "mistake_limit_reached");
  assert.match(askUser.messageDetail, /list_files/);
});

test("the host's translation is what the user is asked", () => {
  const detector = new ToolRepetitionDetector(1, (toolName) => `${toolName} se répète`);
  detector.check(block("list_files"));
  assert.equal(detector.check(block("list_files")).askUser.messageDetail, "list_files se répète");
});

for (const limit of [0, -1, Number.NaN, Infinity, 1e300]) {
  test(`a limit of ${limit} never blocks`, () => {
    const all = allowed(new ToolRepetitionDetector(limit), times(200, block("t")));
    assert.ok(all.every(Boolean));
  });
}

for (const [limit, last] of [
  [1, 1],
  [2, 2],
  [2.5, 3],
  [7, 7],
]) {
  test(`with a limit of ${limit}, ${last} identical calls may run`, () => {
    const all = allowed(new ToolRepetitionDetector(limit), times(last + 1, block("t")));
    assert.deepEqual(all, [...times(last, true), false]);
  });
}

test("another call in between starts the count again", () => {
  const [a, b] = [block("t", { path: "a" }), block("t", { path: "b" })];
  const detector = new ToolRepetitionDetector(2);
  assert.deepEqual(allowed(detector, [a, a, b, a, a, a]), [...times(5, true), false]);
});

test("scrolling counts like any other call", () => {
  const scroll = block("browser_action", { action: "scroll_down" });
  const all = allowed(new ToolRepetitionDetector(3), times(5, scroll));
  assert.deepEqual(all, [true, true, true, false, true]);
});

for (const [what, first, second] of [
  ["keys in another order", block("t", { a: "1", b: "2" }), block("t", { b: "2", a: "1" })],
  [
    "keys in another order, deep in an array of nativeArgs",
    block("t", {}, { files: [{ path: "a", line: 1 }] }),
    block("t", {}, { files: [{ line: 1, path: "a" }] }),
  ],
  ["empty nativeArgs and none", block("t", { a: "1" }, {}), block("t", { a: "1" })],
  ["an empty array of nativeArgs and none", block("t", {}, []), block("t", {})],
  ["a parameter that is undefined and none", block("t", { a: undefined }), block("t", {})],
  ["partial and whole", { ...block("t"), partial: true }, block("t")],
  [
    "__proto__ as a key",
    block("t", JSON.parse('{"__proto__":1,"a":2}')),
    block("t", JSON.parse('{"a":2,"__proto__":1}')),
  ],
]) {
  test(`the same call: ${what}`, () => {
    assert.equal(isSame(first, second), true);
    assert.equal(isSame(second, first), true);
  });
}

for (const [what, first, second] of [
  ["another tool", block("a", { p: "1" }), block("b", { p: "1" })],
  ["another value", block("t", { p: "1" }), block("t", { p: "2" })],
  ["a number and its text", block("t", { p: 1 }), block("t", { p: "1" })],
  [
    "files in another order",
    block("t", {}, { files: ["a", "b"] }),
    block("t", {}, { files: ["b", "a"] }),
  ],
  ["no params and empty params", { type: "tool_use", name: "t" }, block("t")],
  ["nativeArgs and params", block("t", {}, { p: "1" }), block("t", { p: "1" })],
  ["__proto__ and none", block("t", JSON.parse('{"__proto__":1}')), block("t", {})],
]) {
  test(`not the same call: ${what}`, () => {
    assert.equal(isSame(first, second), false);
    assert.equal(isSame(second, first), false);
  });
}

test("no parameters make it throw that Roo Code takes", () => {
  const cyclic = { name: "loop" };
  cyclic.self = cyclic;
  let deep = {};
  for (let level = 0; level < 500; level++) deep = { deep };
  const shared = { x: 1 };
  for (const params of [cyclic, deep, { big: 10n }, { lone: "\ud800" }, { at: new Date(0) }]) {
    assert.equal(isSame(block("t", params), block("t", params)), true);
  }
  // An object that occurs twice is no cycle.
  const twice = block("t", { a: shared, b: shared });
  assert.equal(isSame(twice, block("t", { a: { x: 1 }, b: { x: 1 } })), true);
});

test("a subclass may say what makes two calls the same", () => {
  class ByName extends ToolRepetitionDetector {
    serializeToolUse({ name }) {
      return name;
    }
  }
  const calls = [block("t", { p: "1" }), block("t", { p: "2" }), block("t", { p: "3" })];
  assert.deepEqual(allowed(new ByName(2), calls), [true, true, false]);
});

test("a detector that was disposed of says so", () => {
  const detector = new ToolRepetitionDetector();
  detector.dispose();
  detector.dispose();
  assert.throws(() => detector.check(block("t")), { code: "disposed" });
});

const pick = (items) => items[random(items.length)];

test("random calls are blocked as a naive count would", () => {
  for (let round = 0; round < 200; round++) {
    const limit = random(5);
    const detector = new ToolRepetitionDetector(limit);
    const naive = new NaiveDetector(limit);
    for (let call = 0; call < 60; call++) {
      const key = pick(["a", "b", "{}", "__proto__"]);
      const made = block(pick(["t", "t", "u"]), { [key]: pick(["1", "1", "2"]) });
      const message = `seed ${seed}, round ${round}, call ${call}`;
      assert.equal(detector.check(made).allowExecution, naive.allows(made), message);
    }
    detector.dispose();
  }
});

/** What `check` promises, in the fewest words; its calls have one parameter, so nothing is sorted. */
class NaiveDetector {
  repeats = 0;

  constructor(limit) {
    this.limit = limit;
  }

  allows({ name, params }) {
    const call = JSON.stringify([name, params]);
    this.repeats = call === this.last ? this.repeats + 1 : 0;
    this.last = call;
    if (this.limit === 0 || this.repeats < this.limit) return true;
    this.last = undefined;
    return false;
  }
}
