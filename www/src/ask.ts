// The page's side of the conversation with the worker.

import WORKER_SOURCE from "worker-source";

import type { Failure, Reply, Request, Task } from "./worker/exchange.js";
import type { WorkerTasks } from "./worker/tasks.js";

type Name = keyof WorkerTasks;
type InputOf<N extends Name> = WorkerTasks[N] extends Task<infer Input, unknown> ? Input : never;
type AnswerOf<N extends Name> = Awaited<ReturnType<WorkerTasks[N]>>;

/** The worker says why it has no answer. */
export class NoAnswer extends Error {
  readonly code: string | undefined;
  readonly field: string | undefined;

  constructor({ message, code, field }: Failure) {
    super(message);
    this.code = code;
    this.field = field;
  }
}

interface Waiting {
  onNews: (news: unknown) => void;
  onAnswer: (answer: unknown) => void;
  onFailure: (error: unknown) => void;
}

const waiting = new Map<number, Waiting>();
const worker = start();
let lastId = 0;

/**
 * The worker's source is in the page's script. A file of its own would not be loaded where the page is
 * opened from the file system, and where it is, it would not be under the page's policy: a worker made
 * from a blob is, so that nothing that runs in it can ask the network for anything.
 */
function start(): Worker {
  const address = URL.createObjectURL(new Blob([WORKER_SOURCE], { type: "text/javascript" }));
  const made = new Worker(trusted(address));
  made.addEventListener("message", ({ data }: MessageEvent<Reply>) => take(data));
  made.addEventListener("error", (event) => {
    event.preventDefault();
    const error = new NoAnswer({ message: event.message });
    for (const each of waiting.values()) each.onFailure(error);
    waiting.clear();
  });
  return made;
}

/** The one address that the page's policy on scripts lets through. */
function trusted(address: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy("turnkeeper-worker", {
    createScriptURL(asked) {
      if (asked !== address) throw new TypeError("only the page's own worker");
      return asked;
    },
  });
  return policy?.createScriptURL(address) ?? address;
}

/** The part of the browser's interface that is used here. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(asked: string): string },
  ): { createScriptURL(asked: string): string };
}

function take(reply: Reply): void {
  const asker = waiting.get(reply.id);
  if (!asker) return;
  if ("news" in reply) {
    asker.onNews(reply.news);
    return;
  }
  waiting.delete(reply.id);
  if ("answer" in reply) asker.onAnswer(reply.answer);
  else asker.onFailure(new NoAnswer(reply.failure));
}

/**
 * Asks the worker for something.
 *
 * @param signal ends it; the promise is rejected with the signal's reason
 * @param onNews is told what is known before the answer
 * @throws {@link NoAnswer}
 */
export function ask<N extends Name>(
  name: N,
  input: InputOf<N>,
  signal?: AbortSignal,
  onNews: (news: unknown) => void = () => {},
): Promise<AnswerOf<N>> {
  const id = ++lastId;
  const send = (request: Request): void => worker.postMessage(request);
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    waiting.set(id, {
      onNews,
      onAnswer: (answer) => resolve(answer as AnswerOf<N>),
      onFailure: reject,
    });
    signal?.addEventListener("abort", () => {
      if (waiting.delete(id)) send({ id, cancelled: true });
      reject(signal.reason as Error);
    });
    send({ id, name, input });
  });
}
