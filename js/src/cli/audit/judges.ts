import { availableParallelism, cpus } from "node:os";
import { Worker } from "node:worker_threads";

import { InputError } from "../../saved/event-lines.js";
import type { Input } from "../files/inputs.js";
import { bytesOf } from "../terminal/progress.js";

import { judge, type JudgedSession, type JudgeSettings } from "./judge.js";
import { inputError, type Answer } from "./worker.js";

/** The result for one file. */
export type Outcome = { session: JudgedSession } | { problem: InputError };

/** The outcome of the input at an index. */
export interface Judged {
  index: number;
  outcome: Outcome;
}

/** Who watches the judges at work. */
export interface Watcher {
  file(name: string): void;
  read(bytes: number): void;
}

/** The bytes that are judged in the time that a thread takes to start and to become fast. */
const WORTH_A_WORKER = 4_000_000;

/** How many files are judged at once if nobody says it. */
export function usualJobs(inputs: readonly Input[]): number {
  // Node 18.0 to 18.13 lack the function that knows of limits on processors.
  const cores =
    (availableParallelism as typeof availableParallelism | undefined)?.() ?? cpus().length;
  return Math.max(1, Math.min(cores, Math.ceil(bytesOf(inputs) / WORTH_A_WORKER)));
}

/**
 * Judges files, several at once: one on this thread, which has little else to do and is running
 * already, and each other in a worker thread. Standard input is judged here, too.
 *
 * @returns each outcome as soon as it is there, in any order; {@link inOrder} restores it
 */
export async function* judgeAll(
  inputs: readonly Input[],
  rules: JudgeSettings,
  jobs: number,
  watcher: Watcher,
): AsyncGenerator<Judged, void, void> {
  const threads = Math.max(0, Math.min(jobs, inputs.length) - 1);
  const inThreads = Array.from({ length: threads }, () => new JudgeInThread(rules, watcher));
  // A thread has its next file before it is done with one, for this thread has no time to send it while it judges.
  const idle: Judge[] = [...inThreads, ...inThreads, new JudgeHere(rules, watcher)];
  const atWork = new Map<number, Promise<Judged & { judge: Judge }>>();
  let next = 0;
  try {
    while (next < inputs.length || atWork.size > 0) {
      while (idle.length > 0 && next < inputs.length) {
        const index = next++;
        const input = inputs[index]!;
        const judge = idle.pop()!;
        watcher.file(input.file);
        const work = judge.judge(input).then(
          (session): Outcome => ({ session }),
          (problem: unknown): Outcome => {
            if (!(problem instanceof InputError)) throw problem;
            return { problem };
          },
        );
        atWork.set(
          index,
          work.then((outcome) => ({ index, outcome, judge })),
        );
      }
      const { index, outcome, judge } = await Promise.race(atWork.values());
      atWork.delete(index);
      idle.push(judge);
      yield { index, outcome };
    }
  } finally {
    for (const judge of inThreads) judge.close();
  }
}

/** The outcomes in the order of their inputs; those that are early wait. */
export async function* inOrder(judged: AsyncIterable<Judged>): AsyncGenerator<Judged, void, void> {
  const waiting = new Map<number, Outcome>();
  let next = 0;
  for await (const { index, outcome } of judged) {
    waiting.set(index, outcome);
    for (let ready; (ready = waiting.get(next)); next += 1) {
      waiting.delete(next);
      yield { index: next, outcome: ready };
    }
  }
}

/** Judges one file at a time. */
interface Judge {
  judge(input: Input): Promise<JudgedSession>;
}

class JudgeHere implements Judge {
  readonly #rules: JudgeSettings;
  readonly #watcher: Watcher;

  constructor(rules: JudgeSettings, watcher: Watcher) {
    this.#rules = rules;
    this.#watcher = watcher;
  }

  judge(input: Input): Promise<JudgedSession> {
    return judge(input, this.#rules, (bytes) => this.#watcher.read(bytes));
  }
}

class JudgeInThread implements Judge {
  readonly #rules: JudgeSettings;
  readonly #watcher: Watcher;
  #worker: Worker | undefined;
  /** The files that the thread has, of which it judges the first, and who waits for them. */
  readonly #orders: Order[] = [];

  constructor(rules: JudgeSettings, watcher: Watcher) {
    this.#rules = rules;
    this.#watcher = watcher;
  }

  judge(input: Input): Promise<JudgedSession> {
    // A thread does not see what the user types.
    if (input.file === "-") return new JudgeHere(this.#rules, this.#watcher).judge(input);
    return new Promise((resolve, reject) => this.#send({ input, resolve, reject }));
  }

  #send(order: Order): void {
    this.#orders.push(order);
    this.#worker ??= this.#start();
    this.#worker.postMessage(order.input);
  }

  close(): void {
    const worker = this.#worker;
    this.#worker = undefined;
    void worker?.terminate();
  }

  #start(): Worker {
    // The bundle is both the command and its worker.
    const worker = new Worker(new URL(import.meta.url), { workerData: this.#rules });
    worker.on("message", (answer: Answer) => {
      if (answer.kind === "read") this.#watcher.read(answer.bytes);
      else if (answer.kind === "judged") this.#orders.shift()!.resolve(answer.session);
      else this.#orders.shift()!.reject(inputError(answer.problem));
    });
    let failure: NodeJS.ErrnoException | undefined;
    worker.on("error", (error) => (failure = error));
    worker.on("exit", () => {
      if (this.#worker !== worker) return;
      // The thread is gone; the next files get another.
      this.#worker = undefined;
      const [order, ...next] = this.#orders.splice(0);
      order?.reject(deathOf(order.input.file, failure));
      for (const each of next) this.#send(each);
    });
    return worker;
  }
}

/** Why a file's thread ended; a mistake of the program is told as one. */
function deathOf(file: string, failure: NodeJS.ErrnoException | undefined): Error {
  if (failure === undefined) return new InputError(file, "cannot be judged: its thread ended");
  return failure.code === "ERR_WORKER_OUT_OF_MEMORY"
    ? new InputError(file, "needs more memory than there is")
    : failure;
}

interface Order {
  input: Input;
  resolve(session: JudgedSession): void;
  reject(error: Error): void;
}
