import {
  checkOptions as checkNames,
  invalidArgument,
  optional,
  optionalSignal,
} from "../boundary/arguments.js";
import type { TurnkeeperError } from "../boundary/errors.js";
import type { AgentEvent, ModelCheckRequest } from "../boundary/generated/shapes.js";

/** Who refuses an option. */
export const MACHINE = "guard_stream";

/**
 * Says what a host's own stream event means to the loop detector: one event, several in the order
 * in which they are to be observed, or `undefined` if there is nothing to observe. The host's event
 * itself is passed on untouched in every case.
 */
export type StreamAdapter<T> = (event: T) => AgentEvent | readonly AgentEvent[] | undefined;

/**
 * Asks a model whether the conversation goes in circles: sends `request.systemPrompt`, the newest
 * `request.historyCount` messages of the host's history and `request.prompt`, and resolves to the
 * answer, an object that fits `request.schema` or its JSON. An answer of another shape, and a rejection,
 * count as "no loop".
 */
export type CheckWithModel = (
  request: ModelCheckRequest,
  options: { signal: AbortSignal },
) => Promise<unknown>;

/** The options of {@link guardStream}; `adapter` may be left out only if the events are `AgentEvent`s. */
export type GuardStreamOptions<T> = {
  /**
   * The prompt that this stream answers. Given, the detector's `startPrompt` is called when the
   * first event is asked for or the first result is shown; left out, the prompt that is running goes on.
   */
  promptId?: string;
  /** The model that answers; read together with `promptId` only. */
  model?: string;
  /** The user's words, which the model may repeat; read together with `promptId` only. */
  userPrompt?: string;
  /** Aborted when a loop stops the stream. Aborted by the host, it ends the stream without an error. */
  abort?: AbortController;
  /**
   * Asks a model when the detector wants its opinion (see `modelCheck` of the detector's options),
   * beside the stream, which does not wait for it. If the answer says that it is a loop, the stream
   * stops at its next event; if the stream has come to its end by then, the prompt's next stream stops
   * at its first. The signal is aborted when the stream is stopped, left or fails, when the host aborts
   * `abort`, and when a newer check takes its place.
   */
  checkWithModel?: CheckWithModel;
} & ([T] extends [AgentEvent] ? { adapter?: StreamAdapter<T> } : { adapter: StreamAdapter<T> });

/** {@link GuardStreamOptions}, checked. Without an adapter, the events are taken for `AgentEvent`s. */
export type CheckedOptions<T> = Omit<GuardStreamOptions<AgentEvent>, "adapter"> & {
  adapter?: StreamAdapter<T>;
};

const OPTIONS = ["adapter", "promptId", "model", "userPrompt", "abort", "checkWithModel"] as const;

/**
 * Checks the options. No options at all are fine in JavaScript, as none need be given; null says as little.
 */
export function checkOptions<T>(options: GuardStreamOptions<T> | undefined): CheckedOptions<T> {
  const given: object = options === undefined ? {} : options;
  checkNames(MACHINE, given, OPTIONS);
  const said = Object.entries(given).filter(([, value]) => value !== null);
  const checked = Object.fromEntries(said) as CheckedOptions<T>;
  const { adapter, abort, checkWithModel } = checked;
  checkFunction(adapter, "adapter", "must be a function; call streamAdapter() to make one");
  checkFunction(checkWithModel, "checkWithModel", "must be a function");
  for (const name of ["promptId", "model", "userPrompt"] as const) {
    optional(MACHINE, checked[name], "string", `options.${name}`);
  }
  if (abort !== undefined) {
    const must = "must be an AbortController (a signal alone cannot be aborted)";
    if (typeof abort.abort !== "function") throw invalid("options.abort", must);
    if (!optionalSignal(MACHINE, abort.signal, "options.abort.signal")) {
      throw invalid("options.abort.signal", "must be an AbortSignal");
    }
  }
  return checked;
}

function checkFunction(value: unknown, name: string, must: string): void {
  if (value === undefined || typeof value === "function") return;
  throw invalid(`options.${name}`, must);
}

/** An `invalid_argument` that names the field. */
export function invalid(field: string, must: string, cause?: unknown): TurnkeeperError {
  return invalidArgument(MACHINE, field, must, cause);
}
