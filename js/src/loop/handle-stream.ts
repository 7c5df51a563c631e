import { invalidArgument, isObject } from "../boundary/arguments.js";
import { startGuard, type LoopDetectedEvent } from "./guard-stream.js";
import type { TurnkeeperError } from "../boundary/errors.js";
import type { GuardStreamOptions } from "./guard-options.js";
import type { LoopDetector } from "./loop-detector.js";
import { hasMethod, property } from "./stream-source.js";

/** The callbacks of {@link handleStream}. Each is awaited before the next event is read. */
export interface StreamHandlers<T> {
  /** Gets every event of the host's stream that the loop detector lets through. */
  onEvent(event: T): void | Promise<void>;
  /**
   * Gets each nudge, and the stop that ends the stream. It is required: an agent that detects a
   * loop and tells nobody goes on looping.
   */
  onLoopDetected(event: LoopDetectedEvent): void | Promise<void>;
}

/**
 * {@link guardStream} for hosts that prefer callbacks: calls `onEvent` for each event and
 * `onLoopDetected` for each loop, one at a time and in order.
 *
 * @returns `stopped: true` if a loop ended the stream; `false` if it ended by itself or the host
 * aborted `options.abort`.
 *
 * @throws (as a rejection) `invalid_argument` if an argument is unusable, an option is unknown or
 * a handler is missing, before anything is read; otherwise the error of the source, the adapter or
 * a handler, as it is, once the source has been closed.
 */
export async function handleStream<T>(
  source: AsyncIterable<T>,
  detector: LoopDetector,
  options: GuardStreamOptions<T> & { handlers: StreamHandlers<T> },
): Promise<{ stopped: boolean }> {
  const handlers = checkHandlers(options);
  let loop: LoopDetectedEvent | undefined;
  const announce = (event: LoopDetectedEvent) => {
    loop = event;
  };
  for await (const event of startGuard<T>(source, detector, options, { announce }, ["handlers"])) {
    if (loop && event === loop) await handlers.onLoopDetected(loop);
    else await handlers.onEvent(event);
  }
  return { stopped: loop?.verdict.action === "stop" };
}

function checkHandlers<T>(options: unknown): StreamHandlers<T> {
  const handlers = property(options, "handlers");
  if (!isObject(handlers)) {
    throw invalid("handlers", "must be an object with onEvent and onLoopDetected");
  }
  if (!hasMethod(handlers, "onEvent")) throw invalid("handlers.onEvent", "must be a function");
  if (!hasMethod(handlers, "onLoopDetected")) {
    const must = "must be a function: a loop that nobody handles goes on";
    throw invalid("handlers.onLoopDetected", must);
  }
  return handlers as StreamHandlers<T>;
}

function invalid(field: string, must: string): TurnkeeperError {
  return invalidArgument("handle_stream", field, must);
}
