import assert from "node:assert/strict";
import { after, describe, test } from "node:test";

import { turnkeeper } from "./installed-package.mjs";
import {
  collect,
  countedAbort,
  sameCalls,
  scripted,
  settle,
  source,
  text,
  ending,
  watched,
} from "./streams.mjs";

const { AgentSession, LoopDetector, TurnkeeperError } = turnkeeper;

const unhandled = [];
const onUnhandled = (reason) => unhandled.push(reason);
process.on("unhandledRejection", onUnhandled);
after(() => process.off("unhandledRejection", onUnhandled));

describe("errors", () => {
  const fault = new Error("connection reset");

  test("of the source reach the consumer as they are", async () => {
    const broken = source([text("a")], { then: fault });
    const guarded = watched(broken, new LoopDetector({ profile: "standard" }), {});
    assert.deepEqual((await guarded.next()).value, text("a"));
    await assert.rejects(guarded.next(), (error) => error === fault);
    assert.deepEqual(await guarded.next(), { done: true, value: undefined });
    assert.equal(broken.log.returns, 0, "a source that failed is not closed again");
  });

  test("thrown at once, by next() or while opening, reach the consumer, too", async () => {
    const throws = () => {
      throw fault;
    };
    for (const broken of [
      { [Symbol.asyncIterator]: throws },
      { [Symbol.asyncIterator]: () => ({ next: throws }) },
    ]) {
      await assert.rejects(
        collect(watched(broken, new LoopDetector({ profile: "standard" }), {})),
        (error) => error === fault,
      );
    }
  });

  test("that are no Error objects are passed on, too", async () => {
    const broken = { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(undefined) }) };
    await assert.rejects(
      collect(watched(broken, new LoopDetector({ profile: "standard" }), {})),
      (error) => error === undefined,
    );
  });

  test("of the adapter and of the detector close the source and reach the consumer", async () => {
    const first = source([text("a")], { then: "silence" });
    const adapter = () => {
      throw fault;
    };
    await assert.rejects(
      collect(watched(first, new LoopDetector({ profile: "standard" }), { adapter })),
      (e) => e === fault,
    );
    assert.equal(first.log.returns, 1);

    const second = source([{ type: "no such type" }], { then: "silence" });
    await assert.rejects(
      collect(watched(second, new LoopDetector({ profile: "standard" }), {})),
      TurnkeeperError,
    );
    assert.equal(second.log.returns, 1);
  });
});

describe("a consumer that leaves", () => {
  test("by break closes the source and leaves the host's controller alone", async () => {
    const calls = source(sameCalls(30));
    const { controller, listeners } = countedAbort();
    for await (const event of watched(calls, new LoopDetector({ profile: "standard" }), {
      abort: controller,
    })) {
      assert.ok(event);
      break;
    }
    assert.deepEqual(calls.log, { opened: 1, reads: 1, returns: 1 });
    assert.equal(controller.signal.aborted, false);
    assert.equal(listeners.size, 0);
  });

  test("by throw() gets its error back and closes the source", async () => {
    const calls = source(sameCalls(30));
    const guarded = watched(calls, new LoopDetector({ profile: "standard" }), {});
    await guarded.next();
    const fault = new Error("mine");
    await assert.rejects(guarded.throw(fault), (error) => error === fault);
    assert.equal(calls.log.returns, 1);
    assert.equal((await guarded.next()).done, true);
  });

  test("of a session while its source is silent ends the read, too", async () => {
    const silent = source([], { then: "silence" });
    const assembler = { root: "/work" };
    const session = new AgentSession({ assembler, terminals: { platform: "posix" } });
    const guarded = session.guard(silent, {});
    const pending = guarded.next();
    await guarded.return();
    assert.deepEqual(await pending, { done: true, value: undefined });
    assert.equal(silent.log.returns, 1);
    session.dispose();
  });

  test("while the source is silent ends the read that is under way", async () => {
    const silent = source([], { then: "silence" });
    const guarded = watched(silent, new LoopDetector({ profile: "standard" }), {});
    const read = guarded.next();
    await settle();
    assert.equal((await ending(guarded.return())).done, true);
    assert.equal((await ending(read)).done, true);
    assert.equal(silent.log.returns, 1);
  });

  test("before it starts closes the source without reading", async () => {
    const calls = source(sameCalls(30));
    const guarded = watched(calls, new LoopDetector({ profile: "standard" }));
    await guarded.return();
    assert.equal((await guarded.next()).done, true);
    assert.deepEqual(calls.log, { opened: 1, reads: 0, returns: 1 });
  });

  test("by await using closes the source", async (t) => {
    if (typeof Symbol.asyncDispose !== "symbol") return t.skip("this engine has no asyncDispose");
    const calls = source(sameCalls(30));
    const guarded = watched(calls, new LoopDetector({ profile: "standard" }), {});
    await guarded.next();
    assert.equal(await guarded[Symbol.asyncDispose](), undefined);
    assert.equal(calls.log.returns, 1);
  });
});

