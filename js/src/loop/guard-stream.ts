import { isObject } from "../boundary/arguments.js";
import type { TurnkeeperError } from "../boundary/errors.js";
import type { AgentEvent, LoopVerdict } from "../boundary/generated/shapes.js";
import { type LoopDetector, STREAM_ENDED } from "./loop-detector.js";
import {
  type CheckedOptions,
  type GuardStreamOptions,
  type StreamAdapter,
  checkOptions,
  invalid,
} from "./guard-options.js";
import { ModelCheck } from "./model-check.js";
import { StreamSource, checkSource, hasMethod, property } from "./stream-source.js";

/** The entries of the package that read a provider's events. */
const ADAPTERS = ["gemini", "anthropic", "openai", "ai-sdk", "vscode"];

/** The events with which a model check may become due. */
const MAY_ASK: ReadonlySet<unknown> = new Set(["turn_started", "tool_result"]);

/** What a guarded stream adds to the host's own events: a loop was found, and what to do about it. */
export interface LoopDetectedEvent {
  type: "loop_detected";
  /** `stop`: this was the stream's last event. `nudge`: tell the model, the stream goes on. */
  verdict: Exclude<LoopVerdict, { action: "ok" }>;
}

/** A result of a tool, as {@link GuardedStream.result} takes it. */
export type ToolResult = Omit<Extract<AgentEvent, { type: "tool_result" }>, "type">;

/** What {@link guardStream} gives: the host's events and its own. */
export interface GuardedStream<T> extends AsyncGenerator<T | LoopDetectedEvent, void, void> {
  /**
   * Shows the detector the result of a tool that the host has run, and answers with its verdict. A stop ends
   * this stream with its `loop_detected` event, as one in the stream does; after the stream's own end it is in the
   * answer, and in `detector.verdict`, alone.
   *
   * @throws As `observe` of the detector.
   */
  result(result: ToolResult): LoopVerdict;
}

/**
 * Whether an event is one that {@link guardStream} has added, and not one of the host's, which may
 * carry the same type (gemini-cli's do).
 */
export function isLoopDetected(event: unknown): event is LoopDetectedEvent {
  if (property(event, "type") !== "loop_detected") return false;
  const verdict = property(event, "verdict");
  const action = property(verdict, "action");
  return (action === "nudge" || action === "stop") && isObject(property(verdict, "report"));
}

/**
 * Puts a loop detector in front of a model's stream.
 *
 * The events of `source` come out unchanged, one at a time: nothing is read before it is asked for.
 * Each is shown to `detector` first.
 *
 * - On a `stop` verdict the event that fired is held back, so that the host cannot run that call.
 *   One last event, `{ type: "loop_detected", verdict }`, follows; then `options.abort` is aborted,
 *   the source's `return()` is called, and the stream ends. This does not wait for a consumer that
 *   takes its time over the last event (a dialog, say): it begins as soon as the event has been
 *   delivered. A detector that had stopped before gives its verdict at this stream's first event.
 * - On a `nudge` verdict the event is passed on, a `loop_detected` event follows it, and the stream
 *   goes on.
 * - An error of the source, the adapter or the detector reaches the consumer as it is, and the
 *   source is closed.
 * - A consumer that leaves early (`break`, `return()`, `throw()`) closes the source, even while the
 *   source is silent. `options.abort` is the host's and is left alone.
 * - A host that aborts `options.abort` ends the stream without an error and closes the source, even
 *   while the source is silent.
 *
 * An adapter of another provider understands nothing, and no verdict comes. After such a stream's end
 * `detector.blind` has `events`.
 *
 * Closing waits for the source to finish, for at most 50 milliseconds; an error in closing is dropped.
 *
 * Nothing happens before the first event is asked for or the first result is shown, not even the start of the
 * prompt.
 *
 * {@link isLoopDetected} tells the guard's events from the host's. Results of tools are in no stream: show them with
 * {@link GuardedStream.result}. Before the next request, `detector.takeFeedback()` has what to tell the model.
 *
 * @param options May be left out if the stream's events are `AgentEvent`s; else `adapter` says what they mean.
 * @throws `invalid_argument` at the call, naming the argument in `detail.field`, for an unknown option,
 * too; and when an event is read that is no `AgentEvent`, without an adapter.
 *
 * @example
 * ```ts
 * const guarded = guardStream(stream, detector, { adapter, promptId, userPrompt, model, abort });
 * for await (const event of guarded) {
 *   if (isLoopDetected(event)) showWarning(event.verdict.report.message);
 *   else handle(event);
 * }
 * for (const { id } of calls) guarded.result({ id, output: await run(id) });
 * for (const hint of detector.takeFeedback()) history.push({ role: "user", content: hint });
 * ```
 */
