// The page's side of the conversation with the worker.

import { analysisModule, workerSource } from "page-parts";

import { askedSession } from "./frame/asked-session.js";
import { allowOnly } from "./frame/connections.js";
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
/** It is started when something is asked first. */
let worker: Promise<Worker> | undefined;
let lastId = 0;

/**
 * A worker of a file would not be under the page's policy. One that is made from a blob is, so that nothing that runs in
 * it can ask the network for anything.
 */
async function start(): Promise<Worker> {
  const [source, module] = await Promise.all([workerSource(), analysisModule()]);
  // That was all; the session of an address is yet to come.
  if (!askedSession()) allowOnly("'none'");
  const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const made = new Worker(trusted(address));
  made.addEventListener("message", ({ data }: MessageEvent<Reply>) => take(data));
  made.addEventListener("error", (event) => {
    event.preventDefault();
    fail(event.message);
  });
  const given: Request = { module };
  made.postMessage(given);
  return made;
}

/** Nobody gets an answer any more. */
function fail(message: string): void {
  const error = new NoAnswer({ message });
  for (const each of waiting.values()) each.onFailure(error);
  waiting.clear();
}

function send(request: Request): void {
  (worker ??= start()).then(
    (started) => started.postMessage(request),
    (error: unknown) => fail(String(error)),
  );
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
