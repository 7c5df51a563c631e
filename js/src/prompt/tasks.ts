// The calls of an assembler that wait for the host, side by side, each until everything is there.

import type { RawAssembler, Work } from "../../glue/turnkeeper.js";
import { refusal } from "../boundary/arguments.js";
import { sendTexts } from "../boundary/call-encoder.js";
import type { HostRequest } from "../boundary/generated/shapes.js";
import { askHost, type AssemblerHost } from "./host.js";

const MACHINE = "ghost_block_assembler";

/** The most calls that may wait for the host at once. A host whose method calls its assembler without end meets this. */
const MOST_AT_ONCE = 100;

/** A call that waits for the host: its work, and how it ends. */
export interface Task<T> {
  /** The name of the text in an error. */
  field: string;
  text: string;
  work: Work;
  finish(raw: RawAssembler): T;
}

/**
 * Carries tasks out side by side: none waits for another, because a method of the host's may be what waits
 * for it.
 */
export class Tasks {
  /** Ends each task that is under way, by its number. */
  readonly #underWay = new Map<number, (error: unknown) => void>();
  /** Tasks that the module has failed in, and has to forget. */
  readonly #toDrop: number[] = [];
  /** The number of the last task, and of the one that the module works on at this moment. */
  #last = 0;
  #inHand = 0;
  /** Whether a method of the host's is being called at this moment. */
  #isAsking = false;

  /** @param call Calls into the module. */
  constructor(private readonly call: (work: (raw: RawAssembler) => void) => void) {}

  /** Ends the task that the module works on at this moment. */
  failInHand(error: unknown): void {
    this.#underWay.get(this.#inHand)?.(error);
  }

  /** Ends all tasks that are under way. */
  failAll(error: unknown): void {
    for (const fail of [...this.#underWay.values()]) fail(error);
  }

  /**
   * Carries a task out.
   *
   * @throws (as a rejection) `wrong_order` within a method of the host's that a task waits for, as long as that
   * can be told: until its first `await`; `limit_exceeded` for one too many.
   */
  async run<T>(task: Task<T>, host: AssemblerHost, signal: AbortSignal | undefined): Promise<T> {
    if (this.#isAsking) {
      const must = "a host's method must not wait for the assembler that waits for it";
      throw refusal("wrong_order", MACHINE, undefined, must);
    }
    if (this.#underWay.size >= MOST_AT_ONCE) {
      const must = `at most ${MOST_AT_ONCE} calls may wait for the host at once`;
      throw refusal("limit_exceeded", MACHINE, undefined, must);
    }
    return this.#drive(task, host, signal);
  }

  /** Hands requests out and answers in, until everything is there. */
  #drive<T>(task: Task<T>, host: AssemblerHost, signal: AbortSignal | undefined): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const number = ++this.#last;
      let isOver = false;
      let isDue = false;
      let stopListening = (): void => {};
      const end = (): boolean => {
        if (isOver) return false;
        isOver = true;
        this.#underWay.delete(number);
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
          this.call((raw) => {
            for (const failed of this.#toDrop.splice(0)) raw.dropTask(failed);
            raw.takeUp(number);
            this.#inHand = number;
            work(raw);
          });
        } catch (error) {
          this.#toDrop.push(number);
          fail(error);
        }
      };
      const onAbort = (): void => {
        fail(signal?.reason);
        this.call((raw) => raw.dropTask(number));
      };
      const pump = (): void => {
        isDue = false;
        let requests: HostRequest[] = [];
        guarded((raw) => {
          requests = raw.takeRequests() as HostRequest[];
          if (requests.length > 0 || !raw.isReady()) return;
          const result = task.finish(raw);
          if (end()) resolve(result);
        });
        for (const request of requests) {
          // The host may have aborted in answer to the one before.
          if (isOver) return;
          void this.#ask(host, request).then((answer) =>
            guarded((raw) => {
              answer(raw, request.id);
              // Answers that come together are looked at together.
              if (!isDue) queueMicrotask(pump);
              isDue = true;
            }),
          );
        }
      };
      if (signal?.aborted) return fail(signal.reason);
      signal?.addEventListener("abort", onAbort);
      stopListening = () => signal?.removeEventListener("abort", onAbort);
      this.#underWay.set(number, fail);
      queueMicrotask(() => {
        guarded((raw) => sendTexts(MACHINE, [task.text], (length) => raw.begin(task.work, length)));
        pump();
      });
    });
  }

  /** Asks the host, which runs until its first `await` before this comes back. */
  #ask(host: AssemblerHost, request: HostRequest): ReturnType<typeof askHost> {
    this.#isAsking = true;
    try {
      return askHost(host, MACHINE, request);
    } finally {
      this.#isAsking = false;
    }
  }
}
