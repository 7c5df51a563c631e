// The values of tests/data/bad-inputs, built. Each is made anew, so no call sees what another left.

import { readFileSync } from "node:fs";

const FILE = new URL("../../data/bad-inputs/values.json", import.meta.url);

/** What a host's own code throws here, to be told from what the package throws. */
export class HostError extends Error {}

const fail = () => {
  throw new HostError("the host's own");
};
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
  "a cyclic object": () => cycle({}, "self"),
  "a cyclic array": () => cycle([], 0),
  "a sparse array": () => [, "x", ,],
  "a frozen object": () => Object.freeze({ type: "text", text: "x" }),
  "a frozen array": () => Object.freeze([Object.freeze({})]),
  bytes: () => new Uint8Array([0, 1, 255]),
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
