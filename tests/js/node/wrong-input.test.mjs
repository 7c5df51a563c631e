// Every call of the loop detector with values of the wrong type: a typed error that names the field, and an
// object that goes on working.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { assertTyped, cyclic } from "./typed-errors.mjs";
import { turnkeeper } from "./installed-package.mjs";
import { sameCalls, source, watched } from "./streams.mjs";

const { LoopDetector, preload } = turnkeeper;

/** A wrong call must not have hurt the detector that it was made on. */
function assertWorks(detector) {
  detector.startPrompt("after the wrong calls");
  assert.equal(detector.observeAll(sameCalls(9)).action, "ok");
  assert.equal(detector.observe(sameCalls(1)[0]).action, "stop");
}

const show = (value) => {
  try {
    return typeof value === "string" ? JSON.stringify(value) : String(value);
  } catch {
    return "a value that cannot be shown";
  }
};

describe("new LoopDetector", () => {
  const wrong = [
    [null, "options"],
    [7, "options"],
    ["standard", "options"],
    [[], "options"],
    [{ profile: "none" }, "profile"],
    [{ profile: 7 }, "profile"],
    [{ identicalCalls: 0 }, "identicalCalls"],
    [{ identicalCalls: -1 }, "identicalCalls"],
    [{ identicalCalls: 2.5 }, "identicalCalls"],
    [{ identicalCalls: Number.NaN }, "identicalCalls"],
    [{ identicalCalls: Infinity }, "identicalCalls"],
    [{ identicalCalls: "10" }, "identicalCalls"],
    [{ identicalCalls: null }, "identicalCalls"],
    [{ previewCalls: 0 }, "previewCalls"],
    [{ previewIntensiveCalls: true }, "previewIntensiveCalls"],
    [{ tools: { intensive: "read_file" } }, "tools.intensive"],
    [{ tools: { intensive: [7] } }, "tools.intensive[0]"],
    [{ tools: { read: ["ls"] } }, "tools.read"],
    [{ profile: "roo" }, "profile"],
    [{ windowSize: 3 }, "windowSize"],
    [{ previewModel: 7 }, "previewModel"],
    [{ repeatedPassages: 0 }, "repeatedPassages"],
    [{ modelCheck: true }, "modelCheck"],
    [{ modelCheck: 30 }, "modelCheck"],
    [{ modelCheck: { interval: 0 } }, "modelCheck.interval"],
    [{ modelCheck: { afterTurn: 30 } }, "modelCheck.afterTurn"],
    [{ messages: { monologue: "stop" } }, "messages.monologue"],
    [{ messages: { no_such_type: {} } }, "messages.no_such_type"],
    [{ messages: { monologue: { message: 7 } } }, "messages.monologue.message"],
    [{ identicalCall: 10 }, "identicalCall"],
  ];
  for (const [options, field] of wrong) {
    test(`refuses ${show(options)} ${JSON.stringify(options)}`, () => {
      assertTyped(() => new LoopDetector(options), "invalid_config", field);
    });
  }

  test("refuses values that no option has", () => {
    assertTyped(
      () => new LoopDetector({ identicalCalls: 10n }),
      "invalid_config",
      "identicalCalls",
    );
  });
});

describe("startPrompt", () => {
  const detector = new LoopDetector({ profile: "standard" });
  for (const id of [undefined, null, 7, {}, Symbol("p1")]) {
    test(`refuses the id ${show(id)}`, () => {
      assertTyped(() => detector.startPrompt(id), "invalid_argument", "promptId");
    });
  }
  const wrong = [
    [null, "options"],
    [7, "options"],
    [{ model: 7 }, "options.model"],
    [{ userPrompt: ["hello"] }, "options.userPrompt"],
  ];
  for (const [options, field] of wrong) {
    test(`refuses the options ${JSON.stringify(options)}`, () => {
      assertTyped(() => detector.startPrompt("p1", options), "invalid_argument", field);
    });
  }
  test("takes null for an option that there is none of", () => {
    detector.startPrompt("p2", { model: null, userPrompt: null });
  });
  test("and the detector works as before", () => assertWorks(detector));
});

