// Results that are shown to a guarded stream, and hints that the model gets once.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { load, turnkeeper } from "./installed-package.mjs";
import { collect, source } from "./streams.mjs";

const { AgentSession, LoopDetector, guardStream, isLoopDetected } = turnkeeper;
const { loopMiddleware } = load("turnkeeper/adapters/ai-sdk");

const call = (id) => ({ type: "tool_call", id, name: "read_file", args: { path: "a" } });

/** A detector that has seen that many equal reads, each with its result. */
function after(reads, options) {
  const detector = new LoopDetector(options);
  for (let n = 0; n < reads; n++) {
    detector.observeAll([call(`${n}`), { type: "tool_result", id: `${n}`, output: "one" }]);
  }
  return detector;
}

describe("a result that is shown to a guarded stream", () => {
  test("needs no options where the events are the package's own", async () => {
    const guarded = guardStream(source([call("1")]), new LoopDetector());
    assert.deepEqual(await collect(guarded), [call("1")]);
    assert.deepEqual(guarded.result({ id: "1", output: "one" }), { action: "ok" });
  });

  test("starts the guard's prompt if it comes before the first read", async () => {
    for (const reads of [2, 5]) {
      const detector = after(reads);
      const guarded = guardStream(source([call("9")]), detector, {
        promptId: "new",
        userPrompt: "Read it again.",
      });
      assert.equal(guarded.result({ id: "late", output: "one" }).action, "ok");
      assert.equal(detector.prompt.id, "new");
      assert.deepEqual(await collect(guarded), [call("9")]);
      assert.equal(detector.prompt.calls, 1, "the first read starts no other");
    }
    const detector = after(2);
    const guarded = guardStream(source([call("9")]), detector, {});
    detector.observe(call("late"));
    assert.equal(guarded.result({ id: "late", output: "one" }).action, "nudge");
  });

  test("is counted, also after the stream's own end", async () => {
    const detector = after(4);
    const guarded = guardStream(source([call("4")]), detector);
    await collect(guarded);
    assert.equal(guarded.result({ id: "4", output: "one" }).action, "stop");
    assert.equal(detector.verdict.action, "stop");
    assert.deepEqual(await guarded.next(), { done: true, value: undefined });
  });

  test("was told to the host: a new prompt begins without the stop, and with its hint for the model", async () => {
    const detector = after(3);
    detector.startPrompt("p1");
    detector.takeFeedback();
    const guarded = guardStream(source([call("4")]), detector, { promptId: "p1" });
    await collect(guarded);
    for (let n = 5; guarded.result({ id: "4", output: "one" }).action !== "stop"; n++) {
      detector.observe(call("4"));
      assert.ok(n < 9);
    }
    const again = guardStream(source([call("9")]), detector, { promptId: "p2" });
    assert.deepEqual(await collect(again), [call("9")]);
    assert.equal(detector.takeFeedback().length, 1);
  });

  test("ends the stream at a stop: aborted, closed, and with its event as the last", async () => {
    const abort = new AbortController();
    const stream = source([call("4"), { type: "text", text: "more" }]);
    const guarded = guardStream(stream, after(4), { abort });
    assert.deepEqual((await guarded.next()).value, call("4"));
    assert.equal(guarded.result({ id: "4", output: "one" }).action, "stop");
    const rest = await collect(guarded);
    assert.equal(rest.length, 1);
    assert.ok(isLoopDetected(rest[0]));
    assert.equal(rest[0].verdict.action, "stop");
    assert.equal(abort.signal.aborted, true);
    assert.equal(stream.log.returns, 1);
  });

  test("ends a read that is under way, even of a source that is silent", async () => {
    let first = true;
    const silent = {
      [Symbol.asyncIterator]: () => ({
        next: () =>
          first
            ? ((first = false), Promise.resolve({ done: false, value: call("4") }))
            : new Promise(() => {}),
        return: async () => ({ done: true }),
      }),
    };
    const guarded = guardStream(silent, after(4));
    await guarded.next();
    const waiting = guarded.next();
    guarded.result({ id: "4", output: "one" });
    assert.equal((await waiting).value.verdict.action, "stop");
    assert.equal((await guarded.next()).done, true);
  });

  test("brings a nudge into the stream, which goes on", async () => {
    const guarded = guardStream(source([call("2"), { type: "finished" }]), after(2));
    await guarded.next();
    assert.equal(guarded.result({ id: "2", output: "one" }).action, "nudge");
    const rest = await collect(guarded);
    assert.deepEqual(
      rest.map((event) => event.type),
      ["loop_detected", "finished"],
    );
  });

  test("is refused as by the detector, and the stream goes on", async () => {
    const guarded = guardStream(source([call("1"), { type: "finished" }]), new LoopDetector());
    await guarded.next();
    assert.throws(() => guarded.result({ id: "1", output: 7 }), { code: "invalid_argument" });
    assert.equal((await guarded.next()).value.type, "finished");
  });

  test("is in the log of a session", async () => {
    const session = new AgentSession({
      assembler: { root: "/work" },
      terminals: { platform: "posix" },
    });
    session.beginTurn({ prompt: "Wait for it." });
    for (let n = 0; n < 3; n++) {
      const guarded = session.guard(source([call(`${n}`)]), {});
      await collect(guarded);
      guarded.result({ id: `${n}`, output: "one" });
    }
    assert.deepEqual(
      session.log.map(({ machine, what }) => [machine, what]),
      [["loop_detector", "nudge"]],
    );
    assert.equal(session.loop.takeFeedback().length, 1);
    session.dispose();
  });
});

describe("the middleware of the AI SDK", () => {
  const model = (sent) => ({
    specificationVersion: "v3",
    doGenerate: async ({ prompt }) => (sent.push(prompt), { content: [] }),
  });
  const user = { role: "user", content: [{ type: "text", text: "Go on." }] };
  const asked = async (middleware, sent, prompt = [user]) => {
    const params = { prompt };
    const own = model(sent);
    return middleware.wrapGenerate({
      doGenerate: () => own.doGenerate(params),
      params,
      model: own,
    });
  };

  test("adds each hint to the next request, once, after all others", async () => {
    const sent = [];
    const detector = after(3);
    const [hint] = after(3).takeFeedback();
    const middleware = loopMiddleware(detector);
    await asked(middleware, sent);
    await asked(middleware, sent);
    const told = { role: "user", content: [{ type: "text", text: hint }] };
    assert.deepEqual(sent, [[user, told], [user]]);
  });

  test("adds it again to a request that is repeated because it failed", async () => {
    const sent = [];
    const middleware = loopMiddleware(after(3));
    const failing = {
      specificationVersion: "v3",
      doGenerate: () => Promise.reject(new Error("no")),
    };
    const params = { prompt: [user] };
    const doGenerate = () => failing.doGenerate(params);
    await assert.rejects(middleware.wrapGenerate({ doGenerate, params, model: failing }));
    await asked(middleware, sent);
    assert.equal(sent[0].length, 2);
  });

  test("leaves the hints to a host that wants them", async () => {
    const sent = [];
    const detector = after(3);
    await asked(loopMiddleware(detector, { feedback: false }), sent);
    assert.deepEqual(sent, [[user]]);
    assert.equal(detector.takeFeedback().length, 1);
  });
});
