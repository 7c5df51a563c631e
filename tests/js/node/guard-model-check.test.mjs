// A guard that asks a model: beside the stream, never in its way.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { turnkeeper } from "./installed-package.mjs";
import { collect, countedAbort, settle, source, text, ending, watched } from "./streams.mjs";

const { AgentSession, LoopDetector, TurnkeeperError } = turnkeeper;

const turn = { type: "turn_started" };
const LOOP = { confidence: 0.95, reasoning: "It reads the same file in two ways." };
const options = { modelCheck: { afterTurns: 1, interval: 1 } };
const asking = () => new LoopDetector(options);

/** A model that is asked, and answers when it is told to. */
function model() {
  const asked = [];
  return {
    asked,
    checkWithModel: (request, { signal }) =>
      new Promise((answer, fail) => asked.push({ request, signal, answer, fail })),
  };
}

/** A stream that the test feeds: `give` resolves what waits for an event. */
function fed() {
  const waiting = [];
  const log = { returns: 0 };
  return {
    log,
    give: (event) => waiting.shift()({ done: false, value: event }),
    end: () => waiting.shift()({ done: true, value: undefined }),
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise((resolve) => waiting.push(resolve)),
      return: async () => ((log.returns += 1), { done: true, value: undefined }),
    }),
  };
}

/** The next thing that comes out of `guarded` when `event` goes in. */
async function pass(stream, guarded, event) {
  const next = guarded.next();
  await settle();
  stream.give(event);
  return (await next).value;
}

describe("a model that is asked", () => {
  test("gets the request, and its verdict comes with the next event, which is held back", async () => {
    const detector = asking();
    const { asked, checkWithModel } = model();
    const stream = fed();
    const { controller } = countedAbort();
    const guarded = watched(stream, detector, { abort: controller, checkWithModel });
    assert.equal(await pass(stream, guarded, turn), turn);
    assert.equal(asked.length, 1);
    const { request, signal } = asked[0];
    assert.equal(request.historyCount, 20);
    assert.deepEqual(request.schema.required.sort(), ["confidence", "reasoning"]);
    assert.equal(signal.aborted, false);

    // The stream goes on while the model thinks.
    const first = text("One.");
    assert.equal(await pass(stream, guarded, first), first);
    asked[0].answer(JSON.stringify(LOOP));
    await settle();
    assert.deepEqual(guarded.told, []);
    assert.equal(await pass(stream, guarded, text("Two.")), undefined);
    const [{ verdict }] = guarded.told;
    assert.equal(verdict.action, "stop");
    assert.equal(verdict.report.type, "llm_detected_loop");
    assert.match(verdict.report.evidence, /two ways/);
    assert.equal((await guarded.next()).done, true);
    assert.equal(controller.signal.aborted, true);
    assert.equal(stream.log.returns, 1);
  });

  test("finds no loop if it fails, answers badly or is sure that there is none", async () => {
    const wrong = [
      () => Promise.reject(new Error("no network")),
      () => {
        throw new Error("no model");
      },
      async () => undefined,
      async () => "not JSON",
      async () => ({ confidence: 7 }),
      async () => ({ confidence: 0.2, reasoning: "It gets on." }),
      () => 7,
    ];
    for (const checkWithModel of wrong) {
      const detector = asking();
      let asked = 0;
      const counted = (...args) => ((asked += 1), checkWithModel(...args));
      const events = [turn, text("a"), text("b"), turn, text("c")];
      const slow = (async function* () {
        for (const event of events) {
          await settle();
          yield event;
        }
      })();
      const out = await collect(watched(slow, detector, { checkWithModel: counted }));
      assert.deepEqual(out, events);
      assert.ok(asked >= 1);
      assert.equal(detector.verdict.action, "ok");
    }
  });

  test("is not told as a loop twice, and not if the host has cleared it", async () => {
    const detector = asking();
    const { asked, checkWithModel } = model();
    const stream = fed();
    const guarded = watched(stream, detector, { checkWithModel });
    await pass(stream, guarded, turn);
    asked[0].answer(LOOP);
    await settle();
    assert.equal(detector.verdict.action, "stop");
    detector.clear();
    const event = text("On.");
    assert.equal(await pass(stream, guarded, event), event);
    await guarded.return();
  });

  test("that answers after its stream's end is told at once, and stops the next stream", async () => {
    const detector = asking();
    const { asked, checkWithModel } = model();
    detector.startPrompt("p1");
    const first = watched(source([turn, text("a")]), detector, { checkWithModel });
    assert.equal((await collect(first)).length, 2);
    assert.equal(asked[0].signal.aborted, false);
    asked[0].answer(LOOP);
    await settle();
    assert.equal(first.told[0].verdict.report.rule, "model_check");
    assert.equal(detector.stopped, true);
    const next = watched(source([turn, text("b")]), detector, { checkWithModel });
    assert.deepEqual([await collect(next), next.told], [[], []]);
  });

  test("that answers between the stream's last event and its end is told with the end", async () => {
    const detector = asking();
    const { asked, checkWithModel } = model();
    const stream = fed();
    const guarded = watched(stream, detector, { checkWithModel });
    await pass(stream, guarded, turn);
    asked[0].answer(LOOP);
    await settle();
    const last = guarded.next();
    await settle();
    stream.end();
    assert.equal((await last).done, true);
    assert.equal(guarded.told.length, 1);
  });

  test("that answers while a tool runs is told with its result", async () => {
    const detector = asking();
    const { asked, checkWithModel } = model();
    const stream = fed();
    const guarded = watched(stream, detector, { checkWithModel });
    await pass(stream, guarded, turn);
    await pass(stream, guarded, { type: "tool_call", id: "1", name: "ls", args: {} });
    asked[0].answer(LOOP);
    await settle();
    assert.equal(guarded.result({ id: "1", output: "a.ts" }).action, "stop");
    assert.equal(guarded.told.length, 1);
    assert.equal(stream.log.returns, 1);
  });

  test("that answers after a new prompt has begun changes nothing", async () => {
    const detector = asking();
    const { asked, checkWithModel } = model();
    const guard = (promptId) => {
      detector.startPrompt(promptId);
      return collect(watched(source([turn, text("a")]), detector, { checkWithModel }));
    };
    await guard("p1");
    await guard("p2");
    assert.equal(asked.length, 2);
    assert.equal(asked[0].signal.aborted, true, "a newer check has taken its place");
    asked[0].answer(LOOP);
    await settle();
    assert.equal(detector.verdict.action, "ok");
    asked[1].answer(LOOP);
    await settle();
    assert.equal(detector.verdict.action, "stop");
  });

  test("is asked at the start of a stream, too, if the host told of the turn itself", async () => {
    const detector = asking();
    const { asked, checkWithModel } = model();
    detector.observe(turn);
    await collect(watched(source([text("a")]), detector, { checkWithModel }));
    assert.equal(asked.length, 1);
  });

  test("is asked after a result, when little is new, and its nudge is told beside the next event", async () => {
    const detector = new LoopDetector({ repeatedResults: false });
    const { asked, checkWithModel } = model();
    const stream = fed();
    const guarded = watched(stream, detector, { checkWithModel });
    const call = { type: "tool_call", name: "read_file", args: { path: "beds.md" } };
    for (let times = 1; times <= 8; times += 1) {
      assert.equal(asked.length, 0);
      assert.equal(await pass(stream, guarded, call), call);
      guarded.result({ output: "Twelve beds." });
    }
    assert.equal(asked.length, 1);
    assert.match(asked[0].request.reason, /7 had been made before.* of read_file, came 8 times/);
    asked[0].answer({ confidence: 0.7, reasoning: "It reads one file." });
    await settle();
    assert.equal(detector.verdict.action, "nudge");
    const next = text("Once more.");
    assert.equal(await pass(stream, guarded, next), next);
    const [{ verdict }] = guarded.told;
    assert.equal(verdict.action, "nudge");
    assert.equal(verdict.report.rule, "model_check");
    assert.equal(detector.takeFeedback().length, 1);
    await guarded.return();
  });

  test("is not asked without a function that asks", async () => {
    const detector = asking();
    await collect(watched(source([turn]), detector, {}));
    assert.notEqual(detector.takeModelCheck(), undefined);
  });
});

