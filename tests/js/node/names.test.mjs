// The names in a stack trace.

import assert from "node:assert/strict";
import { test } from "node:test";

import { turnkeeper } from "./installed-package.mjs";

test("what is exported has its name", () => {
  const exported = Object.entries(turnkeeper).filter(([, value]) => typeof value === "function");
  assert.ok(exported.length > 10, `${exported.length} functions and classes`);
  for (const [name, value] of exported) assert.equal(value.name, name);
});

test("a stack trace tells class, method and function", () => {
  const { LoopDetector, dedupeHistory } = turnkeeper;
  const traceOf = (call) => {
    try {
      call();
    } catch (error) {
      return error.stack;
    }
    return assert.fail("it should have thrown");
  };
  const detector = new LoopDetector();
  assert.match(
    traceOf(() => detector.observe(null)),
    /^TurnkeeperError: loop_detector: .*\n(?:.*\n)*? +at LoopDetector\.observe \(.*:\d+:\d+\)\n/,
  );
  assert.match(
    traceOf(() => dedupeHistory(null)),
    /\n +at dedupeHistory \(/,
  );
});
