// A command that was typed into a terminal, and what becomes of it if its shell reports after all.

import { Followed } from "./run.js";
import type { VscodeExecution, VscodeRunRequest, VscodeTerminal } from "./shapes.js";

export class TypedCommand extends Followed {
  /** That of the last line that has ended; it may have more of them. */
  exitCode: number | undefined;
  #hasBegun = false;

  constructor(
    private readonly terminal: VscodeTerminal,
    request: VscodeRunRequest,
    maxOutput: number,
  ) {
    super(request, maxOutput);
  }

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** The shell runs it, or another line of it. Says whether that is the first. */
  begins(execution: VscodeExecution): boolean {
    this.reading = Promise.all([this.reading, this.output.read(execution)]);
    if (this.#hasBegun) return false;
    this.#hasBegun = true;
    this.listen(this.terminal);
    return true;
  }
}
