// A command that was typed into a terminal, and what becomes of it if its shell reports after all.

import { INTERRUPT, type Ending, Output, lastOutput } from "./run.js";
import type { VscodeExecution, VscodeRunRequest, VscodeTerminal } from "./shapes.js";

export class TypedCommand {
  /** What it printed since its shell has reported that it began. */
  readonly output: Output;
  /** Its end, as far as that is ever known. */
  readonly ended: Promise<Ending>;
  readonly #signal: AbortSignal | undefined;
  #hasBegun = false;
  #exitCode: number | undefined;
  #reading: Promise<unknown> = Promise.resolve();
  #end!: (ending: Ending) => void;

  constructor(
    private readonly terminal: VscodeTerminal,
    request: VscodeRunRequest,
    maxOutput: number,
  ) {
    this.#signal = request.signal;
    this.output = new Output(maxOutput, request.onOutput);
    const ended = new Promise<Ending>((resolve) => (this.#end = resolve));
    this.ended = ended.then(async (ending) => {
      await lastOutput(ending, this.#reading);
      this.output.close();
      return ending;
    });
  }

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** That of the last line that has ended. */
  get exitCode(): number | undefined {
    return this.#exitCode;
  }

  /** The shell runs it, or another line of it. Says whether that is the first. */
  begins(execution: VscodeExecution): boolean {
    this.#reading = Promise.all([this.#reading, this.output.read(execution)]);
    if (this.#hasBegun) return false;
    this.#hasBegun = true;
    if (this.#signal?.aborted) this.#interrupt();
    else this.#signal?.addEventListener("abort", this.#interrupt, { once: true });
    return true;
  }

  /** A line of it has ended; it may have more of them. */
  lineEnded(exitCode: number | undefined): void {
    this.#exitCode = exitCode;
  }

  /** Only the first time counts. */
  end(ending: Ending): void {
    this.#signal?.removeEventListener("abort", this.#interrupt);
    this.#end(ending);
  }

  readonly #interrupt = (): void => {
    this.terminal.sendText(INTERRUPT, false);
    this.end({ outcome: "aborted" });
  };
}