describe("observe", () => {
  const detector = new LoopDetector({ profile: "standard" });
  const wrong = [
    [undefined, "event"],
    [null, "event"],
    [7, "event"],
    ["text", "event"],
    [() => {}, "event"],
    [[], "event.type"],
    [{}, "event.type"],
    [{ type: 7 }, "event.type"],
    [{ type: "no_such_type" }, "event.type"],
    [{ type: "toString" }, "event.type"],
    [{ type: "__proto__" }, "event.type"],
    [{ type: "text" }, "event.text"],
    [{ type: "text", text: null }, "event.text"],
    [{ type: "reasoning", text: 7 }, "event.text"],
    [{ type: "tool_call" }, "event.name"],
    [{ type: "tool_call", name: null, args: {} }, "event.name"],
    [{ type: "tool_call", name: "t", id: 7 }, "event.id"],
    [{ type: "tool_call", name: "t", args: {}, key: 7 }, "event.key"],
    [{ type: "tool_call", name: "t" }, "event.args"],
    [{ type: "tool_call", name: "t", input: {} }, "event.input"],
    [{ type: "tool_result" }, "event.output"],
    [{ type: "tool_result", output: 7 }, "event.output"],
    [{ type: "tool_result", output: { text: "a" } }, "event.output"],
    [{ type: "tool_result", output: "", isError: 1 }, "event.isError"],
    [{ type: "loop_reported", by: 7 }, "event.by"],
  ];
  wrong.forEach(([event, field], index) => {
    test(`refuses wrong event ${index}: ${field}`, () => {
      assertTyped(() => detector.observe(event), "invalid_argument", field);
    });
  });

  test("says which types an event may have", () => {
    assert.throws(() => detector.observe({ type: "toolcall" }), /must be text, .*, tool_call, /);
  });

  test("takes what is odd but right", () => {
    const deep = JSON.parse(`${"[".repeat(100)}${"]".repeat(100)}`);
    const odd = [
      Object.freeze({ type: "text", text: "" }),
      Object.assign(Object.create(null), { type: "finished" }),
      { type: "text", text: "\ud800 lone \udc00 and NUL \0" },
      { type: "tool_call", name: "", args: undefined },
      { type: "tool_call", name: "t", args: null },
      { type: "tool_call", name: "t", args: "not JSON {" },
      { type: "tool_call", name: "\udfff", args: { "\ud83d": "\0" } },
      { type: "tool_call", name: "t", args: deep },
      {
        type: "tool_call",
        name: "t",
        args: { when: new Date(0), gone: undefined, not: Number.NaN },
      },
      { type: "tool_result", output: "" },
      { type: "tool_result", output: [] },
      { type: "tool_result", output: [null, 7, cyclic, "a"] },
      { type: "other" },
    ];
    for (const event of odd) assert.equal(detector.observe(event).action, "ok");
  });

  test("arguments that no JSON holds count, and equal none that were read whole", () => {
    const deep = (levels) => (levels === 0 ? "x" : [deep(levels - 1)]);
    const many = () => Array.from({ length: 1_000_001 }, () => 1);
    for (const make of [() => 7n, () => cyclic, () => Symbol("s"), () => deep(200), many]) {
      const counting = new LoopDetector({ profile: "standard", identicalCalls: 2 });
      const call = (args) => counting.observe({ type: "tool_call", name: "t", args }).action;
      assert.equal(call({ a: make() }), "ok");
      assert.equal(call({ a: null }), "ok");
      assert.equal(call({ a: make() }), "ok");
      assert.equal(call({ a: make() }), "stop");
      counting.dispose();
    }
  });

  test("what a getter throws passes through as it is, and nothing was counted", () => {
    const thrown = new Error("the host's own");
    const event = {
      type: "tool_call",
      name: "t",
      get args() {
        throw thrown;
      },
    };
    const counting = new LoopDetector();
    const before = counting.snapshot();
    assert.throws(
      () => counting.observe(event),
      (error) => error === thrown,
    );
    assert.deepEqual(counting.snapshot(), before);
  });

  test("and the detector works as before", () => assertWorks(detector));
});

