import { oneLine } from "../analysis/plain-text.js";
import { InputError } from "../saved/event-lines.js";

import { EXIT } from "./exit-code.js";
import { besideBar } from "./terminal/progress.js";

/** What is wrong with the input, in words that name it. */
export function describe({ file, line, message }: InputError): string {
  const name = file === "-" ? "standard input" : file;
  return line === undefined ? `${name} ${message}` : `${name}, line ${line}: ${message}`;
}

/** One line on standard error, whatever the message quotes; the exit code for it. */
export function complain(message: string): number {
  besideBar(() => process.stderr.write(`turnkeeper: ${oneLine(message, 2_000)}\n`));
  return EXIT.badInput;
}

/** Tells what is wrong with the input, as it comes, and counts it. */
export class Complaints {
  count = 0;

  readonly add = (problem: InputError): void => {
    this.count += 1;
    complain(describe(problem));
  };

  /** What the work gives, or undefined after something that is complained of, if it matters. */
  async catch<T>(
    work: () => Promise<T>,
    matters: (error: InputError) => boolean,
  ): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      if (matters(error)) this.add(error);
      return undefined;
    }
  }
}
