import { invalidArgument, isObject } from "../boundary/arguments.js";
import { settledWithin } from "../boundary/settled-within.js";
import type { TurnkeeperError } from "../boundary/errors.js";

/**
 * How long the end of a stream waits for the source to finish closing, in milliseconds. A source
 * that closes properly is done well before; one whose `return()` never answers, as that of an async
 * generator which is itself waiting, must not hold up the consumer.
 */
const CLOSING_GRACE = 50;

const END: IteratorReturnResult<undefined> = { done: true, value: undefined };

/**
 * The host's stream as a guard reads it: one event at a time, and closed exactly once, at any
 * moment, also while a read is under way.
 */
export class StreamSource<T> {
  /** Set before the guard reports a stop: closing then aborts the host's controller first. */
  stopping = false;

  #letGo = (): void => {};
  #iterator: AsyncIterator<T> | undefined;
  #ended = false;
  #closed: Promise<void> | undefined;
  #endRead: (() => void) | undefined;

  /** @param atEnd Called when the source has come to its end by itself. */
  constructor(
    private readonly source: AsyncIterable<T>,
    private readonly abort: AbortController | undefined,
    private readonly atEnd: () => void,
  ) {}

  /** Watches the host's signal and opens the source; a host that has aborted already closes it. */
  open(): void {
    if (this.abort?.signal.aborted) {
      void this.close();
      return;
    }
    try {
      const { signal } = this.abort ?? {};
      const onAbort = () => void this.close();
      signal?.addEventListener("abort", onAbort);
      this.#letGo = () => signal?.removeEventListener("abort", onAbort);
      this.#iterator = openIterator(this.source);
    } catch (error) {
      this.#ended = true;
      throw error;
    }
  }

  /** Whether the source is closed or closing. */
  get closed(): boolean {
    return this.#closed !== undefined;
  }

  /**
   * Reads the next event and gives what `use` makes of it, or what `fail` makes of an error. Closing
   * the source ends it, and what the source answers later is ignored.
   *
   * Callbacks, because each `await` on the way would cost every event of every stream a promise.
   */
  read<R>(
    use: (result: IteratorResult<T, unknown>) => R | Promise<R>,
    fail: (error: unknown) => Promise<R>,
  ): Promise<R> {
    return new Promise((resolve) => {
      const end = () => resolve(use(END));
      const failed = (error: unknown) => {
        if (this.#endRead !== end) return;
        this.#endRead = undefined;
        this.#ended = true;
        resolve(fail(error));
      };
      const answered = (result: IteratorResult<T, unknown>) => {
        if (this.#endRead !== end) return;
        try {
          this.#ended = isDone(result);
          if (this.#ended) this.atEnd();
        } catch (error) {
          failed(error);
          return;
        }
        this.#endRead = undefined;
        resolve(use(result));
      };
      this.#endRead = end;
      try {
        Promise.resolve(this.#iterator!.next()).then(answered, failed);
      } catch (error) {
        failed(error);
      }
    });
  }

  /**
   * Ends a read that is under way, lets go of the host's signal and closes the source. Resolves
   * once the source has closed, at the latest after the grace; it never rejects, for what goes
   * wrong while closing must not hide why the stream ended.
   */
  close(): Promise<void> {
    if (this.#closed === undefined) {
      // Known to be closing before any code of the host runs, which may call back.
      let settle = () => {};
      this.#closed = new Promise((resolve) => (settle = resolve));
      void this.#close().then(settle);
    }
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#letGo();
    const endRead = this.#endRead;
    this.#endRead = undefined;
    endRead?.();
    this.#abortHost();
    if (this.#ended) return;
    try {
      this.#iterator ??= openIterator(this.source);
      await settledWithin(CLOSING_GRACE, this.#iterator.return?.());
    } catch {
      // See above: the consumer is told why the stream ended, not how its source took it.
    }
  }

  #abortHost(): void {
    try {
      if (this.stopping) this.abort?.abort();
    } catch {
      // The source is closed all the same.
    }
  }
}

function openIterator<T>(source: AsyncIterable<T>): AsyncIterator<T> {
  const iterator: AsyncIterator<T> | null | undefined = source[Symbol.asyncIterator]();
  if (typeof iterator?.next !== "function") {
    throw notASource("its iterator has no next()");
  }
  return iterator;
}

function isDone(result: IteratorResult<unknown, unknown> | null): boolean {
  if (isObject(result)) return Boolean(result.done);
  throw notASource("its next() must give an object with done and value");
}

/** Throws unless `source` can be read with `for await`. */
export function checkSource(source: unknown): void {
  if (!hasMethod(source, Symbol.asyncIterator)) {
    throw notASource("an async iterable is needed, such as a ReadableStream or an async generator");
  }
}

function notASource(why: string): TurnkeeperError {
  return invalidArgument("guard_stream", "source", `cannot be read: ${why}`);
}

/** Whether `object[name]` can be called. */
export function hasMethod(object: unknown, name: PropertyKey): boolean {
  return typeof property(object, name) === "function";
}

/** `object[name]`, or `undefined` if there is no such thing. */
export function property(object: unknown, name: PropertyKey): unknown {
  return (object as Record<PropertyKey, unknown> | null | undefined)?.[name];
}
