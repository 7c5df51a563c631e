// An AbortSignal or an AbortController of the host's, or whatever it takes for one.

import { invalidArgument, isObject, read } from "./arguments.js";
import { known } from "./machine.js";

/** A signal that cannot surprise: reading it never throws. */
export interface CheckedSignal {
  /** Why it was aborted, if it was: whatever the host gave, or the error of reading that. */
  readonly aborted: { reason: unknown } | undefined;
  /** Calls back when it is aborted; the function that this gives takes that back. */
  onAbort(listener: () => void): () => void;
}

/** @throws `invalid_argument` for what is no signal. */
export function readSignal(
  machine: string,
  given: unknown,
  field: string,
): CheckedSignal | undefined {
  if (given === undefined || given === null) return undefined;
  const isSignal =
    isObject(given) &&
    typeof read(machine, given, "addEventListener", field) === "function" &&
    typeof read(machine, given, "removeEventListener", field) === "function" &&
    typeof read(machine, given, "aborted", field) === "boolean";
  if (!isSignal) throw invalidArgument(machine, field, "must be an AbortSignal");
  const signal = given as AbortSignal;
  return {
    get aborted() {
      try {
        return signal.aborted ? { reason: signal.reason as unknown } : undefined;
      } catch (error) {
        return { reason: known(error, machine, field) };
      }
    },
    onAbort(listener) {
      try {
        signal.addEventListener("abort", listener);
      } catch (error) {
        throw known(error, machine, field);
      }
      return () => {
        try {
          signal.removeEventListener("abort", listener);
        } catch {
          // What it calls later finds the work done.
        }
      };
    },
  };
}

/** A controller whose signal cannot surprise. */
export interface CheckedController {
  readonly signal: CheckedSignal;
  /** May throw what the host's own throws. */
  abort(): void;
}

/** @throws `invalid_argument` for what is no controller. */
export function readController(
  machine: string,
  given: unknown,
  field: string,
): CheckedController | undefined {
  if (given === undefined || given === null) return undefined;
  if (!isObject(given) || typeof read(machine, given, "abort", field) !== "function") {
    const must = "must be an AbortController (a signal alone cannot be aborted)";
    throw invalidArgument(machine, field, must);
  }
  const signal = readSignal(machine, read(machine, given, "signal", field), `${field}.signal`);
  if (signal === undefined) throw invalidArgument(machine, field, "must have a signal");
  return { signal, abort: () => (given as AbortController).abort() };
}
