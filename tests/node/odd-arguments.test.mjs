// A guard must not end the session that it guards: whatever a call's arguments are, it is counted, by what
// can be read of them.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { cyclic, revoked, throwing } from "./hostile-values.mjs";
import { turnkeeper } from "./installed-package.mjs";
import { random, seed } from "./random.mjs";
import { PROFILES } from "../profiles.mjs";

const { LoopDetector } = turnkeeper;

const call = (args) => ({ type: "tool_call", name: "t", args });

/** The key that a report has of a call with these arguments. */
function keyOf(args, compareArguments = "sorted") {
  const detector = new LoopDetector({ profile: "standard", identicalCalls: 1, compareArguments });
  const { report } = detector.observe(call(args));
  detector.dispose();
  return report.callKey;
}

/** Whether two calls are the same to the detector. */
function areEqual(one, other, compareArguments = "sorted") {
  const detector = new LoopDetector({ profile: "standard", identicalCalls: 2, compareArguments });
  detector.observe(call(one));
  const { action } = detector.observe(call(other));
  detector.dispose();
  return action === "stop";
}

const nested = (levels, inner = 1) => {
  let value = inner;
  for (let level = 0; level < levels; level++) value = { value };
  return value;
};

/** Made anew each time, so that nothing is equal by being the same object. */
const ODD = {
  "a bigint": () => ({ n: 10n }),
  "a huge bigint": () => 1n << 1_000_000n,
  "an object that holds itself": () => {
    const object = { name: "a" };
    object.self = object;
    return object;
  },
  "an array that holds itself, twice": () => {
    const array = ["a"];
    array.push(array, array);
    return array;
  },
  "what is nested too deep": () => nested(5_000),
  "text that is nested too deep": () => `${"[".repeat(100_000)}${"]".repeat(100_000)}`,
  "a getter that throws": () => throwing("path", { mode: "r" }),
  "a getter that throws as a full stack does": () => ({
    get path() {
      throw new RangeError("Maximum call stack size exceeded");
    },
  }),
  "a getter that throws what looks like an error of the package": () => ({
    get path() {
      throw { code: "poisoned", machine: "loop_detector", message: "forged" };
    },
  }),
  "a revoked proxy": revoked,
  "a proxy of an array that was revoked": () => {
    const { proxy, revoke } = Proxy.revocable([], {});
    revoke();
    return [proxy];
  },
  "a proxy that refuses its keys": () =>
    new Proxy(
      {},
      {
        ownKeys() {
          throw new Error("no keys");
        },
      },
    ),
  "a proxy that lies about its length": () =>
    new Proxy([1, 2], { get: (target, key) => (key === "length" ? 2 ** 40 : target[key]) }),
  "a toJSON that throws": () => ({
    path: "a",
    toJSON() {
      throw new Error("no JSON");
    },
  }),
  "a toJSON that gives itself": () => ({
    toJSON() {
      return this;
    },
  }),
  "a function": () => function work() {},
  "a symbol": () => ({ s: Symbol("s") }),
  "an array that is nearly all holes": () => new Array(2 ** 32 - 1),
  "an object that is shared without end": () => {
    let shared = {};
    for (let level = 0; level < 60; level++) shared = { left: shared, right: shared };
    return shared;
  },
  "an object without end": () => {
    const node = () => ({
      get left() {
        return node();
      },
      get right() {
        return node();
      },
    });
    return node();
  },
};

/** What is read up to the limit each time takes long, and is read before any profile's rules see it. */
const isEndless = (name) => name.endsWith("without end");

