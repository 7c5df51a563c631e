import { InputError } from "../saved/event-lines.js";

import { complain, describe } from "./complain.js";
import { findInputs, type Input } from "./files/inputs.js";
import { Progress } from "./terminal/progress.js";

/** Whose turn it is, and what is done with each. */
interface Work<T> {
  names: readonly string[];
  /** What of a folder is looked at; what is named by itself always is. */
  extension: RegExp;
  /** What is looked for, in the plural. */
  what: string;
  /** Whether a bar shows how far it is, for work that shows no rows meanwhile. */
  hasBar: boolean;
  /** Chooses among what was found. */
  among?: (inputs: readonly Input[]) => readonly Input[];
  /** @throws {@link InputError}, after which the next file has its turn */
  work: (input: Input, onRead: (bytes: number) => void) => Promise<T>;
  show?: (result: T, input: Input) => void | Promise<void>;
}

/** Works on files one after another, and tells what is wrong: how many were done, and how many problems there are. */
export async function eachFile<T>({
  names,
  extension,
  what,
  hasBar,
  among = (inputs) => inputs,
  work,
  show,
}: Work<T>): Promise<{ done: number; problems: number }> {
  let problems = 0;
  const tell = (problem: InputError): void => {
    problems += 1;
    complain(describe(problem));
  };
  const inputs = among(findInputs(names, (file) => extension.test(file), tell));
  const progress = new Progress(hasBar ? inputs : []);
  let done = 0;
  try {
    for (const input of inputs) {
      progress.file(input.file);
      try {
        const result = await work(input, (bytes) => progress.read(bytes));
        done += 1;
        await show?.(result, input);
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        // In a folder, files that are something else are ignored.
        if (input.folder === undefined || !error.isUnknown) tell(error);
      }
    }
  } finally {
    progress.end();
  }
  if (done === 0 && problems === 0) {
    for (const name of names) tell(new InputError(name, `has no ${what}`));
  }
  return { done, problems };
}
