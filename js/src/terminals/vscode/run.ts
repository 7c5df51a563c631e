// A command that runs: what it has printed, and who waits for it.

import { settledWithin } from "../../boundary/settled-within.js";
import type { VscodeExecution, VscodeRun, VscodeRunRequest, VscodeRunResult } from "./shapes.js";

/**
 * Milliseconds after a command's end in which VS Code may still have more of its output. Its stream ends at once
 * as a rule; on a machine that is busy the last of it has come more than a second later.
 */
const LAST_OUTPUT = 5_000;
/** The same for a command that was given up, or whose terminal was closed: it may print on for ever. */
const LAST_OUTPUT_OF_OTHERS = 1_000;
/** An interrupt, as Ctrl+C types it. */
const INTERRUPT = "\u0003";

/** The end of a command. */
export interface Ending {
  outcome: VscodeRunResult["outcome"];
  exitCode?: number | undefined;
}

/** What is typed into. */
interface Typed {
  sendText(text: string, shouldExecute?: boolean): void;
}

/** A command in a terminal: what it prints, its end, and the interrupt if its request is aborted. */
export class Followed {
  readonly request: VscodeRunRequest;
  /** What the command printed. */
  readonly output: Output;
  /** Its end, after what VS Code still had of its output. */
  readonly ended: Promise<Ending>;
  protected reading: Promise<unknown> = Promise.resolve();
  #end!: (ending: Ending) => void;
  #hasEnded = false;
  #stopListening = (): void => {};

  constructor(request: VscodeRunRequest, maxOutput: number) {
    this.request = request;
    this.output = new Output(maxOutput, request.onOutput);
    const ended = new Promise<Ending>((resolve) => (this.#end = resolve));
    this.ended = ended.then(async (ending) => {
      await lastOutput(ending, this.reading);
      this.output.close();
      return ending;
    });
  }

  /** The command has ended. Only the first time counts; says whether it was. */
  end(ending: Ending): boolean {
    if (this.#hasEnded) return false;
    this.#hasEnded = true;
    this.#stopListening();
    this.#end(ending);
    return true;
  }

  /** From now on an abort of its request interrupts it. */
  protected listen(terminal: Typed): void {
    const { signal } = this.request;
    const interrupt = (): void => {
      terminal.sendText(INTERRUPT, false);
      this.end({ outcome: "aborted" });
    };
    if (signal?.aborted) return interrupt();
    signal?.addEventListener("abort", interrupt, { once: true });
    this.#stopListening = () => signal?.removeEventListener("abort", interrupt);
  }
}

export class Run extends Followed implements VscodeRun {
  readonly result: Promise<VscodeRunResult>;
  execution: VscodeExecution | undefined;
  /** What VS Code was asked for. */
  #asked: VscodeExecution | undefined;
  #hasBegun = false;

  constructor(
    request: VscodeRunRequest,
    maxOutput: number,
    work: (run: Run) => Promise<VscodeRunResult>,
  ) {
    super(request, maxOutput);
    this.result = work(this).finally(() => this.output.close());
    // A caller who only iterates never awaits the result.
    this.result.catch(() => {});
  }

  then<A = VscodeRunResult, B = never>(
    onResult?: ((result: VscodeRunResult) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.result.then(onResult, onError);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string, void, void> {
    yield* this.output.pieces();
    // A failure is thrown here, too.
    await this.result;
  }

  /**
   * Begins an execution and follows it to its end. What it printed before is in the output then.
   * Undefined if it could not be begun.
   */
  async follow(begin: () => VscodeExecution, terminal: Typed): Promise<Ending | undefined> {
    try {
      this.execution = this.#asked = begin();
    } catch {
      return undefined;
    }
    this.reading = this.output.read(this.execution);
    this.listen(terminal);
    return this.ended;
  }

  /**
   * VS Code says that a command begins in the terminal. If it does not know the command line again,
   * which the shell may repeat in other words, that is another execution than it was asked for.
   */
  begins(execution: VscodeExecution): void {
    if (this.#hasBegun && execution !== this.#asked) return;
    this.#hasBegun = true;
    if (execution === this.execution) return;
    this.execution = execution;
    if (execution !== this.#asked) this.reading = this.output.read(execution);
  }
}

/** What a command has printed: the newest of it, for whoever wants it now or later. */
export class Output {
  #pieces: string[] = [];
  /** The number of pieces that were left out before the first of `#pieces`. */
  #first = 0;
  #length = 0;
  #omitted = 0;
  #isClosed = false;
  readonly #wake: (() => void)[] = [];

  constructor(
    private readonly max: number,
    private readonly listener: ((data: string) => void) | undefined,
  ) {}

  /** The number of UTF-16 code units that were left out. */
  get omitted(): number {
    return this.#omitted;
  }

  add(data: string): void {
    if (data === "" || this.#isClosed) return;
    this.#pieces.push(data);
    this.#length += data.length;
    while (this.#length > this.max) this.#leaveOut(this.#length - this.max);
    this.#wakeAll();
    try {
      this.listener?.(data);
    } catch (error) {
      // It is the host's, and must not end the reading.
      queueMicrotask(() => {
        throw error;
      });
    }
  }

  async read(execution: VscodeExecution): Promise<void> {
    for await (const data of execution.read()) this.add(data);
  }

  close(): void {
    this.#isClosed = true;
    this.#wakeAll();
  }

  async *pieces(): AsyncGenerator<string, void, void> {
    for (let next = this.#first; ;) {
      next = Math.max(next, this.#first);
      const piece = this.#pieces[next - this.#first];
      if (piece !== undefined) {
        next++;
        yield piece;
      } else if (this.#isClosed) {
        return;
      } else {
        await new Promise<void>((resolve) => this.#wake.push(resolve));
      }
    }
  }

  /** Without escape sequences and other control characters, its lines ended by `\n`. */
  text(): string {
    return plain(this.#pieces.join(""));
  }

  #leaveOut(units: number): void {
    const oldest = this.#pieces[0]!;
    const gone = Math.min(units, oldest.length);
    if (gone < oldest.length) {
      this.#pieces[0] = oldest.slice(gone);
    } else {
      this.#pieces.shift();
      this.#first++;
    }
    this.#length -= gone;
    this.#omitted += gone;
  }

  #wakeAll(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }
}

// Operating system commands, control sequences, and what else begins with an escape.
const ESCAPES =
  /\u001b(?:\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\[[0-?]*[ -/]*[@-~]|[PX^_][^\u001b]*(?:\u001b\\)?|[ -/]*[0-~])/g;
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

/** What is left to read when a line was written over, as progress bars do. */
function plain(text: string): string {
  const lines = text.replace(ESCAPES, "").replace(/\r+\n/g, "\n").split("\n");
  const shown = lines.map((line) => {
    let shown = "";
    for (const part of line.split("\r")) shown = part + shown.slice(part.length);
    return shown.replace(CONTROLS, "");
  });
  // The Z shell writes a mark and spaces over its own line before it prompts.
  if (/^ +$/.test(shown.at(-1)!)) shown[shown.length - 1] = "";
  return shown.join("\n");
}

/** Waits for what VS Code may still have of a command's output, but not for ever; what it throws does not matter. */
function lastOutput({ outcome }: Ending, reading: Promise<unknown>): Promise<void> {
  return settledWithin(outcome === "exited" ? LAST_OUTPUT : LAST_OUTPUT_OF_OTHERS, reading);
}
