// Every public call with every value of tests/data/bad-inputs, in the place of each argument and of
// each property of it: a typed error or an answer, and the object and its neighbours go on working.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { HostError, badInputs } from "./bad-inputs.mjs";
import { CALLS, MAKE } from "./bad-inputs-calls.mjs";
import { turnkeeper } from "./installed-package.mjs";
import { publicCalls } from "./public-calls.mjs";

const { LoopDetector, TurnkeeperError } = turnkeeper;

/** Entries whose calls take what a provider or another program made; suites of their own try those. */
const ELSEWHERE = /^turnkeeper\/(adapters\/|replace\/|(cline|opencode|pi|slim)$)/;
/** A call that has not answered after so many milliseconds hangs. */
const HANGS = 120_000;

test("every public call has a row, and every row a call", () => {
  for (const [entry, calls] of publicCalls()) {
    if (ELSEWHERE.test(entry)) continue;
    const { rows } = CALLS.get(entry) ?? {};
    const own = calls.filter((call) => (rows && call in rows) || !isOfMain(call));
    assert.deepEqual(Object.keys(rows ?? {}).sort(), own, entry);
  }
});

/** Other entries have calls of the main entry, too, or no others. */
function isOfMain(call) {
  const { rows } = CALLS.get("turnkeeper");
  return call in rows || `new ${call}` in rows;
}

/** The places of a call's arguments: each argument, and each property that is plain data. */
function placesOf(value, above = [], depth = 0) {
  if (depth === 4 || typeof value !== "object" || value === null) return [];
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  if (!isPlain) return [];
  return Object.keys(value).flatMap((key) => {
    const place = [...above, key];
    return [place, ...placesOf(value[key], place, depth + 1)];
  });
}

function put(args, place, value) {
  const holder = place.slice(0, -1).reduce((object, key) => object[key], args);
  holder[place.at(-1)] = value;
}

const soon = (promise, what) => {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(
      () => reject(new assert.AssertionError({ message: `${what} hangs` })),
      HANGS,
    );
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
};

const STATIC = ["restore", "importTurns"];

/** Calls, and waits for what it promises: the error, if there is one. */
async function outcomeOf(name, entry, target, args, then, what) {
  try {
    let answer;
    const [owner, member] = name.split(".");
    if (name.startsWith("new ")) answer = new entry[name.slice(4)](...args);
    else if (member === undefined) answer = entry[name](...args);
    else if (STATIC.includes(member)) answer = entry[owner][member](...args);
    else answer = typeof target[member] === "function" ? target[member](...args) : undefined;
    if (then) answer = then(answer);
    if (answer instanceof Promise) answer = await soon(answer, what);
    answer?.dispose?.();
  } catch (error) {
    return { error };
  }
  return {};
}

/** What a host's own code throws. */
const isHosts = (error) =>
  error instanceof HostError ||
  (error instanceof TypeError && /^Class constructor/.test(error.message));

function assertWorks(object, what) {
  if (object === undefined || object.snapshot === undefined) return;
  try {
    object.snapshot();
  } catch (error) {
    assert.equal(error.code, "disposed", `${what}: ${error.stack}`);
  }
}

const call = { type: "tool_call", name: "ls", args: { path: "a" } };

for (const [specifier, { rows, entry }] of CALLS) {
  describe(specifier, () => {
    for (const [name, given] of Object.entries(rows)) {
      test(name, async () => {
        const neighbour = new LoopDetector();
        for (const { args, then, handsOn, isOwn, refuses } of [given].flat()) {
          const places = isOwn ? [] : [undefined, ...placesOf(args())];
          for (const place of places) {
            for (const { name: value, make } of place ? badInputs : [{ name: "nothing bad" }]) {
              const what = `${name} with ${value} as ${place?.join(".") ?? ""}`;
              const target = MAKE[name.split(".")[0]]?.();
              const made = args();
              if (place) put(made, place, make());
              const { error } = await outcomeOf(name, entry, target, made, then, what);
              if (!place) assert.equal(error?.code, refuses, `${what}: ${error?.stack}`);
              const isKnown = error instanceof TurnkeeperError || (handsOn && isHosts(error));
              assert.ok(error === undefined || isKnown, `${what}: ${error?.stack ?? error}`);
              assert.notEqual(error?.code, "poisoned", `${what}: ${error?.stack}`);
              assertWorks(target, what);
              target?.dispose();
            }
          }
        }
        assert.equal(neighbour.observe(call).action, "ok");
        assert.equal({}.polluted, undefined, "nothing is put on all objects");
      });
    }
  });
}
