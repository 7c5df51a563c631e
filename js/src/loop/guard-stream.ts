import type { TurnkeeperError } from "../boundary/errors.js";
import type { AgentEvent, LoopVerdict } from "../boundary/generated/shapes.js";
import type { LoopDetector } from "./loop-detector.js";
import {
  type CheckedOptions,
  type GuardStreamOptions,
  type SessionGuardOptions,
  type StreamAdapter,
  checkOptions,
  invalid,
} from "./guard-options.js";
import { ModelCheck } from "./model-check.js";
import { StreamSource, checkSource, hasMethod, property } from "./stream-source.js";
import { GUARDED, type LoopListener, tell } from "./told.js";

/** The entries of the package that read a provider's events. */
const ADAPTERS = ["gemini", "anthropic", "openai", "ai-sdk", "vscode"];

/** The events with which a model check may become due. */
const MAY_ASK: ReadonlySet<unknown> = new Set(["turn_started", "tool_result"]);

/** A result of a tool, as {@link GuardedStream.result} takes it. */
export type ToolResult = Omit<Extract<AgentEvent, { type: "tool_result" }>, "type">;

/** What {@link guardStream} gives: the host's own events, no other. */
export interface GuardedStream<T> extends AsyncGenerator<T, void, void> {
  /**
   * Shows the detector the result of a tool that the host has run, and answers with its verdict, of which
   * `onLoopDetected` is told, too. A stop ends this stream, if it has not ended yet.
   *
   * @throws As `observe` of the detector.
   */
  result(result: ToolResult): LoopVerdict;
}

/**
 * Puts a loop detector in front of a model's stream.
 *
 * The events of `source` come out unchanged, one at a time, and no other: nothing is read before it is asked for.
 * Each is shown to `detector` first.
 *
 * - On a `stop` verdict the event that fired is held back, so that the host cannot run that call. `onLoopDetected` is
 *   called, `options.abort` is aborted, the source's `return()` is called, and the stream ends.
 * - On a `nudge` verdict `onLoopDetected` is called, then the event is passed on, and the stream goes on.
 * - An error of the source, the adapter, the detector or `onLoopDetected` reaches the consumer as it is, and the
 *   source is closed.
 * - A consumer that leaves early (`break`, `return()`, `throw()`) closes the source, even while the
 *   source is silent. `options.abort` is the host's and is left alone.
 * - A host that aborts `options.abort` ends the stream without an error and closes the source, even
 *   while the source is silent.
 *
 * Call `detector.startPrompt` before the first stream of each prompt: without any, all streams count as one prompt,
 * and `detector.blind` has `prompts`. Where a detector has stopped before, the stream ends at its first event.
 *
 * An adapter of another provider understands nothing, and no verdict comes. After such a stream's end
 * `detector.blind` has `events`.
 *
 * Closing waits for the source to finish, for at most 50 milliseconds; an error in closing is dropped.
 *
 * Results of tools are in no stream: show them with {@link GuardedStream.result}. Before the next request,
 * `detector.takeFeedback()` has what to tell the model.
 *
 * @param options `onLoopDetected` is told of nudges and stops. `adapter` says what the events mean; it may be left out
 * if they are `AgentEvent`s.
 * @throws `invalid_argument` at the call, naming the argument in `detail.field`, for an unknown option,
 * too; and when an event is read that is no `AgentEvent`, without an adapter.
 *
 * @example
 * ```ts
 * const onLoopDetected = ({ verdict }) => showWarning(verdict.report.message);
 * const guarded = guardStream(stream, detector, { adapter, abort, onLoopDetected });
 * for await (const event of guarded) handle(event);
 * for (const { id } of calls) guarded.result({ id, output: await run(id) });
 * for (const hint of detector.takeFeedback()) history.push({ role: "user", content: hint });
 * ```
 */
export function guardStream<T>(
  source: AsyncIterable<T>,
  detector: LoopDetector,
  options: GuardStreamOptions<T>,
): GuardedStream<T> {
  checkArguments(source, detector);
  const checked = checkOptions(options);
  if (checked.onLoopDetected === undefined) {
    throw invalid(
      "options.onLoopDetected",
      "is needed: the function that is told of nudges and stops",
    );
  }
  return new Guard(source, detector, checked);
}