export function guardStream<T>(
  source: AsyncIterable<T> & ([T] extends [AgentEvent] ? unknown : never),
  detector: LoopDetector,
): GuardedStream<T>;
export function guardStream<T>(
  source: AsyncIterable<T>,
  detector: LoopDetector,
  options: GuardStreamOptions<T>,
): GuardedStream<T>;
export function guardStream<T>(
  source: AsyncIterable<T>,
  detector: LoopDetector,
  options?: GuardStreamOptions<T>,
): GuardedStream<T> {
  return startGuard(source, detector, options, {});
}

/** Who is told of what happens to a stream under guard. */
export interface GuardListener {
  /** Gets each `loop_detected` event of the guard's own before it comes out: a host's may look the same. */
  announce?(event: LoopDetectedEvent): void;
  /** Called when the source has come to its end by itself. */
  ended?(): void;
}

/** {@link guardStream} with a listener. */
export function startGuard<T>(
  source: AsyncIterable<T>,
  detector: LoopDetector,
  options: GuardStreamOptions<T> | undefined,
  listener: GuardListener,
): GuardedStream<T> {
  checkSource(source);
  if (!hasMethod(detector, "observe") || !hasMethod(detector, "startPrompt")) {
    throw invalid("detector", "must be a LoopDetector");
  }
  return new Guard(source, detector, checkOptions(options), listener);
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
  readonly #listener: GuardListener;
  readonly #modelCheck: ModelCheck | undefined;
  #started = false;
  #promptStarted = false;
  #ended = false;
  /** What the adapter has made of the events so far; those that it leaves out say nothing of it. */
  #adapterKnows: "nothing yet" | "none" | "some" = "nothing yet";
  readonly #nudges: LoopDetectedEvent[] = [];
  /** A stop at a result, until it is delivered. */
  #stopAtResult: LoopDetectedEvent | undefined;
  #afterDelivery: ReturnType<typeof setTimeout> | undefined;
  #unanswered = 0;
  #latest: Promise<unknown> = Promise.resolve();

  constructor(
    source: AsyncIterable<T>,
    detector: LoopDetector,
    options: CheckedOptions<T>,
    listener: GuardListener,
  ) {
    this.#source = new StreamSource(source, options.abort, () => this.#sourceEnded());
    this.#detector = detector;
    this.#options = options;
    this.#listener = listener;
    const { checkWithModel, abort } = options;
    this.#modelCheck = checkWithModel && new ModelCheck(detector, checkWithModel, abort);
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
    if (!this.#ended) this.#startPrompt();
    const verdict = this.#detector.observe({ ...result, type: "tool_result" });
    // There may be doubt whether the agent gets on.
    if (verdict.action !== "stop") this.#modelCheck?.begin();
    if (verdict.action === "ok") return verdict;
    const event: LoopDetectedEvent = { type: "loop_detected", verdict };
    if (this.#ended) this.#listener.announce?.(event);
    else if (verdict.action === "nudge") this.#nudges.push(event);
    else {
      this.#stopAtResult = event;
      this.#source.stopping = true;
      // A read that is under way ends with this.
      void this.#source.close();
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
    const stop = this.#takeStop();
    if (stop !== undefined) {
      this.#unanswered -= 1;
      return Promise.resolve(this.#stop(stop));
    }
    try {
      if (!this.#started && !this.#ended) this.#start();
    } catch (error) {
      return this.#failed(error);
    }
    const isOver = this.#ended || this.#source.closed;
    const nudge = isOver ? undefined : this.#nudges.shift();
    if (!isOver && !nudge) return this.#source.read(this.#answered, this.#failed);
    this.#unanswered -= 1;
    return nudge ? Promise.resolve(this.#deliver(nudge)) : this.#close();
  }

  readonly #answered = (next: IteratorResult<T, unknown>): Result<T> | Promise<Result<T>> => {
    this.#unanswered -= 1;
    try {
      const stop = this.#takeStop();
      if (stop !== undefined) return this.#stop(stop);
      if (next.done) return this.#close();
      const found = this.#observe(next.value);
      const last = found.at(-1);
      if (last?.verdict.action === "stop") return this.#stop(last);
      if (last) this.#nudges.push(...found);
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
    this.#startPrompt();
    // The host may have told of the turn itself.
    this.#modelCheck?.begin();
  }

  /** The guard's own prompt, which begins with whatever comes first: a read or a result. */
  #startPrompt(): void {
    const { promptId, model, userPrompt } = this.#options;
    if (promptId === undefined || this.#promptStarted) return;
    this.#promptStarted = true;
    this.#detector.startPrompt(promptId, {
      ...(model !== undefined && { model }),
      ...(userPrompt !== undefined && { userPrompt }),
    });
  }

  /** What there is in one event of the host; nothing is observed after a stop. */
  #observe(event: T): LoopDetectedEvent[] {
    const judged = this.#modelCheck?.take();
    const found: LoopDetectedEvent[] = judged ? [{ type: "loop_detected", verdict: judged }] : [];
    if (judged?.action === "stop") return found;
    return found.concat(this.#observeOne(event));
  }

  #observeOne(event: T): LoopDetectedEvent[] {
    const { adapter } = this.#options;
    if (adapter !== undefined) {
      const mapped = adapter(event);
      if (typeof mapped === "function") {
        throw invalid(
          "options.adapter",
          "makes adapters; give the guard what it returns: streamAdapter()",
        );
      }
      this.#judgeAdapter(event, mapped);
      return this.#observeMapped(mapped);
    }
    try {
      return this.#observeMapped([event as AgentEvent]);
    } catch (error) {
      throw isForeign(error) ? withoutAdapter(error) : error;
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

  #sourceEnded(): void {
    if (this.#adapterKnows !== "nothing yet") {
      this.#detector[STREAM_ENDED]?.(this.#adapterKnows === "some");
    }
    this.#listener.ended?.();
  }

  #observeMapped(mapped: ReturnType<StreamAdapter<T>> | null): LoopDetectedEvent[] {
    const found: LoopDetectedEvent[] = [];
    if (mapped === undefined || mapped === null) return found;
    const events = Array.isArray(mapped)
      ? (mapped as readonly AgentEvent[])
      : [mapped as AgentEvent];
    for (const event of events) {
      const verdict = this.#detector.observe(event);
      if (verdict.action !== "ok") found.push({ type: "loop_detected", verdict });
      if (verdict.action === "stop") break;
      if (MAY_ASK.has(property(event, "type"))) this.#modelCheck?.begin();
    }
    return found;
  }

  #takeStop(): LoopDetectedEvent | undefined {
    const stop = this.#ended ? undefined : this.#stopAtResult;
    this.#stopAtResult = undefined;
    return stop;
  }

  #stop(event: LoopDetectedEvent): Result<T> {
    this.#ended = true;
    this.#modelCheck?.abort();
    this.#source.stopping = true;
    // The consumer resumes in a microtask, so a timer runs after it: a consumer that looks at the
    // signal before it looks at the event still gets to see this one.
    this.#afterDelivery = setTimeout(() => void this.#source.close());
    return this.#deliver(event);
  }

  #deliver(event: LoopDetectedEvent): Result<T> {
    this.#listener.announce?.(event);
    return { done: false, value: event };
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
    this.#nudges.length = 0;
    clearTimeout(this.#afterDelivery);
    await this.#source.close();
    return { done: true, value: undefined };
  }
}

type Result<T> = IteratorResult<T | LoopDetectedEvent, void>;

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
