import { BareEvent, PackedVerdict, RawLoopDetector } from "../../glue/turnkeeper.js";
import {
  invalidArgument,
  checkArray,
  checkObject,
  checkOptions,
  checkString,
  optional,
} from "../boundary/arguments.js";
import { sendCall, sendResult } from "../boundary/call-encoder.js";
import type {
  AgentEvent,
  Counts,
  DetectorSettings,
  LoopDetectorOptions,
  LoopVerdict,
  ModelCheckRequest,
  PromptInfo,
} from "../boundary/generated/shapes.js";
import { frozen } from "../boundary/frozen.js";
import { Machine, call, fault, rawOf, restore, type Snapshot } from "../boundary/machine.js";
import { plainOptions } from "../boundary/plain-value.js";
import { sendText } from "../boundary/text-buffer.js";
import { readAnswer } from "./model-answer.js";
import { resultFields, textOf } from "../messages/events.js";
import { checkFields, ofItem, unknownType } from "./events.js";
import { GUARDED } from "./told.js";

const MACHINE = "loop_detector";

const OK: LoopVerdict = Object.freeze({ action: "ok" });
/** The events that say no more than that they happened. */
const BARE = new Map<AgentEvent["type"], BareEvent>([
  ["turn_started", BareEvent.TurnStarted],
  ["retry", BareEvent.Retry],
  ["user_message", BareEvent.UserMessage],
  ["condensation", BareEvent.Condensation],
  ["finished", BareEvent.Finished],
  ["other", BareEvent.Other],
]);

/** What the events of a prompt may lack, and streams of which an adapter understands nothing. */
export type Lack = "calls" | "arguments" | "results" | "prompts" | "events";

/** An event, or what was given for one. */
type Unchecked = Readonly<Record<string, unknown>>;

/**
 * Watches the events of one conversation and says whether the agent is stuck.
 *
 * Call {@link startPrompt} for each message of the user and {@link observe} for each event. Observe the
 * tools' results, too: the default rules compare a call together with its result. After a `stop` every
 * further event gets the same verdict, until a new prompt or {@link clear}. Verdicts do not depend on how a
 * stream was cut into deltas, and neither memory nor the cost of an event grows with the conversation.
 *
 * Lengths and offsets count UTF-16 code units. Every method throws `disposed` after
 * {@link dispose}.
 *
 * @example
 * ```ts
 * const detector = new LoopDetector();
 * detector.startPrompt("prompt-1", { userPrompt: "Export the names." });
 * detector.observe({ type: "tool_call", id: "1", name: "read_file", args: { path: "a.ts" } });
 * const verdict = detector.observe({ type: "tool_result", id: "1", output: "export {};" });
 * if (verdict.action === "stop") console.warn(verdict.report.message);
 * for (const hint of detector.takeFeedback()) history.push({ role: "user", content: hint });
 * ```
 */
export class LoopDetector extends Machine {
  /** A host's pattern, which only JavaScript can match. */
  readonly #previewPattern: RegExp | undefined;
  readonly #settings: DetectorSettings;
  #verdict = OK;
  #understandsStreams = true;
  #isGuarded = false;
  readonly #takeText = (units: number): PackedVerdict =>
    rawOf<RawLoopDetector>(this).observeText(units);
  readonly #takeReasoning = (units: number): PackedVerdict =>
    rawOf<RawLoopDetector>(this).observeReasoning(units);
  readonly #takeCall = (length: number, end: number): PackedVerdict =>
    rawOf<RawLoopDetector>(this).observeCall(length, end);
  readonly #takeResult = (length: number): PackedVerdict =>
    rawOf<RawLoopDetector>(this).observeResult(length);