/** {@link guardStream} for a session, which is told, too, and of the end to which a source has come by itself. */
export function guardForSession<T>(
  source: AsyncIterable<T>,
  detector: LoopDetector,
  options: SessionGuardOptions<T>,
  session: { told: LoopListener; ended: () => void },
): GuardedStream<T> {
  checkArguments(source, detector);
  const checked = checkOptions(options);
  const onLoopDetected: LoopListener = (event) => {
    session.told(event);
    checked.onLoopDetected?.(event);
  };
  return new Guard(source, detector, { ...checked, onLoopDetected }, session.ended);
}

function checkArguments(source: unknown, detector: unknown): void {
  checkSource(source);
  if (!hasMethod(detector, "observe") || !hasMethod(detector, "startPrompt")) {
    throw invalid("detector", "must be a LoopDetector");
  }
}

/**
 * The async generator of {@link guardStream}, written out by hand: a real one answers `return()`
 * only after the `next()` that is under way, which a silent source never answers, and it would
 * await an event that happens to have a `then`.
 */
class Guard<T> implements GuardedStream<T> {
  declare [Symbol.asyncDispose]: () => Promise<void>;

  readonly #source: StreamSource<T>;
  readonly #detector: LoopDetector;
  readonly #options: CheckedOptions<T>;
  readonly #modelCheck: ModelCheck | undefined;
  #started = false;
  #ended = false;
  /** What the adapter has made of the events so far; those that it leaves out say nothing of it. */
  #adapterKnows: "nothing yet" | "none" | "some" = "nothing yet";
  #unanswered = 0;
  #latest: Promise<unknown> = Promise.resolve();

