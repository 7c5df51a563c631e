// The calls of an assembler that wait for the host: one after another, each until everything is there.

import type { RawAssembler } from "../../glue/turnkeeper.js";
import { refusal } from "../boundary/arguments.js";
import { sendTexts } from "../boundary/call-encoder.js";
import type { TokenCounting } from "./assembler-counting.js";
import { askHost, giveAnswer, type AssemblerHost, type HostRequest } from "./assembler-host.js";
import type { CheckedSignal } from "./assembler-signal.js";

const MACHINE = "ghost_block_assembler";

/** A call that waits for the host: how it begins and how it ends. */
export interface Task<T> {
  /** What an error calls the text. */
  field: string;
  text: string;
  begin(raw: RawAssembler, length: number): void;
  finish(raw: RawAssembler): T;
}

/** Carries tasks out one after another. */
export class TaskQueue {
  readonly #call: (work: (raw: RawAssembler) => void) => void;
  readonly #counting: TokenCounting;
  #last: Promise<unknown> = Promise.resolve();
  /** Ends the task that is under way. */
  #fail: ((error: unknown) => void) | undefined;
  /** Whether a method of the host's is being called at this moment. */
  #isAsking = false;

  /**
   * @param call Calls into the module, unless the host counts tokens at that moment.
   * @param counting The host's counter.
   */
  constructor(call: (work: (raw: RawAssembler) => void) => void, counting: TokenCounting) {
    this.#call = call;
    this.#counting = counting;
  }

  /** Ends the task that is under way, if there is one. */
  fail(error: unknown): void {
    this.#fail?.(error);
  }

  /**
   * Starts a task once all that were given before have ended.
   *
   * @throws (as a rejection) `wrong_order` within a method of the host's that a task waits for.
   */
  async run<T>(task: Task<T>, host: AssemblerHost, signal: CheckedSignal | undefined): Promise<T> {
    if (this.#isAsking) {
      const must = "a host's method must not wait for the assembler that waits for it";
      throw refusal("wrong_order", MACHINE, undefined, must);
    }
    const before = this.#last;
    const result = this.#drive(before, task, host, signal);
    const ended = result.catch(() => {});
    // One that is aborted while it waits ends at once, and what is under way goes on.
    this.#last = before.then(() => ended);
    return result;
  }

  /** Hands requests out and answers in, until everything is there. */
  #drive<T>(
    before: Promise<unknown>,
    task: Task<T>,
    host: AssemblerHost,
    signal: CheckedSignal | undefined,
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let isUnderWay = false;
      let isOver = false;
      let isDue = false;
      let stopListening = (): void => {};
      const end = (): boolean => {
        if (isOver) return false;
        isOver = true;
        if (isUnderWay) this.#fail = undefined;
        stopListening();
        return true;
      };
      const fail = (error: unknown): void => {
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- as it was thrown
        if (end()) reject(error);
      };
      const guarded = (work: (raw: RawAssembler) => void): void => {
        if (isOver) return;
        try {
          this.#call(work);
        } catch (error) {
          fail(error);
        }
      };
      const onAbort = (): void => {
        const reason = signal?.aborted?.reason;
        if (isUnderWay && this.#counting.isUnderWay) {
          // The prompt is given up when the count is over.
          this.#counting.giveUp(reason);
          return;
        }
        if (isUnderWay) guarded((raw) => raw.cancel());
        fail(reason);
      };
      const pump = (): void => {
        isDue = false;
        guarded((raw) => {
          const requests = raw.takeRequests() as HostRequest[];
          if (requests.length === 0 && raw.isReady()) {
            const result = task.finish(raw);
            if (end()) resolve(result);
            return;
          }
          for (const request of requests) {
            // The host may have aborted in answer to the one before.
            if (isOver) return;
            void this.#ask(host, request).then((answer) =>
              guarded((raw) => {
                giveAnswer(raw, MACHINE, request.id, answer);
                // Answers that come together are looked at together.
                if (!isDue) queueMicrotask(pump);
                isDue = true;
              }),
            );
          }
        });
      };
      if (signal?.aborted) return fail(signal.aborted.reason);
      if (signal) stopListening = signal.onAbort(onAbort);
      void before.then(() => {
        if (isOver) return;
        isUnderWay = true;
        this.#fail = fail;
        guarded((raw) => sendTexts(MACHINE, [task.text], (length) => task.begin(raw, length)));
        pump();
      });
    });
  }

  /** Asks the host, which runs until its first `await` before this comes back. */
  #ask(host: AssemblerHost, request: HostRequest): ReturnType<typeof askHost> {
    this.#isAsking = true;
    try {
      return askHost(host, request);
    } finally {
      this.#isAsking = false;
    }
  }
}
