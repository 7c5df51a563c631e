// What a call must survive: in a good argument, something somewhere is replaced by another value.

/** What the traps of a spoiled value throw; no call may hand it on. */
export class TrapError extends Error {
  name = "TrapError";
}

const trap = () => {
  throw new TrapError("a trap");
};

const nested = (depth, wrap, core) => {
  let value = core;
  for (let at = 0; at < depth; at++) value = wrap(value);
  return value;
};

/** Each by a name that tells what it is; `name` is a field that the call may read. */
export const KINDS = {
  undefined: () => undefined,
  null: () => null,
  true: () => true,
  zero: () => 0,
  minus: () => -1,
  half: () => 0.5,
  "not a number": () => Number.NaN,
  infinity: () => Infinity,
  "a large number": () => 2 ** 60,
  "a bigint": () => 10n,
  "a symbol": () => Symbol("s"),
  "a function": () => () => 1,
  "an empty text": () => "",
  "a lone surrogate": () => "\ud800",
  "a long text": () => "long 思 ".repeat(5_000),
  "an empty array": () => [],
  "an empty object": () => ({}),
  "an array with holes": () => [, 1, ,],
  "no prototype": () => Object.assign(Object.create(null), { type: "text", text: "x" }),
  "a date": () => new Date(0),
  "a date that is none": () => new Date(Number.NaN),
  "a map": () => new Map([["type", "text"]]),
  bytes: () => new Uint8Array([1, 2, 3]),
  "a buffer": () => new ArrayBuffer(8),
  "a pattern": () => /x/gu,
  "a promise": () => Promise.resolve("x"),
  "a thenable that traps": () => ({ then: trap }),
  "a boxed text": () => Object("text"),
  "an error": () => new RangeError("Maximum call stack size exceeded"),
  "a frozen object": () => Object.freeze({ type: "text", text: "x" }),
  "a cycle": () => {
    const value = { a: {} };
    value.a.self = value;
    return value;
  },
  "nested arrays": (name, dice) => nested(dice.pick([40, 600, 6_000]), (value) => [value], 1),
  "nested objects": (name, dice) => nested(dice.pick([40, 600, 6_000]), (a) => ({ a }), 1),
  "keys of the prototype": () => JSON.parse('{"__proto__": {"type": "text"}, "constructor": 1}'),
};

const NAMES = Object.keys(KINDS);
const QUIET = NAMES.filter((name) => !/trap|nested|cycle/.test(name));

/** Every kind, and those that can be read to their end. */
export const CHOICES = { all: NAMES, quiet: QUIET };

/** The argument, or with the dice's luck one with a place in it that is spoiled. */
export function maybeSpoiled(dice, argument) {
  if (!dice.chance(dice.spoiling.thousandths)) return argument;
  dice.hasSpoiled = true;
  const kind = dice.pick(CHOICES[dice.spoiling.kinds]);
  const places = [];
  collect(argument, places, 0);
  const place = dice.below(places.length + 1);
  const make = (name) => KINDS[kind](name, dice);
  if (place === places.length) return make(firstName(argument));
  const { of, name } = places[place];
  of[name] = make(name);
  return argument;
}

function collect(value, places, depth) {
  if (typeof value !== "object" || value === null || depth > 5 || places.length > 200) return;
  if (ArrayBuffer.isView(value)) return;
  for (const name of Object.keys(value)) {
    places.push({ of: value, name });
    collect(value[name], places, depth + 1);
  }
}

const firstName = (value) =>
  (typeof value === "object" && value !== null && Object.keys(value)[0]) || "type";
