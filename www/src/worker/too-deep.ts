import { InputError } from "../../../js/src/saved/event-lines.js";
import { Unreadable } from "../../../js/src/saved/saved-session.js";

/**
 * An error as one of the input. A worker of Firefox has little stack: arguments some thousand levels deep can be read
 * there, and not written.
 *
 * @throws what is no error of the input
 */
export function asInputError(error: unknown, file: string, line: number): InputError {
  if (error instanceof InputError) return error;
  const isTooDeep = error instanceof Error && /^(RangeError|InternalError)$/.test(error.name);
  if (!isTooDeep && !(error instanceof Unreadable)) throw error;
  return new InputError(file, "is nested too deep for this browser", line);
}