  /**
   * @param options What is left out has the value of the profile, which is `adaptive` unless `profile`
   * names another.
   * @throws `invalid_config`, naming the option in `detail.field`, for one that is unknown, of the
   * wrong type or out of range.
   */
  constructor(options: LoopDetectorOptions = {}) {
    super(MACHINE, RawLoopDetector, plainOptions(MACHINE, options));
    const raw = rawOf<RawLoopDetector>(this);
    this.#settings = raw.settings() as DetectorSettings;
    const pattern = this.#settings.previewPattern;
    // Neither `g` nor `y` may make the answer depend on earlier ones.
    this.#previewPattern =
      pattern && new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ""));
  }

  /**
   * Starts a prompt: call it for each message of the user, with the user's words. All counts, and a stop, of the
   * prompt before are forgotten. The id of the running prompt changes no count, and neither does, in `adaptive`, a
   * new id that comes while the model is at work, without `userPrompt`, if words of the user or text of the model
   * were shown before; a `model` or `userPrompt` that was not known yet is then taken over, except in the profile
   * `standard`. Events before the first call are counted as one prompt.
   *
   * @param promptId The prompt's id, any string that differs from message to message.
   * @param options `model` is the name of the model that answers; left out, it is not watched as a preview
   * model. `userPrompt` is what the user wrote: a passage of it that the model repeats is no loop, and what it asks
   * for several times ("ten times") may come as often.
   * @throws `invalid_argument`
   */
  startPrompt(promptId: string, options: { model?: string; userPrompt?: string } = {}): void {
    rawOf(this);
    checkString(MACHINE, promptId, "promptId");
    checkOptions(MACHINE, options, ["model", "userPrompt"]);
    const model = optional(MACHINE, options.model, "string", "options.model");
    const words = optional(MACHINE, options.userPrompt, "string", "options.userPrompt");
    const isPreview = this.#previewPattern?.test(model ?? "");
    this.#verdict = call(this, (raw: RawLoopDetector) => {
      raw.startPrompt(promptId, model, isPreview, words);
      return verdictOf(raw);
    });
  }

  /**
   * Takes the next event and answers with the verdict. It takes constant time for each UTF-16 code unit
   * of text and each byte of arguments, and of results where a rule compares them.
   *
   * The `id` of a result is that of its call. A result whose `id` no open call has counts for a call that
   * came without an `id`, or for none; one without an `id` counts for the oldest open call.
   *
   * Arguments are JSON. What no JSON holds, what is nested more than 127 deep and what comes after a million
   * values is marked as cut, and the rest is compared: such calls are equal if the rest is, and never equal to
   * one that was read whole.
   *
   * The `output` of a result may be the parts of a provider's message instead of a string. The verdict is
   * that of their texts, joined with line feeds: parts with a `text`; results within the result, such as a
   * `functionResponse`; resources of MCP; outputs of the AI SDK (`text`, `json`, `content`); VS Code's
   * text parts. Another picture or file is another result, and an array of anything else counts as JSON.
   *
   * @throws `invalid_argument`, naming the field, for what is not an event, for a field that no event has and for a
   * call without `args`, and `limit_exceeded` for names
   * and ids over 64 MB and results over 256 MB. Nothing is counted then.
   */
  observe(event: AgentEvent): LoopVerdict {
    rawOf(this);
    checkObject(MACHINE, event, "event");
    checkFields(event);
    const given = event as unknown as Unchecked;
    switch (event.type) {
      case "text":
        return this.#observeText(given, this.#takeText);
      case "reasoning":
        return this.#observeText(given, this.#takeReasoning);
      case "tool_call":
        return this.#observeCall(given);
      case "tool_result":
        return this.#observeResult(given);
      case "loop_reported":
        return this.#observeLoopReport(given);
    }
    const bare = BARE.get(event.type);
    if (bare === undefined) throw unknownType();
    return this.#observeOther((raw) => raw.observeBare(bare));
  }

  /**
   * Takes events in turn, up to the first that gets a `stop`, and answers with the last verdict,
   * or with the last `nudge` if nothing stopped.
   *
   * @throws As {@link observe}, naming the event as `events[3].text`; those before it are counted.
   */
  observeAll(events: readonly AgentEvent[]): LoopVerdict {
    rawOf(this);
    let last = this.#verdict;
    let nudge: LoopVerdict | undefined;
    checkArray(MACHINE, events, "events");
    for (const [at, event] of (events as readonly AgentEvent[]).entries()) {
      try {
        last = this.observe(event);
      } catch (error) {
        throw ofItem(error, at);
      }
      if (last.action === "stop") return last;
      if (last.action === "nudge") nudge = last;
    }
    return nudge ?? last;
  }

  /**
   * The hints for the model that were not handed out yet, the oldest first: each is the `feedback` of a
   * nudge or a stop, at whichever event it arose, and comes once. Put them into the history before the next
   * request. At most 8 wait, the newest. A new prompt, {@link clear} and a retry leave them, because the
   * model has not got them; {@link disable} drops them.
   */
  takeFeedback(): readonly string[] {
    return call(this, (raw: RawLoopDetector) => raw.takeFeedback() as string[]);
  }

  /**
   * A request to ask a model whether the agent is stuck, or `undefined` if it is not time for one (see the
   * option `modelCheck`). One can become due with each `turn_started` and, in doubt, with each `tool_result`, so
   * call this after those. Each is handed out once; at most one waits for its answer, and a new prompt drops it.
   */
  takeModelCheck(): ModelCheckRequest | undefined {
    return call(
      this,
      (raw: RawLoopDetector) => raw.takeModelCheck() as ModelCheckRequest | undefined,
    );
  }

  /**
   * Takes the model's answer to the request that was taken, an object or its JSON: `confidence`, from
   * 0 to 1, and `reasoning`. An answer of any other shape counts as "no loop", and one that nobody asked
   * for changes nothing.
   */
  answerModelCheck(answer: unknown): LoopVerdict {
    rawOf(this);
    const said = readAnswer(answer);
    return call(this, (raw: RawLoopDetector) => this.#answer(raw.answerModelCheck(...said)));
  }

  /** Whether the prompt has been stopped: no request is to be made, until a new prompt or {@link clear}. */
  get stopped(): boolean {
    return this.verdict.action === "stop";
  }

  /**
   * The verdict on the conversation as it stands. TypeScript takes an `action` that was compared once for settled;
   * {@link stopped} has no such trap.
   */
  get verdict(): LoopVerdict {
    rawOf(this);
    return this.#verdict;
  }

  /**
   * The longest run of calls under way, for a status line such as "3 of 5": of the runs that rules
   * count, the one that is nearest to its threshold. It is below that until the rule speaks; after a nudge the
   * threshold is that of the stop.
   */
  get counts(): Counts {
    return call(this, (raw: RawLoopDetector) => raw.counts() as Counts);
  }

  /**
   * How much of the last ten calls of the prompt and their results was new, as a meter to show: from 0,
   * nothing, to 1, all of it, which it also is before the first call. It changes no verdict.
   *
   * Half of a call's share is whether the call is new, and half whether its result is; new is what did not
   * come among the 32 before it. The result of a new edit that succeeded counts as new, because a file has
   * changed. A call without a result counts by itself. `adaptive` does not compare what changes by itself,
   * such as times and ids, or the names in an error; other profiles compare as their rules do, and those
   * that read no results look at calls alone. A new prompt and {@link clear} start it afresh.
   */
  get progress(): number {
    return call(this, (raw: RawLoopDetector) => raw.progress());
  }

  /** The running prompt, to log and to show: which ids were counted as one, and for which model. */
  get prompt(): PromptInfo {
    return call(this, (raw: RawLoopDetector) => raw.prompt() as PromptInfo);
  }

  /**
   * What the events lack, so that the rules which need it stay silent; empty if nothing is missing.
   *
   * - `arguments` if no call of the prompt had any, `results` if none came after a call and answered it, both from
   *   the sixth call on.
   * - `calls` if six results came and no call: an adapter of another provider reads none.
   * - `prompts` if prompts cannot be told apart: a new id came while the model was at work, and neither words of the
   *   user nor text of the model was ever shown; six prompts in a row had the same words, so that each request seems
   *   to be one; ids came back after others (a b a b), because two conversations share the detector; or a stream is
   *   guarded and {@link startPrompt} was never called.
   * - `events` if a guard's adapter knew no event of the last stream that ended, since it is another provider's.
   */
  get blind(): readonly Lack[] {
    return call(this, (raw: RawLoopDetector) => {
      const lacks = raw.blind() as Record<Lack, boolean>;
      lacks.prompts ||= this.#isGuarded && (raw.prompt() as PromptInfo).id === undefined;
      lacks.events = !this.#understandsStreams;
      return (Object.keys(lacks) as Lack[]).filter((what) => lacks[what]);
    });
  }

  /** @internal */
  [GUARDED](isUnderstood?: boolean): void {
    this.#isGuarded = true;
    this.#understandsStreams = isUnderstood ?? this.#understandsStreams;
  }

  /**
   * Lifts a `stop`, to give the model one more chance in the same prompt: every count starts afresh, and
   * the text read so far is forgotten. Indexes, offsets, turns and strikes go on, so the `strike` of the
   * prompt's next report is one higher.
   */
  clear(): void {
    call(this, (raw: RawLoopDetector) => raw.clear());
    this.#verdict = OK;
  }

  /**
   * Switches the detector off, across prompts, until {@link enable}: a `stop` is lifted, every verdict
   * is `ok`, and hints that wait are dropped.
   */
  disable(): void {
    call(this, (raw: RawLoopDetector) => raw.disable());
    this.#verdict = OK;
  }

  /** Switches the detector on again; all counts start afresh. */
  enable(): void {
    call(this, (raw: RawLoopDetector) => raw.enable());
  }

  /**
   * The detector as versioned bytes with a checksum, the same on every platform. They hold the
   * options, the prompt's id and the beginning of its text, the last few thousand units of text
   * and reasoning, and hashes of calls.
   */
  snapshot(): Uint8Array & { readonly snapshotOf?: "loop_detector" } {
    return call(this, (raw: RawLoopDetector) => raw.snapshot());
  }

  /**
   * A detector that goes on as if it had never stopped.
   *
   * @throws `snapshot_corrupt`, `wrong_machine`, `snapshot_version`; `invalid_argument` for what is not bytes.
   */
  static restore(snapshot: Snapshot<"loop_detector">): LoopDetector {
    const detector = restore(MACHINE, RawLoopDetector, snapshot, make);
    detector.#verdict = call(detector, verdictOf);
    return detector;
  }

  #observeText({ text }: Unchecked, take: (units: number) => PackedVerdict): LoopVerdict {
    checkString(MACHINE, text, "event.text");
    if (this.#isOver()) return this.#verdict;
    try {
      return this.#answer(sendText(text, take));
    } catch (error) {
      throw fault(this, error);
    }
  }

  #observeCall(event: Unchecked): LoopVerdict {
    const { name, id, args, key } = event;
    checkString(MACHINE, name, "event.name");
    const known = optional(MACHINE, id, "string", "event.id");
    const identity = optional(MACHINE, key, "string", "event.key");
    if (args === undefined && !("args" in event)) {
      const must = "must be given, as undefined where there are none";
      throw invalidArgument(MACHINE, "event.args", must);
    }
    if (this.#isOver()) return this.#verdict;
    try {
      return this.#answer(sendCall(name, identity, args, known, this.#settings, this.#takeCall));
    } catch (error) {
      throw fault(this, error);
    }
  }

  #observeResult(event: Unchecked): LoopVerdict {
    const { id, output, isError, exitCode } = resultFields(MACHINE, event);
    if (this.#isOver()) return this.#verdict;
    const text = textOf(output);
    try {
      if (!this.#settings.needsResults)
        return this.#answer(rawOf<RawLoopDetector>(this).observeUnreadResult(text.length));
      return this.#answer(sendResult(id ?? "", text, isError, exitCode, this.#takeResult));
    } catch (error) {
      throw fault(this, error);
    }
  }

  #observeLoopReport({ by, detail }: Unchecked): LoopVerdict {
    const who = optional(MACHINE, by, "string", "event.by");
    const what = optional(MACHINE, detail, "string", "event.detail");
    return this.#observeOther((raw) => raw.observeLoopReport(who, what));
  }

  #observeOther(observe: (raw: RawLoopDetector) => PackedVerdict): LoopVerdict {
    if (this.#isOver()) return this.#verdict;
    return this.#answer(call(this, observe));
  }

  /** Whether nothing counts any more. */
  #isOver(): boolean {
    return this.#verdict.action === "stop" && !this.#settings.stopMayEnd;
  }

  #answer(packed: PackedVerdict): LoopVerdict {
    if (packed === PackedVerdict.SameStop) return this.#verdict;
    return (this.#verdict = packed === PackedVerdict.Ok ? OK : verdictOf(rawOf(this)));
  }
}

/** For {@link restore}. */
function make(): LoopDetector {
  return new LoopDetector();
}

/** Every further event gets this object; nobody may change it under another's eyes. */
function verdictOf(raw: RawLoopDetector): LoopVerdict {
  const verdict = raw.verdict() as LoopVerdict;
  if (verdict.action === "ok") return OK;
  return frozen(verdict);
}