describe("a host that aborts", () => {
  test("before the start gets an empty stream, and the source is closed unread", async () => {
    const calls = source(sameCalls(30));
    const abort = new AbortController();
    abort.abort();
    const { detector, observed } = scripted();
    assert.deepEqual(await collect(watched(calls, detector, { abort })), []);
    assert.deepEqual(calls.log, { opened: 1, reads: 0, returns: 1 });
    assert.deepEqual(observed, []);
  });

  test("while the source is silent gets the end at once, without an error", async () => {
    const silent = source([text("a")], { then: "silence" });
    const { controller, listeners } = countedAbort();
    setTimeout(() => controller.abort(), 10);
    const guarded = watched(silent, new LoopDetector({ profile: "standard" }), {
      abort: controller,
    });
    assert.deepEqual(await ending(collect(guarded)), [text("a")]);
    assert.equal(silent.log.returns, 1);
    assert.equal(listeners.size, 0);
  });

  test("while an async generator is silent gets the end, too, though its return() waits", async () => {
    async function* silent() {
      yield text("a");
      await new Promise(() => {});
    }
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 10);
    const out = await ending(
      collect(watched(silent(), new LoopDetector({ profile: "standard" }), { abort })),
    );
    assert.deepEqual(out, [text("a")]);
  });

  test("sees no error, whether the source fails at once, at the same time or later", async () => {
    const failing = [
      (signal, reject) => signal.addEventListener("abort", () => reject(signal.reason)),
      (signal, reject) =>
        signal.addEventListener("abort", () => setTimeout(reject, 15, signal.reason)),
      (signal, reject) => setTimeout(() => signal.aborted && reject(signal.reason), 12),
    ];
    for (const fail of failing) {
      const abort = new AbortController();
      const broken = {
        [Symbol.asyncIterator]: () => ({
          next: () => new Promise((_, reject) => fail(abort.signal, reject)),
        }),
      };
      setTimeout(() => abort.abort(), 5);
      assert.deepEqual(
        await ending(
          collect(watched(broken, new LoopDetector({ profile: "standard" }), { abort })),
        ),
        [],
      );
      await settle();
    }
  });

  test("between two events gets no more of them, and the source is closed meanwhile", async () => {
    const calls = source(["a", "b"].map(text));
    const abort = new AbortController();
    const out = [];
    for await (const event of watched(calls, new LoopDetector({ profile: "standard" }), {
      abort,
    })) {
      out.push(event);
      abort.abort();
      assert.equal(calls.log.returns, 1);
    }
    assert.deepEqual(out, [text("a")]);
    assert.equal(calls.log.reads, 1);
  });
});

describe("nothing is left", () => {
  test("of ten thousand streams on one signal", async () => {
    const { controller, listeners } = countedAbort();
    const detector = new LoopDetector({ profile: "standard" });
    let most = 0;
    for (let count = 0; count < 10_000; count += 1) {
      const then = count % 3 === 0 ? new Error("reset") : "end";
      detector.startPrompt(`p${count}`);
      const guarded = watched(source([text("a"), text("b")], { then }), detector, {
        abort: controller,
      });
      if (count % 3 === 1) await guarded.next().then(() => guarded.return());
      else await collect(guarded).catch(() => {});
      most = Math.max(most, listeners.size);
    }
    assert.equal(listeners.size, 0);
    assert.ok(most <= 1);
  });

  test("of a stream that was never read", () => {
    const { controller, listeners } = countedAbort();
    watched(source([]), new LoopDetector({ profile: "standard" }), { abort: controller });
    assert.equal(listeners.size, 0);
  });

  test("of rejections that nobody handled", async () => {
    await settle();
    assert.deepEqual(unhandled, []);
  });
});
