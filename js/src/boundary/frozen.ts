// Freezes what the package hands out and keeps, so that nobody changes it for another.

import { isObject } from "./arguments.js";

/** Plain data of this package's own, frozen to the bottom. */
export function frozen<T>(plain: T): T {
  if (!isObject(plain) || Object.isFrozen(plain)) return plain;
  for (const value of Object.values(plain)) frozen(value);
  return Object.freeze(plain);
}

/** A frozen copy of plain data that somebody else holds, too. */
export function frozenCopy<T>(plain: T): T {
  if (!isObject(plain) || Object.isFrozen(plain)) return plain;
  const copy: unknown = Array.isArray(plain)
    ? plain.map(frozenCopy)
    : Object.fromEntries(Object.entries(plain).map(([name, value]) => [name, frozenCopy(value)]));
  return Object.freeze(copy) as T;
}
