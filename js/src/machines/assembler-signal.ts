// An AbortSignal of the host's, or whatever it takes for one.

import { invalidArgument, isObject, read } from "../boundary/arguments.js";
import { known } from "../boundary/machine.js";

/** A signal that cannot surprise: reading it never throws. */
export interface CheckedSignal {
  /** Why it was aborted, if it was: whatever the host gave, or the error of reading that. */
  readonly aborted: { reason: unknown } | undefined;
  /** Calls back when it is aborted; the function that this gives takes that back. */
  onAbort(listener: () => void): () => void;
}

/** @throws `invalid_argument` for what is no signal. */
export function readSignal(machine: string, given: unknown): CheckedSignal | undefined {
  if (given === undefined || given === null) return undefined;
  const field = "options.signal";
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
