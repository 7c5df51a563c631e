import {
  checkOptions as checkNames,
  invalidArgument,
  isObject,
  optionalSignal,
} from "../boundary/arguments.js";
import type { TurnkeeperError } from "../boundary/errors.js";
import type { AgentEvent, ModelCheckRequest } from "../boundary/generated/shapes.js";
import type { LoopListener } from "./told.js";

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

/** What a guard may be given beside the adapter. */
interface GuardSettings {
  /**
   * Is told of each nudge and each stop, by an event of the stream or by {@link GuardedStream.result}, once: of a nudge
   * before its event comes out, of a stop before the stream ends. What it throws reaches whoever reads the stream.
   */
  onLoopDetected: LoopListener;
  /** Aborted when a loop stops the stream. Aborted by the host, it ends the stream without an error. */
  abort?: AbortController;
  /**
   * Asks a model when the detector wants its opinion (see `modelCheck` of the detector's options),
   * beside the stream, which does not wait for it. Its verdict comes with the stream's next event or result, or at
   * once if the stream has ended by then. The signal is aborted when the stream is stopped, left or fails, when the
   * host aborts `abort`, and when a newer check takes its place.
   */
  checkWithModel?: CheckWithModel;
}

/** Only if the events are `AgentEvent`s, the adapter may be left out. */
type AdapterOption<T> = [T] extends [AgentEvent]
  ? { adapter?: StreamAdapter<T> }
  : { adapter: StreamAdapter<T> };

/** The options of {@link guardStream}. */
export type GuardStreamOptions<T> = GuardSettings & AdapterOption<T>;

/** The options of a session's guard, where `onLoopDetected` may be left out, since the session's log has the verdicts. */
export type SessionGuardOptions<T> = Omit<GuardSettings, "onLoopDetected"> &
  Partial<Pick<GuardSettings, "onLoopDetected">> &
  AdapterOption<T>;

/** {@link SessionGuardOptions}, checked. Without an adapter, the events are taken for `AgentEvent`s. */
export type CheckedOptions<T> = Partial<GuardSettings> & { adapter?: StreamAdapter<T> };

const OPTIONS = ["adapter", "onLoopDetected", "abort", "checkWithModel"] as const;
/** Of the prompt, which has begun before its first stream. */
const OF_A_PROMPT = ["promptId", "userPrompt", "model"];

/** Checks the options. Null says as little as an option that is left out. */
export function checkOptions<T>(options: SessionGuardOptions<T> | undefined): CheckedOptions<T> {
  const given: object = options === undefined ? {} : options;
  for (const name of isObject(given) ? OF_A_PROMPT : []) {
    if ((given as Record<string, unknown>)[name] === undefined) continue;
    const instead = "call detector.startPrompt(promptId, { userPrompt, model }) before the guard";
    throw invalid(`options.${name}`, `is not an option: ${instead}`);
  }
  checkNames(MACHINE, given, OPTIONS);
  const said = Object.entries(given).filter(([, value]) => value !== null);
  const checked = Object.fromEntries(said) as CheckedOptions<T>;
  const { adapter, abort, checkWithModel, onLoopDetected } = checked;
  checkFunction(adapter, "adapter", "must be a function; call streamAdapter() to make one");
  checkFunction(onLoopDetected, "onLoopDetected", "must be a function");
  checkFunction(checkWithModel, "checkWithModel", "must be a function");
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
