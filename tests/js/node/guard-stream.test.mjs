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
  watched,
} from "./streams.mjs";

const { LoopDetector } = turnkeeper;

describe("events", () => {
  test("pass through as the same objects, whatever their shape", async () => {
    const own = [{ kind: "delta", body: "a" }, null, undefined, 7, Object.freeze({ frozen: true })];
    const out = await collect(
      watched(source(own), new LoopDetector({ profile: "standard" }), {
        adapter: () => undefined,
      }),
    );
    assert.equal(out.length, own.length);
    out.forEach((event, index) => assert.equal(event, own[index]));
  });

  test("an event with a then is not awaited", async () => {
    const odd = { then: (resolve) => resolve("unwrapped") };
    const guarded = watched(source([odd]), new LoopDetector({ profile: "standard" }), {
      adapter: () => undefined,
    });
    assert.equal((await guarded.next()).value, odd);
  });

  test("of an adapter that gives several are observed in order, and the rest not behind a stop", async () => {
    const { detector, observed } = scripted("ok", "ok", "stop");
    const parts = [text("a"), text("b"), text("c"), text("d")];
    const guarded = watched(source(["chunk"]), detector, { adapter: () => parts });
    assert.deepEqual(await collect(guarded), []);
    assert.deepEqual(observed, parts.slice(0, 3));
    assert.deepEqual(guarded.told, [
      { type: "loop_detected", verdict: { action: "stop", report: { count: 3 } } },
    ]);
  });

  test("that the adapter has nothing for are not observed", async () => {
    const { detector, observed } = scripted();
    const adapter = (event) => [undefined, null, []][event];
    assert.deepEqual(await collect(watched(source([0, 1, 2]), detector, { adapter })), [0, 1, 2]);
    assert.deepEqual(observed, []);
  });

  test("are read one at a time, only when one is asked for", async () => {
    const slow = source([text("a"), text("b"), text("c")]);
    const guarded = watched(slow, new LoopDetector({ profile: "standard" }), {});
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
    const guarded = watched(
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
    const guarded = watched(stream, new LoopDetector({ profile: "standard" }));
    assert.equal((await collect(guarded)).length, 9);
    assert.equal(guarded.told.length, 1);
    assert.equal(cancelled, true);
  });
});

describe("on a stop", () => {
  test("the event that fired is held back, the host is told once, and nothing more is read", async () => {
    const calls = source(sameCalls(30));
    const abort = new AbortController();
    const guarded = watched(calls, new LoopDetector({ profile: "standard" }), { abort });
    assert.deepEqual(await collect(guarded), sameCalls(9));
    const [{ type, verdict }, ...more] = guarded.told;
    assert.deepEqual([type, verdict.action, more], ["loop_detected", "stop", []]);
    assert.equal(verdict.report.type, "consecutive_identical_tool_calls");
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
    const onLoopDetected = () => order.push("told");
    const detector = new LoopDetector({ profile: "standard" });
    await collect(watched(calls, detector, { abort, onLoopDetected }));
    order.push("end");
    assert.deepEqual(order, ["told", "abort", "return", "end"]);
  });

  test("a host that fails when it is told gets its error, and the source is closed and aborted", async () => {
    const fault = new Error("no window");
    const onLoopDetected = () => {
      throw fault;
    };
    const calls = source(sameCalls(30));
    const abort = new AbortController();
    const detector = new LoopDetector({ profile: "standard" });
    const guarded = watched(calls, detector, { abort, onLoopDetected });
    await assert.rejects(collect(guarded), (error) => error === fault);
    assert.deepEqual([calls.log.returns, abort.signal.aborted], [1, true]);
    assert.equal(detector.stopped, true);
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
      const detector = new LoopDetector({ profile: "standard" });
      const guarded = watched(source(sameCalls(30), { onReturn }), detector);
      assert.equal((await ending(collect(guarded))).length, 9);
      assert.equal(guarded.told.length, 1);
    }
    const bare = { [Symbol.asyncIterator]: () => ({ next: async () => ({ value: sameCall() }) }) };
    assert.equal(
      (await collect(watched(bare, new LoopDetector({ profile: "standard" })))).length,
      9,
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
    await collect(watched(calls(), new LoopDetector({ profile: "standard" }), {}));
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
      watched(calls(), new LoopDetector({ profile: "standard" }), { abort }),
    );
    assert.equal(out.length, 9);
  });

  test("a host that calls back from its abort listener closes the source once", async () => {
    const calls = source(sameCalls(30));
    const abort = new AbortController();
    const guarded = watched(calls, new LoopDetector({ profile: "standard" }), { abort });
    abort.signal.addEventListener("abort", () => void guarded.return());
    await collect(guarded);
    assert.equal(calls.log.returns, 1);
  });

  test("the next stream of the same prompt ends at its first event, and nobody is told again", async () => {
    const detector = new LoopDetector({ profile: "standard" });
    detector.startPrompt("p1");
    const first = watched(source(sameCalls(30)), detector);
    await collect(first);
    assert.equal(first.told.length, 1);
    const next = source([text("Let me try again.")]);
    const again = watched(next, detector);
    assert.deepEqual(await collect(again), []);
    assert.deepEqual(again.told, []);
    assert.equal(next.log.returns, 1);
  });

  test("that the host has found by hand is told at the next stream's first event", async () => {
    const detector = new LoopDetector({ profile: "standard" });
    detector.observeAll(sameCalls(30));
    const guarded = watched(source([text("a")]), detector);
    assert.deepEqual(await collect(guarded), []);
    assert.deepEqual(
      guarded.told.map(({ verdict }) => verdict),
      [detector.verdict],
    );
  });

  test("a source that never ends is left", async () => {
    const endless = {
      [Symbol.asyncIterator]: () => ({ next: () => ({ done: false, value: sameCall() }) }),
    };
    assert.equal(
      (await collect(watched(endless, new LoopDetector({ profile: "standard" })))).length,
      9,
    );
  });
});

