// A panic inside the module, which the quick package makes reachable on purpose.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import path from "node:path";
import { test } from "node:test";

const { TURNKEEPER_APP: app, TURNKEEPER_PANIC_PROBE: isReachable } = process.env;
const call = (name, args = {}) => ({ type: "tool_call", name, args });

test(
  "a panic poisons one object and no other",
  { skip: !isReachable && "no package that can panic" },
  () => {
    const require = createRequire(path.join(path.resolve(app), "from-here.cjs"));
    const { LoopDetector, TurnkeeperError } = require("turnkeeper");
    const isPoisoned = (error) =>
      error instanceof TurnkeeperError &&
      error.code === "poisoned" &&
      error.machine === "loop_detector" &&
      /a panic on purpose/.test(error.message) &&
      /a panic on purpose/.test(error.detail.panic);

    const other = new LoopDetector({ identicalCalls: 3 });
    other.observe(call("build"));
    // Often enough that a stack which did not recover would run out.
    for (let round = 0; round < 2_000; round++) {
      const hit = new LoopDetector();
      hit.observe(call("fine"));
      const saved = hit.snapshot();
      assert.throws(() => hit.observe(call("panic")), isPoisoned);
      // It says so for ever after, whatever is asked of it.
      assert.throws(() => hit.observe(call("fine")), isPoisoned);
      assert.throws(() => hit.verdict, isPoisoned);
      assert.throws(() => hit.snapshot(), isPoisoned);
      hit.dispose();
      hit.dispose();
      LoopDetector.restore(saved).dispose();
    }
    assert.equal(other.observe(call("build")).action, "ok");
    assert.equal(other.observe(call("build")).action, "stop");
    assert.equal(new LoopDetector().observe(call("fine")).action, "ok");
  },
);