describe("the signal of a check is aborted", () => {
  const cases = {
    "by a loop that the rules find": async (stream, guarded) => {
      const call = { type: "tool_call", name: "ls", args: {} };
      await pass(stream, guarded, call);
      assert.equal(await pass(stream, guarded, call), undefined);
    },
    "when the consumer leaves": (stream, guarded) => guarded.return(),
    "when the consumer throws": (stream, guarded) => guarded.throw(new Error("x")).catch(() => {}),
    "when the host aborts": (stream, guarded, controller) => controller.abort(),
    "when the host aborts after the stream's end": async (stream, guarded, controller) => {
      const last = guarded.next();
      await settle();
      stream.end();
      assert.equal((await last).done, true);
      assert.equal((await guarded.next()).done, true);
      controller.abort();
    },
    "when the stream fails": async (stream, guarded) => {
      await assert.rejects(pass(stream, guarded, { type: "unheard-of" }), TurnkeeperError);
    },
  };
  for (const [name, end] of Object.entries(cases)) {
    test(name, async () => {
      const detector = new LoopDetector({ ...options, identicalCalls: 2 });
      const { asked, checkWithModel } = model();
      const stream = fed();
      const { controller, listeners } = countedAbort();
      const guarded = watched(stream, detector, { abort: controller, checkWithModel });
      await pass(stream, guarded, turn);
      assert.equal(asked[0].signal.aborted, false);
      await end(stream, guarded, controller);
      await settle();
      assert.equal(asked[0].signal.aborted, true);
      assert.equal(listeners.size, 0);
      asked[0].answer({ ...LOOP, reasoning: "too late" });
      await settle();
      assert.notEqual(detector.verdict.report?.type, "llm_detected_loop");
    });
  }
});

test("a detector that is disposed of while the model thinks is left alone", async () => {
  const detector = asking();
  const { asked, checkWithModel } = model();
  await collect(watched(source([turn]), detector, { checkWithModel }));
  detector.dispose();
  asked[0].answer(LOOP);
  await settle();
});

test("a model that never answers does not hold up the stream's end", async () => {
  const { checkWithModel } = model();
  const events = [turn, text("a")];
  const guarded = watched(source(events), asking(), { checkWithModel });
  assert.deepEqual(await ending(collect(guarded)), events);
});

test("a session's guard asks, too", async () => {
  const answer = async () => LOOP;
  const slow = async function* () {
    for (const event of [turn, text("a"), text("b"), text("c")]) {
      await settle();
      yield event;
    }
  };
  const session = new AgentSession({
    assembler: { root: "/work" },
    terminals: { platform: "posix" },
    loop: options,
  });
  session.beginTurn({ prompt: "Go on." });
  const told = [];
  const onLoopDetected = ({ verdict }) => told.push(verdict.action);
  await collect(session.guard(slow(), { checkWithModel: answer, onLoopDetected }));
  assert.deepEqual(told, ["stop"]);
  assert.match(session.log.at(-1).why, /model/);
  session.dispose();
});
