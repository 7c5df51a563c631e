// Checks of what a host gives, which is plain data. `machine` is who refuses, `field` says where it was found.

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

/** Explains an unknown option and lists the known ones. */
export function notAnOption(options: readonly string[]): string {
  return `is not an option; it must be ${oneOf(options)}`;
}

/** The names with commas, the last after "or". */
export function oneOf(names: readonly string[]): string {
  const last = names.at(-1)!;
  return names.length === 1 ? last : `${names.slice(0, -1).join(", ")} or ${last}`;
}

/**
 * A value that may be left out, or be null: an adapter that has nothing to say often says null.
 */
export function optional<T extends keyof Types>(
  machine: string,
  value: unknown,
  type: T,
  field: string,
): Types[T] | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== type) throw invalidArgument(machine, field, `must be a ${type}`);
  return value as Types[T];
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
  field = "options",
): asserts options is object {
  checkObject(machine, options, field);
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || names.includes(name)) continue;
    throw invalidArgument(machine, `${field}.${name}`, notAnOption(names));
  }
}

/** Throws unless `value` is an array. */
export function checkArray(
  machine: string,
  value: unknown,
  field: string,
): asserts value is unknown[] {
  if (!Array.isArray(value)) throw invalidArgument(machine, field, "must be an array");
  for (let at = 0; at < value.length; at++) {
    if (!(at in value)) throw invalidArgument(machine, `${field}[${at}]`, "must not be a hole");
  }
}

/** An `AbortSignal` that may be left out. @throws `invalid_argument` for anything else */
export function optionalSignal(
  machine: string,
  given: unknown,
  field: string,
): AbortSignal | undefined {
  if (given === undefined || given === null) return undefined;
  const { aborted, addEventListener, removeEventListener } = given as Record<string, unknown>;
  const isSignal =
    typeof aborted === "boolean" &&
    typeof addEventListener === "function" &&
    typeof removeEventListener === "function";
  if (isSignal) return given as AbortSignal;
  throw invalidArgument(machine, field, "must be an AbortSignal");
}

/** Whether it is an array of bytes, also one of another frame or of a test's environment. */
export function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && (value as Uint8Array).BYTES_PER_ELEMENT === 1;
}

/** A copy of bytes, which a host may change meanwhile. */
export function bytesOf(machine: string, bytes: unknown, field: string, must: string): Uint8Array {
  if (isBytes(bytes)) return new Uint8Array(bytes);
  throw invalidArgument(machine, field, must);
}

/** Whether `value` can have properties. */
export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