  constructor(
    source: AsyncIterable<T>,
    detector: LoopDetector,
    options: CheckedOptions<T>,
    atEnd?: () => void,
  ) {
    this.#source = new StreamSource(source, options.abort, () => {
      if (this.#adapterKnows !== "nothing yet") {
        this.#detector[GUARDED]?.(this.#adapterKnows === "some");
      }
      atEnd?.();
    });
    this.#detector = detector;
    this.#options = options;
    const { checkWithModel, abort } = options;
    // A stream under way tells of it with its next event.
    const found = () => void (this.#ended && this.#tellFound());
    this.#modelCheck = checkWithModel && new ModelCheck(detector, checkWithModel, abort, found);
    // Not a method, because not every engine has the symbol.
    if (typeof Symbol.asyncDispose === "symbol") {
      this[Symbol.asyncDispose] = async () => void (await this.return());
    }
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Result<T>> {
    const advance = () => this.#advance();
    const idle = this.#unanswered === 0;
    this.#unanswered += 1;
    const result = idle ? advance() : this.#latest.then(advance, advance);
    this.#latest = result;
    return result;
  }

  result(result: ToolResult): LoopVerdict {
    this.#detector[GUARDED]?.();
    const verdict = this.#detector.observe({ ...result, type: "tool_result" });
    try {
      this.#tellFound();
      // There may be doubt whether the agent gets on.
      if (!this.#tell(verdict)) this.#modelCheck?.begin();
    } finally {
      // A read that is under way ends with this.
      if (verdict.action === "stop" && !this.#ended) void this.#end();
    }
    return verdict;
  }

  return(): Promise<Result<T>> {
    return this.#end();
  }

  throw(error: unknown): Promise<Result<T>> {
    return this.#fail(error);
  }

  /** One answer to `next()`; never under way twice at the same time. */
  #advance(): Promise<Result<T>> {
    try {
      if (!this.#started && !this.#ended) this.#start();
    } catch (error) {
      return this.#failed(error);
    }
    if (!this.#ended && !this.#source.closed) {
      return this.#source.read(this.#answered, this.#failed);
    }
    this.#unanswered -= 1;
    return this.#close();
  }

  readonly #answered = (next: IteratorResult<T, unknown>): Result<T> | Promise<Result<T>> => {
    this.#unanswered -= 1;
    try {
      if (next.done) this.#tellFound();
      if (next.done) return this.#close();
      if (this.#observe(next.value)) return this.#end();
      // A host may abort when it is told.
      if (this.#source.closed) return this.#close();
      return { done: false, value: next.value };
    } catch (error) {
      return this.#fail(error);
    }
  };

  readonly #failed = (error: unknown): Promise<never> => {
    this.#unanswered -= 1;
    return this.#fail(error);
  };

  #start(): void {
    this.#started = true;
    this.#source.open();
    if (this.#source.closed) return;
    this.#detector[GUARDED]?.();
    // The host may have told of the turn itself.
    this.#modelCheck?.begin();
  }

  /** Observes what there is in one event of the host, and says whether it is a stop, after which nothing is. */
  #observe(event: T): boolean {
    if (this.#tellFound()) return true;
    for (const each of this.#eventsOf(event)) {
      if (this.#tell(this.#verdictOn(each))) return true;
      if (MAY_ASK.has(property(each, "type"))) this.#modelCheck?.begin();
    }
    return false;
  }

  #eventsOf(event: T): readonly AgentEvent[] {
    const { adapter } = this.#options;
    if (adapter === undefined) return [event as AgentEvent];
    const mapped: ReturnType<StreamAdapter<T>> | null = adapter(event);
    if (typeof mapped === "function") {
      throw invalid(
        "options.adapter",
        "makes adapters; give the guard what it returns: streamAdapter()",
      );
    }
    this.#judgeAdapter(event, mapped);
    if (mapped === undefined || mapped === null) return [];
    return Array.isArray(mapped) ? (mapped as readonly AgentEvent[]) : [mapped as AgentEvent];
  }

  #verdictOn(event: AgentEvent): LoopVerdict {
    try {
      return this.#detector.observe(event);
    } catch (error) {
      throw this.#options.adapter === undefined && isForeign(error) ? withoutAdapter(error) : error;
    }
  }

  #judgeAdapter(event: T, mapped: ReturnType<StreamAdapter<T>> | null): void {
    // An error looks alike from everywhere.
    if (this.#adapterKnows === "some" || !mapped || property(event, "type") === "error") return;
    const observed = [mapped].flat();
    if (observed.length === 0) return;
    const isKnown = observed.some((each) => property(each, "type") !== "other");
    this.#adapterKnows = isKnown ? "some" : "none";
  }

  /** Tells of a loop that a model has found beside the stream, and says whether it is a stop. */
  #tellFound(): boolean {
    const found = this.#modelCheck?.take();
    return found !== undefined && this.#tell(found);
  }

  /** Tells of a verdict, and says whether it is a stop. */
  #tell(verdict: LoopVerdict): boolean {
    const isStop = verdict.action === "stop";
    if (isStop) this.#source.stopping = true;
    tell(verdict, this.#options.onLoopDetected);
    return isStop;
  }

  async #fail(error: unknown): Promise<never> {
    await this.#end();
    throw error;
  }

  /** The end by somebody's will. Where the source ends by itself, a model may still think. */
  #end(): Promise<IteratorReturnResult<void>> {
    this.#modelCheck?.abort();
    return this.#close();
  }

  async #close(): Promise<IteratorReturnResult<void>> {
    this.#ended = true;
    await this.#source.close();
    return { done: true, value: undefined };
  }
}

type Result<T> = IteratorResult<T, void>;

/** Whether a detector has refused what it was shown for not being an event. */
function isForeign(error: unknown): boolean {
  // The detector may be of another copy of the package, whose errors are of another class.
  if (property(error, "name") !== "TurnkeeperError") return false;
  const field = property(property(error, "detail"), "field");
  return field === "event" || field === "event.type";
}

function withoutAdapter(cause: unknown): TurnkeeperError {
  const names = ADAPTERS.map((name) => `turnkeeper/adapters/${name}`).join(", ");
  return invalid(
    "options.adapter",
    "is needed, for the stream's events are no AgentEvents: take streamAdapter() of one of " +
      `${names}, or a function that makes AgentEvents of yours`,
    cause,
  );
}