describe("observeAll", () => {
  const detector = new LoopDetector({ profile: "standard" });
  for (const events of [undefined, null, 7, "text", {}, new Set()]) {
    test(`refuses ${show(events)}`, () => {
      assertTyped(() => detector.observeAll(events), "invalid_argument", "events");
    });
  }
  test("names the event that is wrong", () => {
    const events = [{ type: "text", text: "a" }, { type: "text" }];
    assertTyped(() => detector.observeAll(events), "invalid_argument", "events[1].text");
  });
  test("and the detector works as before", () => assertWorks(detector));
});

test("answerModelCheck takes anything for an answer, and the malformed for no loop", () => {
  const detector = new LoopDetector({
    profile: "standard",
    modelCheck: { afterTurns: 1, interval: 1 },
  });
  const malformed = [
    undefined,
    null,
    7,
    "",
    "{",
    [],
    {},
    { confidence: "0.99" },
    { confidence: 1.5 },
    { confidence: -1 },
    { confidence: Number.NaN },
    cyclic,
  ];
  for (const answer of malformed) {
    detector.observe({ type: "turn_started" });
    detector.takeModelCheck();
    assert.deepEqual(detector.answerModelCheck(answer), { action: "ok" });
  }
  assertWorks(detector);
});

describe("restore", () => {
  const good = new LoopDetector().snapshot();
  const altered = Uint8Array.from(good, (byte, index) => (index === 9 ? byte ^ 1 : byte));
  const wrong = [
    [undefined, "invalid_argument", "snapshot"],
    [null, "invalid_argument", "snapshot"],
    ["snapshot", "invalid_argument", "snapshot"],
    [{}, "invalid_argument", "snapshot"],
    [[...good], "invalid_argument", "snapshot"],
    [new Uint8Array(), "snapshot_corrupt"],
    [new Uint8Array(1_000), "snapshot_corrupt"],
    [good.slice(0, -1), "snapshot_corrupt"],
    [altered, "snapshot_corrupt"],
  ];
  wrong.forEach(([snapshot, code, field], index) => {
    test(`refuses wrong snapshot ${index}: ${code}`, () => {
      assertTyped(() => LoopDetector.restore(snapshot), code, field);
    });
  });
});

describe("a detector that was disposed of", () => {
  const uses = {
    observe: (detector) => detector.observe({ type: "finished" }),
    observeAll: (detector) => detector.observeAll([]),
    startPrompt: (detector) => detector.startPrompt("p1"),
    takeModelCheck: (detector) => detector.takeModelCheck(),
    answerModelCheck: (detector) => detector.answerModelCheck({}),
    verdict: (detector) => detector.verdict,
    blind: (detector) => detector.blind,
    clear: (detector) => detector.clear(),
    disable: (detector) => detector.disable(),
    enable: (detector) => detector.enable(),
    snapshot: (detector) => detector.snapshot(),
  };
  for (const [name, use] of Object.entries(uses)) {
    test(`says so: ${name}`, () => {
      const detector = new LoopDetector({ profile: "standard" });
      detector.dispose();
      assertTyped(() => use(detector), "disposed");
      detector.dispose();
    });
  }

  test("closes the stream that it should guard", async () => {
    const detector = new LoopDetector({ profile: "standard" });
    detector.dispose();
    const calls = source(sameCalls(3));
    await assert.rejects(watched(calls, detector).next(), { code: "disposed" });
    assert.equal(calls.log.returns, 1);
  });
});

test("preload takes no notice of arguments", async () => {
  for (const argument of [undefined, null, 7, cyclic]) {
    assert.equal(await preload(argument), undefined);
  }
});
