import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { turnkeeper } from "./installed-package.mjs";
import {
  collect,
  sameCall,
  sameCalls,
  scripted,
  settle,
  source,
  text,
  ending,
} from "./streams.mjs";

const { LoopDetector, guardStream } = turnkeeper;

describe("events", () => {
  test("pass through as the same objects, whatever their shape", async () => {
    const own = [{ kind: "delta", body: "a" }, null, undefined, 7, Object.freeze({ frozen: true })];
    const out = await collect(
      guardStream(source(own), new LoopDetector({ profile: "standard" }), {
        adapter: () => undefined,
      }),
    );
    assert.equal(out.length, own.length);
    out.forEach((event, index) => assert.equal(event, own[index]));
  });

  test("an event with a then is not awaited", async () => {
    const odd = { then: (resolve) => resolve("unwrapped") };
    const guarded = guardStream(source([odd]), new LoopDetector({ profile: "standard" }), {
      adapter: () => undefined,
    });
    assert.equal((await guarded.next()).value, odd);
  });

  test("of an adapter that gives several are observed in order, and the rest not behind a stop", async () => {
    const { detector, observed } = scripted("ok", "ok", "stop");
    const parts = [text("a"), text("b"), text("c"), text("d")];
    const out = await collect(guardStream(source(["chunk"]), detector, { adapter: () => parts }));
    assert.deepEqual(observed, parts.slice(0, 3));
    assert.deepEqual(out, [
      { type: "loop_detected", verdict: { action: "stop", report: { count: 3 } } },
    ]);
  });

  test("that the adapter has nothing for are not observed", async () => {
    const { detector, observed } = scripted();
    const adapter = (event) => [undefined, null, []][event];
    assert.deepEqual(
      await collect(guardStream(source([0, 1, 2]), detector, { adapter })),
      [0, 1, 2],
    );
    assert.deepEqual(observed, []);
  });

  test("are read one at a time, only when one is asked for", async () => {
    const slow = source([text("a"), text("b"), text("c")]);
    const guarded = guardStream(slow, new LoopDetector({ profile: "standard" }), {});
    await settle();
    assert.deepEqual(slow.log, { opened: 0, reads: 0, returns: 0 });
    for (const reads of [1, 2, 3]) {
      await guarded.next();
      await settle();
      assert.equal(slow.log.reads, reads);
    }
    assert.equal((await guarded.next()).done, true);
    assert.equal(slow.log.returns, 0, "a source that ended is not closed again");
  });

  test("come in order to a consumer that does not wait for them", async () => {
    const guarded = guardStream(
      source(["a", "b"].map(text)),
      new LoopDetector({ profile: "standard" }),
      {},
    );
    const results = await Promise.all([
      guarded.next(),
      guarded.next(),
      guarded.next(),
      guarded.next(),
    ]);
    assert.deepEqual(
      results.map(({ value, done }) => value?.text ?? done),
      ["a", "b", true, true],
    );
  });

  test("reach consumers of a ReadableStream as source", async () => {
    let cancelled = false;
    const stream = new ReadableStream({
      pull: (controller) => controller.enqueue(sameCall()),
      cancel: () => void (cancelled = true),
    });
    const out = await collect(guardStream(stream, new LoopDetector({ profile: "standard" }), {}));
    assert.equal(out.length, 10);
    assert.equal(out[9].type, "loop_detected");
    assert.equal(cancelled, true);
  });
});

