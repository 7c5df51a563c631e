// What a host gives is looked at before it is believed. `machine` is who refuses, `field` and `of`
// say where it was found.

import { invalidArgument, type TurnkeeperError } from "./errors.js";

interface Types {
  string: string;
  number: number;
  boolean: boolean;
}

/** Reads a property; a getter or proxy that throws is a wrong argument. */
export function read(machine: string, object: object, name: string, of: string): unknown {
  try {
    return (object as Record<string, unknown>)[name];
  } catch (error) {
    throw unreadable(machine, `${of}.${name}`, error);
  }
}

/** The error of a property whose getter or proxy has thrown. */
export function unreadable(machine: string, field: string, cause: unknown): TurnkeeperError {
  return invalidArgument(machine, field, "could not be read", cause);
}

/** A value that may be left out, or be null: an adapter that has nothing to say often says null. */
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
