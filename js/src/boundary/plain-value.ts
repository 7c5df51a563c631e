// A host's object, read once into plain data. Options and requests cross into the module as copies, so
// that whatever a getter or a proxy does happens here, where it is caught and named.

import { invalidArgument, isObject, refusal, unreadable } from "./arguments.js";
import { type ErrorCode, TurnkeeperError, isA } from "./errors.js";

/** What JSON has, and nothing else. */
export type PlainValue =
  null | boolean | number | string | PlainValue[] | { [name: string]: PlainValue };

/** No options and no request are nested deeper. */
const MAX_DEPTH = 32;
/** No list in them is longer. */
const MAX_ITEMS = 100_000;

/**
 * A copy of `value` that is plain data: its own enumerable properties, and those of an array its items.
 * A property that is `undefined` is left out, as with a destructured parameter. A `RegExp` becomes
 * `{ source, flags }`. Infinity, which JSON does not have, becomes the largest number.
 *
 * @param machine Who refuses.
 * @param field What an error calls the value; the fields of the options themselves are named without it.
 * @param code The code of an error about a value that is not plain data, such as a function.
 * @throws That code with the field's path, and `invalid_argument` for what cannot be read.
 */
export function plainValue(
  machine: string,
  field: string,
  value: unknown,
  code: ErrorCode = "invalid_argument",
): PlainValue {
  return copy(value, field, 0);

  function copy(value: unknown, path: string, depth: number): PlainValue {
    switch (typeof value) {
      case "string":
      case "boolean":
        return value;
      case "number":
        if (Number.isNaN(value)) throw refusal(code, machine, path, "must not be NaN");
        return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value));
    }
    if (value === null) return null;
    if (!isObject(value)) {
      const must =
        value === undefined ? "must be given" : `must be plain data, not a ${typeof value}`;
      throw refusal(code, machine, path, must);
    }
    if (depth === MAX_DEPTH) {
      throw invalidArgument(machine, path, `is nested more than ${MAX_DEPTH} deep`);
    }
    const entries = entriesOf(value, path, depth);
    if (Array.isArray(entries)) {
      return entries.map((item, at) => copy(item, `${path}[${at}]`, depth + 1));
    }
    const plain: { [name: string]: PlainValue } = Object.create(null);
    for (const [name, item] of entries) {
      if (item === undefined) continue;
      plain[name] = copy(item, pathOf(name, path, depth), depth + 1);
    }
    return plain;
  }

  function itemsOf(array: unknown[], path: string): unknown[] {
    const items: unknown[] = [];
    for (let at = 0; at < array.length; at++) {
      if (!(at in array)) throw refusal(code, machine, `${path}[${at}]`, "must not be missing");
      if (at === MAX_ITEMS) {
        throw refusal(code, machine, path, `must have at most ${MAX_ITEMS} items`);
      }
      items.push(array[at]);
    }
    return items;
  }

  function pathOf(name: string, path: string, depth: number): string {
    return depth === 0 && field === "options" ? name : `${path}.${name}`;
  }

  /** The items of an array, or the names and values of an object. */
  function entriesOf(value: object, path: string, depth: number): unknown[] | Map<string, unknown> {
    let name: string | undefined;
    try {
      if (Array.isArray(value)) return itemsOf(value, path);
      if (isRegExp(value)) {
        // A copy has what the engine has compiled, whatever properties were put over it.
        const { source, flags } = new RegExp(value);
        return new Map<string, unknown>([
          ["source", source],
          ["flags", flags],
        ]);
      }
      const entries = new Map<string, unknown>();
      for (name of Object.keys(value)) {
        entries.set(name, (value as Record<string, unknown>)[name]);
      }
      return entries;
    } catch (cause) {
      if (isA(cause, TurnkeeperError)) throw cause;
      throw unreadable(machine, name === undefined ? path : pathOf(name, path, depth), cause);
    }
  }
}

/** Whether it is a regular expression, of whichever realm, and not an object that is written like one. */
function isRegExp(value: object): value is RegExp {
  if (value instanceof RegExp) return true;
  if (Object.prototype.toString.call(value) !== "[object RegExp]") return false;
  try {
    // The getter throws for any other object.
    Reflect.get(RegExp.prototype, "source", value);
    return true;
  } catch {
    return false;
  }
}
