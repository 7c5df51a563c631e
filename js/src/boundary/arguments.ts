// What a host gives is looked at before it is believed. `machine` is who refuses, `field` says where
// it was found.

import { type ErrorCode, TurnkeeperError } from "./errors.js";

interface Types {
  string: string;
  number: number;
  boolean: boolean;
}

/** The error of a machine, which says of the field at fault, if there is one, what it must be. */
export function refusal(
  code: ErrorCode,
  machine: string,
  field: string | undefined,
  must: string,
  cause?: unknown,
): TurnkeeperError {
  return new TurnkeeperError({
    code,
    machine,
    message: field === undefined ? `${machine}: ${must}` : `${machine}: ${field} ${must}`,
    detail: field === undefined ? undefined : { field },
    cause,
  });
}

/** An `invalid_argument` that names the field. */
export function invalidArgument(
  machine: string,
  field: string,
  must: string,
  cause?: unknown,
): TurnkeeperError {
  return refusal("invalid_argument", machine, field, must, cause);
}

/** An `invalid_config` that names the option. */
export function invalidConfig(machine: string, option: string, must: string): TurnkeeperError {
  return refusal("invalid_config", machine, option, must);
}

/** What an option is that there is not, and which there are. */
export function notAnOption(options: readonly string[]): string {
  return `is not an option; it must be ${oneOf(options)}`;
}

/** The names in a row, the last after "or". */
export function oneOf(names: readonly string[]): string {
  const last = names.at(-1)!;
  return names.length === 1 ? last : `${names.slice(0, -1).join(", ")} or ${last}`;
}

/** The error of a property whose getter or proxy has thrown. */
export function unreadable(machine: string, field: string, cause: unknown): TurnkeeperError {
  return invalidArgument(machine, field, "could not be read", cause);
}

/** Reads a property; a getter or proxy that throws is a wrong argument. */
export function read(machine: string, object: object, name: string, of: string): unknown {
  try {
    return (object as Record<string, unknown>)[name];
  } catch (error) {
    throw unreadable(machine, `${of}.${name}`, error);
  }
}

/**
 * A value that may be left out, or be null: an adapter that has nothing to say often says null. The
 * field is in pieces, which are put together for an error only.
 */
export function optional<T extends keyof Types>(
  machine: string,
  value: unknown,
  type: T,
  ...field: string[]
): Types[T] | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== type) throw invalidArgument(machine, field.join("."), `must be a ${type}`);
  return value as Types[T];
}

/** Reads a property that may be left out. */
export function readOptional<T extends keyof Types>(
  machine: string,
  object: object,
  name: string,
  type: T,
  of: string,
): Types[T] | undefined {
  return optional(machine, read(machine, object, name, of), type, of, name);
}

/** Throws unless `value` is a string. */
export function checkString(
  machine: string,
  value: unknown,
  field: string,
): asserts value is string {
  if (typeof value !== "string") throw invalidArgument(machine, field, "must be a string");
}

/** Throws unless `value` is an object, which an array is, too. */
export function checkObject(
  machine: string,
  value: unknown,
  field: string,
): asserts value is object {
  if (!isObject(value)) throw invalidArgument(machine, field, "must be an object");
}

/**
 * Throws unless the options of a call are an object that has no other names than those. As everywhere, an
 * option that is undefined is not given.
 */
export function checkOptions(
  machine: string,
  options: unknown,
  names: readonly string[],
): asserts options is object {
  checkObject(machine, options, "options");
  let unknown: string | undefined;
  try {
    const given = options as Record<string, unknown>;
    unknown = Object.keys(given).find((name) => !names.includes(name) && given[name] !== undefined);
  } catch (error) {
    throw unreadable(machine, "options", error);
  }
  if (unknown === undefined) return;
  throw invalidArgument(machine, `options.${unknown}`, notAnOption(names));
}

/** Throws unless `value` is an array, and no endless one. */
export function checkArray(
  machine: string,
  value: unknown,
  field: string,
): asserts value is unknown[] {
  if (!isArray(value)) throw invalidArgument(machine, field, "must be an array");
  checkLength(machine, value, field);
}

/** A list with more items is refused: with nothing in it, it could still be four thousand million long. */
export const MOST_ITEMS = 10_000_000;

/** @throws `limit_exceeded` for a list that is too long. */
export function checkLength(machine: string, list: readonly unknown[], field: string): void {
  let length: unknown;
  try {
    ({ length } = list);
  } catch (error) {
    throw unreadable(machine, field, error);
  }
  if (typeof length === "number" && length <= MOST_ITEMS) return;
  throw refusal("limit_exceeded", machine, field, `must have at most ${MOST_ITEMS} items`);
}

/** Whether it is an array; a proxy that was revoked is nothing, and does not throw. */
export function isArray(value: unknown): value is unknown[] {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

/** The items of what should be an array, each read once. @throws `invalid_argument`, naming the item */
export function itemsOf(machine: string, list: unknown, field: string): unknown[] {
  checkArray(machine, list, field);
  const items: unknown[] = [];
  try {
    for (let at = 0; at < list.length; at++) items.push(list[at]);
  } catch (error) {
    throw unreadable(machine, `${field}[${items.length}]`, error);
  }
  return items;
}

/**
 * Whether it is an array of bytes, of whichever realm: a test's, a frame's. A proxy around one is none, and
 * has no say in it.
 */
export function isBytes(value: unknown): value is Uint8Array {
  try {
    return ArrayBuffer.isView(value) && (value as Uint8Array).BYTES_PER_ELEMENT === 1;
  } catch {
    return false;
  }
}

/** A copy of bytes as they are, whatever `length` was put over them, and whoever changes them meanwhile. */
export function bytesOf(machine: string, bytes: unknown, field: string, must: string): Uint8Array {
  try {
    if (isBytes(bytes)) return new Uint8Array(bytes);
  } catch (error) {
    throw unreadable(machine, field, error);
  }
  throw invalidArgument(machine, field, must);
}

/** The items of a host's array, in one of our own: what `slice` gives may be of any kind. */
export function copyOf<T>(list: readonly T[]): T[] {
  const copy: T[] = [];
  const { length } = list;
  copy.length = length;
  for (let at = 0; at < length; at++) if (at in list) copy[at] = list[at]!;
  return copy;
}

/** Whether `value` can have properties; a function is none that the package is ever given. */
export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
