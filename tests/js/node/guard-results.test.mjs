// Results that are shown to a guarded stream, and hints that the model gets once.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { load, turnkeeper } from "./installed-package.mjs";
import { collect, source, watched } from "./streams.mjs";

const { AgentSession, LoopDetector } = turnkeeper;
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
  test("needs no adapter where the events are the package's own", async () => {
    const guarded = watched(source([call("1")]), new LoopDetector());
    assert.deepEqual(await collect(guarded), [call("1")]);
    assert.deepEqual(guarded.result({ id: "1", output: "one" }), { action: "ok" });
    assert.deepEqual(guarded.told, []);
  });

  test("is counted and told, also after the stream's own end", async () => {
    const detector = after(4);
    const guarded = watched(source([call("4")]), detector);
    await collect(guarded);
    const verdict = guarded.result({ id: "4", output: "one" });
    assert.equal(verdict.action, "stop");
    assert.equal(detector.stopped, true);
    assert.deepEqual(guarded.told, [{ type: "loop_detected", verdict }]);
    assert.deepEqual(await guarded.next(), { done: true, value: undefined });
  });

  test("is told once, whatever comes after it", async () => {
    const detector = after(4);
    const guarded = watched(source([call("4"), call("5"), call("6")]), detector);
    await collect(guarded);
    for (const id of ["4", "5", "6"]) guarded.result({ id, output: "one" });
    assert.equal(guarded.told.length, 1);
    const next = watched(source([call("7")]), detector);
    assert.deepEqual([await collect(next), next.told], [[], []]);
    detector.startPrompt("p2");
    const fresh = watched(source([call("8")]), detector);
    assert.deepEqual([await collect(fresh), fresh.told], [[call("8")], []]);
    assert.equal(detector.takeFeedback().length, 2, "a nudge and a stop, of the prompt before");
  });

  test("ends the stream at a stop: told, aborted, closed", async () => {
    const abort = new AbortController();
    const stream = source([call("4"), { type: "text", text: "more" }]);
    const guarded = watched(stream, after(4), { abort });
    assert.deepEqual((await guarded.next()).value, call("4"));
    assert.equal(guarded.result({ id: "4", output: "one" }).action, "stop");
    assert.deepEqual(await collect(guarded), []);
    assert.deepEqual(
      guarded.told.map(({ verdict }) => verdict.action),
      ["stop"],
    );
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
    const guarded = watched(silent, after(4));
    await guarded.next();
    const waiting = guarded.next();
    guarded.result({ id: "4", output: "one" });
    assert.equal((await waiting).done, true);
    assert.equal((await guarded.next()).done, true);
    assert.equal(guarded.told.length, 1);
  });

  test("tells of a nudge at once, and the stream goes on", async () => {
    const guarded = watched(source([call("2"), { type: "finished" }]), after(2));
    await guarded.next();
    assert.equal(guarded.result({ id: "2", output: "one" }).action, "nudge");
    assert.equal(guarded.told.length, 1);
    assert.deepEqual(await collect(guarded), [{ type: "finished" }]);
    assert.equal(guarded.told.length, 1);
  });

  test("ends the stream at a stop, also if the host fails when it is told", async () => {
    const stream = source([call("4"), { type: "text", text: "more" }]);
    const fault = new Error("no window");
    const onLoopDetected = () => {
      throw fault;
    };
    const guarded = watched(stream, after(4), { onLoopDetected });
    await guarded.next();
    assert.throws(
      () => guarded.result({ id: "4", output: "one" }),
      (error) => error === fault,
    );
    assert.deepEqual(await collect(guarded), []);
    assert.equal(stream.log.returns, 1);
  });

  test("is refused as by the detector, and the stream goes on", async () => {
    const guarded = watched(source([call("1"), { type: "finished" }]), new LoopDetector());
    await guarded.next();
    assert.throws(() => guarded.result({ id: "1", output: 7 }), { code: "invalid_argument" });
    assert.equal((await guarded.next()).value.type, "finished");
  });

  test("is in the log of a session, and told to its host if it wants to hear", async () => {
    const session = new AgentSession({
      assembler: { root: "/work" },
      terminals: { platform: "posix" },
    });
    session.beginTurn({ prompt: "Wait for it." });
    const told = [];
    const hearing = { onLoopDetected: ({ verdict }) => told.push(verdict.action) };
    for (let n = 0; n < 3; n++) {
      const guarded = session.guard(source([call(`${n}`)]), n === 2 ? hearing : {});
      await collect(guarded);
      guarded.result({ id: `${n}`, output: "one" });
    }
    assert.deepEqual(
      session.log.map(({ machine, what }) => [machine, what]),
      [["loop_detector", "nudge"]],
    );
    assert.deepEqual(told, ["nudge"]);
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
