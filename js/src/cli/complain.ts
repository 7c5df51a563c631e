import { oneLine } from "../analysis/plain-text.js";
import type { InputError } from "../saved/event-lines.js";

import { EXIT, endWith } from "./exit-code.js";
import { besideBar } from "./terminal/progress.js";

/** What is wrong with the input, in words that name it. */
export function describe({ file, line, message }: InputError): string {
  const name = file === "-" ? "standard input" : file;
  return line === undefined ? `${name} ${message}` : `${name}, line ${line}: ${message}`;
}

/** One line on standard error, whatever the message quotes; the exit code says that there is one. */
export function complain(message: string): void {
  endWith(EXIT.badInput);
  besideBar(() => process.stderr.write(`turnkeeper: ${oneLine(message, 2_000)}\n`));
}
