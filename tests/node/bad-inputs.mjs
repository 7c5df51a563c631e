// The values of tests/fixtures/bad-inputs, built. Each is made anew, so no call sees what another left.

import { readFileSync } from "node:fs";

const FILE = new URL("../fixtures/bad-inputs/values.json", import.meta.url);

/** What a host's own code throws here, to be told from what the package throws. */
export class HostError extends Error {}

const fail = () => {
  throw new HostError("the host's own");
};
const getter = (get) => Object.defineProperty({}, "type", { enumerable: true, get });
const overflow = () => overflow() + 1;
const revoked = (target) => {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
};
const traps = Object.fromEntries(Object.getOwnPropertyNames(Reflect).map((name) => [name, fail]));
const cycle = (holder, key) => {
  holder[key] = holder;
  return holder;
};

/** Those that JSON has no words for. */
const MAKERS = {
  undefined: () => undefined,
  "a symbol": () => Symbol("x"),
  "a bigint": () => 1n,
  "a function": () => () => undefined,
  "a throwing function": () => fail,
  "a date": () => new Date(Number.NaN),
  "a map": () => new Map([["type", "text"]]),
  "a regular expression": () => /(?=x)\1/g,
  "a forged regular expression": () => Object.create(RegExp.prototype, { source: { value: "(" } }),
  "a cyclic object": () => cycle({}, "self"),
  "a cyclic array": () => cycle([], 0),
  "a sparse array": () => [, "x", ,],
  "a frozen object": () => Object.freeze({ type: "text", text: "x" }),
  "a frozen array": () => Object.freeze([Object.freeze({})]),
  "a throwing getter": () => getter(fail),
  "a getter that runs out of stack": () => getter(overflow),
  "a getter that forges an error": () =>
    getter(() => {
      throw { code: "poisoned", machine: "loop_detector", message: "forged" };
    }),
  "a revoked proxy": () => revoked({}),
  "a revoked array": () => revoked([]),
  "a proxy whose traps throw": () => new Proxy({}, traps),
  "an array with a throwing item": () =>
    Object.defineProperty([1], 0, { enumerable: true, get: fail }),
  "an array of another species": () =>
    Object.assign(["x"], { constructor: { [Symbol.species]: fail } }),
  "toJSON that throws": () => ({ toJSON: fail }),
  "toString that throws": () => ({ toString: fail, valueOf: fail, [Symbol.toPrimitive]: fail }),
  bytes: () => new Uint8Array([0, 1, 255]),
  "bytes whose length lies": () =>
    Object.defineProperty(new Uint8Array(8), "length", { value: 2 ** 32 }),
  "a detached buffer": () => {
    const bytes = new Uint8Array(8);
    structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
    return bytes;
  },
  "a promise": () => Promise.resolve("x"),
  "a rejected thenable": () => ({ then: (_, reject) => reject?.(new HostError("the host's own")) }),
  "an abort signal": () => AbortSignal.abort(new HostError("the host's own")),
  "a class": () => class {},
  "a boxed string": () => new String("text"),
  "an object without a prototype": () => Object.assign(Object.create(null), { type: "text" }),
};

function maker(entry) {
  const { name, value, json, number, units, repeat, times, nested, deep, items, javascript } =
    entry;
  if (javascript !== undefined) {
    if (!MAKERS[javascript]) throw new Error(`nothing makes ${javascript}`);
    return MAKERS[javascript];
  }
  if (json !== undefined) return () => JSON.parse(json);
  if (number !== undefined) return () => Number(number);
  if (units !== undefined) return () => String.fromCharCode(...units);
  if (repeat !== undefined) return () => repeat.repeat(times);
  if (items !== undefined) return () => Array.from({ length: items }, (_, n) => `${n}`);
  if (nested !== undefined) {
    return () => {
      let inner = nested === "array" ? [] : {};
      for (let n = 1; n < deep; n++) inner = nested === "array" ? [inner] : { a: inner };
      return inner;
    };
  }
  if (value === undefined) throw new Error(`${name} says nothing of its value`);
  return () => structuredClone(value);
}

/** Each value's name, and a function that makes it. */
export const badInputs = JSON.parse(readFileSync(FILE, "utf8")).values.map((entry) => ({
  name: entry.name,
  make: maker(entry),
}));
