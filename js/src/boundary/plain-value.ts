// Options and requests cross into the module as plain data.

import { invalidArgument, isObject, refusal } from "./arguments.js";
import type { ErrorCode } from "./errors.js";

/** What JSON has, and nothing else. */
export type PlainValue =
  null | boolean | number | string | PlainValue[] | { [name: string]: PlainValue };

/** No options and no request are nested deeper, and no list in them is longer. */
const MAX_DEPTH = 32;
const MAX_ITEMS = 100_000;

/** A machine's options as plain data, as {@link plainValue} reads them. */
export function plainOptions(machine: string, options: unknown): PlainValue {
  return plainValue(machine, "options", options, "invalid_config");
}

/**
 * A copy of `value` that is plain data. A property that is `undefined` is left out, as with a destructured
 * parameter. A `RegExp` becomes `{ source, flags }`. Infinity, which JSON does not have, becomes the largest
 * number.
 *
 * @param machine Who refuses.
 * @param field What an error calls the value; the fields of the options themselves are named without it.
 * @param code The code of an error about a value that is not plain data, such as a function.
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
    if (Array.isArray(value)) {
      if (value.length > MAX_ITEMS) {
        throw refusal(code, machine, path, `must have at most ${MAX_ITEMS} items`);
      }
      return Array.from(value, (item, at) => copy(item, `${path}[${at}]`, depth + 1));
    }
    if (value instanceof RegExp) return { source: value.source, flags: value.flags };
    const plain: { [name: string]: PlainValue } = {};
    for (const [name, item] of Object.entries(value)) {
      if (item === undefined) continue;
      const place = depth === 0 && field === "options" ? name : `${path}.${name}`;
      plain[name] = copy(item, place, depth + 1);
    }
    return plain;
  }
}
