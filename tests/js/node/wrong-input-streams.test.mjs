// guardStream with arguments of the wrong type: a typed error that names the field.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { assertTyped } from "./typed-errors.mjs";
import { turnkeeper } from "./installed-package.mjs";
import { sameCalls, source, watched } from "./streams.mjs";

const { LoopDetector, guardStream } = turnkeeper;

describe("guardStream", () => {
  const detector = new LoopDetector({ profile: "standard" });
  const events = () => source(sameCalls(1));
  const wrong = [
    [undefined, detector, {}, "source"],
    [null, detector, {}, "source"],
    ["text", detector, {}, "source"],
    [sameCalls(1), detector, {}, "source"],
    [(function* () {})(), detector, {}, "source"],
    [{ [Symbol.asyncIterator]: 7 }, detector, {}, "source"],
    [events(), undefined, {}, "detector"],
    [events(), {}, {}, "detector"],
    [events(), LoopDetector, {}, "detector"],
    [events(), detector, null, "options"],
    [events(), detector, "p1", "options"],
    [events(), detector, { adapter: "gemini" }, "options.adapter"],
    [events(), detector, { onLoopDetected: 7 }, "options.onLoopDetected"],
    [events(), detector, {}, "options.onLoopDetected"],
    [events(), detector, { abort: true }, "options.abort"],
    [events(), detector, { abort: new AbortController().signal }, "options.abort"],
    [events(), detector, { abort: { abort() {}, signal: {} } }, "options.abort.signal"],
    [events(), detector, { abort: { abort() {} } }, "options.abort.signal"],
  ];
  wrong.forEach(([stream, own, options, field], index) => {
    test(`refuses wrong arguments ${index} at the call: ${field}`, () => {
      assertTyped(
        () => guardStream(stream, own, options),
        "invalid_argument",
        field,
        "guard_stream",
      );
    });
  });

  test("takes null for an option that there is none of", async () => {
    const none = { adapter: null, checkWithModel: null, abort: null };
    assert.equal((await watched(events(), detector, none).next()).done, false);
  });

  test("refuses a source whose iterator is none when it is read", async () => {
    for (const iterator of [undefined, null, 7, {}, { next: 7 }]) {
      const guarded = watched({ [Symbol.asyncIterator]: () => iterator }, detector);
      await assert.rejects(guarded.next(), {
        code: "invalid_argument",
        detail: { field: "source" },
      });
    }
    for (const result of [undefined, null, 7]) {
      const broken = { [Symbol.asyncIterator]: () => ({ next: async () => result }) };
      const guarded = watched(broken, detector);
      await assert.rejects(guarded.next(), {
        code: "invalid_argument",
        detail: { field: "source" },
      });
    }
  });

  test("tells of an adapter that gives no events", async () => {
    for (const mapped of [7, "text", {}, [7], [[]]]) {
      const calls = events();
      const guarded = watched(calls, detector, { adapter: () => mapped });
      await assert.rejects(guarded.next(), { code: "invalid_argument" });
      assert.equal(calls.log.returns, 1);
    }
  });
});