describe("on a nudge", () => {
  test("the host is told before its event comes out, and the stream goes on", async () => {
    const { detector } = scripted("ok", "nudge", "ok");
    const abort = new AbortController();
    const seen = [];
    const onLoopDetected = (event) => seen.push(event);
    const events = source(["a", "b", "c"].map(text));
    for await (const event of watched(events, detector, { abort, onLoopDetected }))
      seen.push(event);
    assert.deepEqual(seen, [
      text("a"),
      { type: "loop_detected", verdict: { action: "nudge", report: { count: 2 } } },
      text("b"),
      text("c"),
    ]);
    assert.equal(abort.signal.aborted, false);
  });

  test("a host that aborts when it is told gets no more events", async () => {
    const { detector } = scripted("ok", "nudge", "ok");
    const abort = new AbortController();
    const events = source(["a", "b", "c"].map(text));
    const guarded = watched(events, detector, { abort, onLoopDetected: () => abort.abort() });
    assert.deepEqual(await collect(guarded), [text("a")]);
    assert.equal(events.log.returns, 1);
  });

  test("several at one event are all told, and a stop ends it", async () => {
    const adapter = () => [text("a"), text("b")];
    const kinds = async (...actions) => {
      const guarded = watched(source(["x", "y"]), scripted(...actions).detector, { adapter });
      const out = await collect(guarded);
      return [out, guarded.told.map(({ verdict }) => verdict.action)];
    };
    assert.deepEqual(await kinds("nudge", "nudge"), [
      ["x", "y"],
      ["nudge", "nudge"],
    ]);
    assert.deepEqual(await kinds("nudge", "stop"), [[], ["nudge", "stop"]]);
  });
});

describe("the prompt", () => {
  test("is the host's to start: without one the streams count as one, and blind says so", async () => {
    const detector = new LoopDetector({ profile: "standard" });
    assert.deepEqual(detector.blind, []);
    assert.equal((await collect(watched(source(sameCalls(6)), detector))).length, 6);
    assert.ok(detector.blind.includes("prompts"));
    const second = watched(source(sameCalls(6)), detector);
    assert.equal((await collect(second)).length, 3);
    assert.equal(second.told[0].verdict.report.count, 10);
    assert.equal(detector.stopped, true);
    detector.startPrompt("p1");
    assert.deepEqual([detector.blind, detector.stopped], [[], false]);
    assert.equal((await collect(watched(source(sameCalls(6)), detector))).length, 6);
  });
});
