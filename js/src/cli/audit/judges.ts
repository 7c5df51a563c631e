import { availableParallelism, cpus } from "node:os";
import { Worker } from "node:worker_threads";

import { InputError } from "../../saved/event-lines.js";
import type { Input } from "../files/inputs.js";
import { bytesOf, type Progress } from "../terminal/progress.js";

import { judge, type JudgedSession, type JudgeSettings } from "./judge.js";
import type { Answer } from "./worker.js";

/** The outcome of the input at an index. */
export interface Judged {
  index: number;
  outcome: { session: JudgedSession } | { problem: InputError };
}

/** Judges one file at a time. */
type Judge = (input: Input) => Promise<JudgedSession>;

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
  progress: Progress,
): AsyncGenerator<Judged, void, void> {
  const onRead = (bytes: number): void => progress.read(bytes);
  const here: Judge = (input) => judge(input, rules, onRead);
  const length = Math.max(0, Math.min(jobs, inputs.length) - 1);
  const threads = Array.from({ length }, () => new JudgeThread(rules, onRead));
  // A thread does not see what the user types.
  const inThreads = threads.map(
    (thread): Judge =>
      (input) =>
        input.file === "-" ? here(input) : thread.judge(input),
  );
  // A thread has its next file before it is done with one, for this thread has no time to send it while it judges.
  const idle = [...inThreads, ...inThreads, here];
  const atWork = new Map<number, Promise<Judged & { judge: Judge }>>();
  let next = 0;
  try {
    while (next < inputs.length || atWork.size > 0) {
      while (idle.length > 0 && next < inputs.length) {
        const index = next++;
        const judge = idle.pop()!;
        progress.file(inputs[index]!.file);
        atWork.set(
          index,
          outcomeOf(judge(inputs[index]!)).then((outcome) => ({ index, outcome, judge })),
        );
      }
      const { index, outcome, judge } = await Promise.race(atWork.values());
      atWork.delete(index);
      idle.push(judge);
      yield { index, outcome };
    }
  } finally {
    for (const thread of threads) thread.close();
  }
}

async function outcomeOf(work: Promise<JudgedSession>): Promise<Judged["outcome"]> {
  try {
    return { session: await work };
  } catch (problem) {
    if (!(problem instanceof InputError)) throw problem;
    return { problem };
  }
}

/** The outcomes in the order of their inputs; those that are early wait. */
export async function* inOrder(judged: AsyncIterable<Judged>): AsyncGenerator<Judged, void, void> {
  const waiting = new Map<number, Judged>();
  let next = 0;
  for await (const each of judged) {
    waiting.set(each.index, each);
    for (let ready; (ready = waiting.get(next)); next += 1) {
      waiting.delete(next);
      yield ready;
    }
  }
}

class JudgeThread {
  #worker: Worker | undefined;
  /** The files that the thread has, of which it judges the first, and who waits for them. */
  readonly #orders: Order[] = [];

  constructor(
    private readonly rules: JudgeSettings,
    private readonly onRead: (bytes: number) => void,
  ) {}

  judge(input: Input): Promise<JudgedSession> {
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
    const worker = new Worker(new URL(import.meta.url), { workerData: this.rules });
    worker.on("message", (answer: Answer) => {
      if (answer.kind === "read") this.onRead(answer.bytes);
      else if (answer.kind === "judged") this.#orders.shift()!.resolve(answer.session);
      else this.#orders.shift()!.reject(new InputError(...answer.problem));
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