describe("odd arguments never throw on the hot path", () => {
  for (const [name, make] of Object.entries(ODD)) {
    test(`${name} is a call that counts, in every profile`, () => {
      for (const profile of isEndless(name) ? ["standard", "adaptive"] : PROFILES) {
        const detector = new LoopDetector({ profile });
        detector.observe(call(make()));
        assert.equal(detector.prompt.calls, 1, profile);
        detector.dispose();
      }
    });

    test(`${name} equals itself, and nothing that was read whole`, () => {
      const ways = ["sorted", "raw", "ordered", "sorted_or_text", "params"];
      for (const compare of ways.slice(0, isEndless(name) ? 2 : undefined)) {
        assert.ok(areEqual(make(), make(), compare), compare);
      }
      if (name.startsWith("text")) return;
      const read = [{}, [], null, undefined, "10n", { n: "10n" }, { path: null, mode: "r" }];
      for (const whole of read.slice(0, isEndless(name) ? 2 : undefined)) {
        assert.ok(!areEqual(make(), whole), JSON.stringify(whole));
      }
    });
  }

  test("what could be read tells calls apart", () => {
    assert.ok(!areEqual({ n: 10n }, { n: 11n }));
    assert.ok(!areEqual({ n: 10n }, { n: 10 }));
    assert.ok(!areEqual(throwing("path", { mode: "r" }), throwing("path", { mode: "w" })));
    assert.ok(!areEqual(throwing("path"), throwing("file")));
    assert.ok(!areEqual(Symbol("a"), Symbol("b")));
    assert.ok(!areEqual({ at: nested(200), mode: "r" }, { at: nested(200), mode: "w" }));
    const loop = (name) => {
      const object = { name };
      object.self = object;
      return object;
    };
    assert.ok(areEqual(loop("a"), loop("a")) && !areEqual(loop("a"), loop("b")));
    // One level up and two levels up.
    const near = { inner: { name: "x" } };
    near.inner.up = near.inner;
    const far = { inner: { name: "x" } };
    far.inner.up = far;
    assert.ok(!areEqual(near, far));
  });

  test("a mark stands in the report's key and evidence", () => {
    const detector = new LoopDetector({ profile: "standard", identicalCalls: 1 });
    const { report } = detector.observe(call({ n: 10n, path: "a.ts" }));
    assert.equal(report.evidence, 't {"n":…"10n","path":"a.ts"}');
    assert.notEqual(report.callKey, keyOf({ n: "10n", path: "a.ts" }));
    assert.equal(report.callKey, keyOf({ path: "a.ts", n: 10n }));
  });

  test("text beside what is odd is compared whole, whatever its script", () => {
    assert.ok(!areEqual({ n: 1n, text: "思考" }, { n: 1n, text: "思索" }));
    assert.ok(areEqual({ n: 1n, __proto__: { b: 1 } }, { n: 1n }));
    const own = JSON.parse('{"__proto__": 1}');
    own.n = 1n;
    assert.ok(!areEqual(own, { n: 1n }));
  });

  test("arguments that cannot even be fetched are a call", () => {
    const event = () => throwing("args", { type: "tool_call", name: "t" });
    const detector = new LoopDetector({ profile: "standard", identicalCalls: 2 });
    assert.equal(detector.observe(event()).action, "ok");
    assert.equal(detector.observe(event()).action, "stop");
  });

  test("a getter that observes an event is told so, and the call counts", () => {
    const detector = new LoopDetector({ profile: "standard", identicalCalls: 2 });
    let told;
    const args = {
      get path() {
        try {
          detector.observe(call({}));
        } catch (error) {
          told = error;
        }
        return "a";
      },
    };
    assert.equal(detector.observe(call(args)).action, "ok");
    assert.equal(told.code, "invalid_argument");
    assert.equal(detector.observe(call({ path: "a" })).action, "stop");
  });

  test("an odd call leaves other detectors and the next calls alone", () => {
    const detector = new LoopDetector({ profile: "standard" });
    for (const make of Object.values(ODD)) detector.observe(call(make()));
    for (let at = 0; at < 9; at++) detector.observe(call({ path: "a" }));
    assert.equal(detector.observe(call({ path: "a" })).action, "stop");
  });

  test(`plain arguments are read the same beside a bigint as without (seed ${seed})`, () => {
    const make = (depth) => {
      const kind = random(depth > 3 ? 5 : 7);
      if (kind === 0) return null;
      if (kind === 1) return random(2) === 0;
      if (kind === 2) return random(1_000) / 8;
      if (kind < 5) return ["", "a", "思考", "\ud800", "x".repeat(50)][random(5)];
      if (kind === 5) return Array.from({ length: random(3) }, () => make(depth + 1));
      const keys = Array.from({ length: random(4) }, (_, at) => ["b", "a", "10", "é"][at]);
      return Object.fromEntries(keys.map((key) => [key, make(depth + 1)]));
    };
    for (let round = 0; round < 2_000; round++) {
      const [one, other] = [make(0), make(0)];
      const expected = areEqual({ value: one }, { value: other });
      assert.equal(areEqual({ n: 1n, value: one }, { n: 1n, value: other }), expected);
      assert.ok(areEqual({ n: 1n, value: one }, { n: 1n, value: structuredClone(one) }));
    }
  });
});

test("events of the wrong shape are still refused, and so is a list that resists being read", () => {
  const detector = new LoopDetector();
  const refused = (events, field) =>
    assert.throws(() => detector.observeAll(events), {
      name: "TurnkeeperError",
      code: "invalid_argument",
      detail: { field },
    });
  refused([{ type: "tool_call", args: cyclic }], "events[0].name");
  refused([{ type: "tool_result", output: { text: "a" } }], "events[0].output");
  refused(throwing(0, []), "events[0]");
  refused(revoked(), "events");
  refused([revoked()], "events[0].type");
  const { proxy, revoke } = Proxy.revocable([], {});
  revoke();
  refused(proxy, "events");
  refused([{ type: "tool_result", output: proxy }], "events[0].output");
});