describe("on a stop", () => {
  test("the event that fired is held back, one loop_detected is last, and nothing more is read", async () => {
    const calls = source(sameCalls(30));
    const abort = new AbortController();
    const out = await collect(
      guardStream(calls, new LoopDetector({ profile: "standard" }), { abort }),
    );
    assert.deepEqual(out.slice(0, 9), sameCalls(9));
    assert.equal(out.length, 10);
    assert.equal(out[9].type, "loop_detected");
    assert.equal(out[9].verdict.action, "stop");
    assert.equal(out[9].verdict.report.type, "consecutive_identical_tool_calls");
    assert.deepEqual(calls.log, { opened: 1, reads: 10, returns: 1 });
    assert.equal(abort.signal.aborted, true);
  });

  test("the host is told first, then its controller is aborted, then the source is closed", async () => {
    const order = [];
    const abort = new AbortController();
    abort.signal.addEventListener("abort", () => order.push("abort"));
    const calls = source(sameCalls(30), {
      onReturn: async () => {
        order.push("return");
        return { done: true, value: undefined };
      },
    });
    for await (const event of guardStream(calls, new LoopDetector({ profile: "standard" }), {
      abort,
    })) {
      if (abort.signal.aborted) break;
      if (event.type === "loop_detected") order.push("told");
    }
    order.push("end");
    assert.deepEqual(order, ["told", "abort", "return", "end"]);
  });

  test("a consumer that leaves at loop_detected gets the same", async () => {
    const calls = source(sameCalls(30));
    const abort = new AbortController();
    for await (const event of guardStream(calls, new LoopDetector({ profile: "standard" }), {
      abort,
    })) {
      if (event.type === "loop_detected") break;
    }
    assert.equal(abort.signal.aborted, true);
    assert.equal(calls.log.returns, 1);
  });

  test("a consumer that takes its time over loop_detected does not keep the source open", async () => {
    const calls = source(sameCalls(30));
    const abort = new AbortController();
    for await (const event of guardStream(calls, new LoopDetector({ profile: "standard" }), {
      abort,
    })) {
      if (event.type !== "loop_detected") continue;
      assert.equal(abort.signal.aborted, false);
      await settle();
      assert.equal(abort.signal.aborted, true);
      assert.equal(calls.log.returns, 1);
    }
    assert.equal(calls.log.returns, 1);
  });

  test("a consumer that never asks again does not keep the source open", async () => {
    const calls = source(sameCalls(30));
    const guarded = guardStream(calls, new LoopDetector({ profile: "standard" }), {});
    for (let count = 0; count < 10; count += 1) await guarded.next();
    await settle();
    assert.equal(calls.log.returns, 1);
  });

  test("a source whose return() never answers, rejects, throws or is missing does not matter", async () => {
    const endings = [
      () => new Promise(() => {}),
      () => Promise.reject(new Error("closing failed")),
      () => {
        throw new Error("closing threw");
      },
      () => undefined,
    ];
    for (const onReturn of endings) {
      const out = await ending(
        collect(
          guardStream(
            source(sameCalls(30), { onReturn }),
            new LoopDetector({ profile: "standard" }),
            {},
          ),
        ),
      );
      assert.equal(out.at(-1).type, "loop_detected");
    }
    const bare = { [Symbol.asyncIterator]: () => ({ next: async () => ({ value: sameCall() }) }) };
    assert.equal(
      (await collect(guardStream(bare, new LoopDetector({ profile: "standard" }), {}))).length,
      10,
    );
  });

  test("a source that closes slowly has closed when the stream ends", async () => {
    let closed = false;
    async function* calls() {
      try {
        yield* sameCalls(30);
      } finally {
        // No timer, for a busy machine may be late by more than the stream waits.
        for (let tick = 0; tick < 100; tick++) await undefined;
        closed = true;
      }
    }
    await collect(guardStream(calls(), new LoopDetector({ profile: "standard" }), {}));
    assert.equal(closed, true);
  });

  test("an error of the source after our own abort is nobody's", async () => {
    const abort = new AbortController();
    async function* calls() {
      try {
        yield* sameCalls(30);
      } finally {
        if (abort.signal.aborted) throw abort.signal.reason;
      }
    }
    const out = await collect(
      guardStream(calls(), new LoopDetector({ profile: "standard" }), { abort }),
    );
    assert.equal(out.length, 10);
  });

  test("a host that calls back from its abort listener closes the source once", async () => {
    const calls = source(sameCalls(30));
    const abort = new AbortController();
    const guarded = guardStream(calls, new LoopDetector({ profile: "standard" }), { abort });
    abort.signal.addEventListener("abort", () => void guarded.return());
    await collect(guarded);
    assert.equal(calls.log.returns, 1);
  });

  test("the next stream of the same prompt gets the verdict at its first event", async () => {
    const detector = new LoopDetector({ profile: "standard" });
    detector.startPrompt("p1");
    const [first] = (await collect(guardStream(source(sameCalls(30)), detector, {}))).slice(-1);
    const next = source([text("Let me try again.")]);
    const out = await collect(guardStream(next, detector, { promptId: "p1" }));
    assert.deepEqual(out, [first]);
    assert.equal(next.log.returns, 1);
  });

  test("a source that never ends is left", async () => {
    const endless = {
      [Symbol.asyncIterator]: () => ({ next: () => ({ done: false, value: sameCall() }) }),
    };
    assert.equal(
      (await collect(guardStream(endless, new LoopDetector({ profile: "standard" }), {}))).length,
      10,
    );
  });
});

describe("on a nudge", () => {
  test("loop_detected follows the event and the stream goes on", async () => {
    const { detector } = scripted("ok", "nudge", "ok");
    const abort = new AbortController();
    const out = await collect(guardStream(source(["a", "b", "c"].map(text)), detector, { abort }));
    assert.deepEqual(out, [
      text("a"),
      text("b"),
      { type: "loop_detected", verdict: { action: "nudge", report: { count: 2 } } },
      text("c"),
    ]);
    assert.equal(abort.signal.aborted, false);
  });

  test("several at one event all follow it; before a stop only the stop is told", async () => {
    const adapter = () => [text("a"), text("b")];
    const twice = scripted("nudge", "nudge").detector;
    const kinds = (events) => events.map((event) => event.verdict?.action ?? event);
    assert.deepEqual(kinds(await collect(guardStream(source(["x", "y"]), twice, { adapter }))), [
      "x",
      "nudge",
      "nudge",
      "y",
    ]);
    const both = scripted("nudge", "stop").detector;
    assert.deepEqual(kinds(await collect(guardStream(source(["x", "y"]), both, { adapter }))), [
      "stop",
    ]);
  });
});

describe("the prompt", () => {
  test("starts with the first read, with its model", async () => {
    const detector = new LoopDetector({ profile: "standard" });
    const started = [];
    detector.startPrompt = (...args) => started.push(args);
    const options = { promptId: "p1", model: "gemini-3-pro-preview" };
    const guarded = guardStream(source([text("a")]), detector, options);
    assert.deepEqual(started, []);
    await collect(guarded);
    assert.deepEqual(started, [["p1", { model: "gemini-3-pro-preview" }]]);
  });

  test("goes on in the next stream with the same id", async () => {
    const detector = new LoopDetector({ profile: "standard" });
    const options = { promptId: "p1" };
    assert.equal((await collect(guardStream(source(sameCalls(6)), detector, options))).length, 6);
    const out = await collect(guardStream(source(sameCalls(6)), detector, options));
    assert.equal(out.length, 4);
    assert.equal(out[3].verdict.report.count, 10);
  });
});
