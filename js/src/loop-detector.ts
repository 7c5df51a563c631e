import { RawLoopDetector } from "../glue/turnkeeper.js";
import { optional, read, unreadable } from "./arguments.js";
import { sendCall } from "./call-encoder.js";
import { TurnkeeperError, invalidArgument } from "./errors.js";
import type {
  AgentEvent,
  LoopDetectorOptions as KnownOptions,
  LoopVerdict,
  ModelCheckRequest,
} from "./generated/shapes.js";
import { DISPOSE, Handle, thrown } from "./handle.js";
import { wasm } from "./runtime.js";
import { sendText } from "./text-buffer.js";

const MACHINE = "loop_detector";

/** The settings of a detector; an unknown name is an error. */
export interface LoopDetectorOptions extends KnownOptions {
  /** Other profiles have settings of their own. */
  [setting: string]: unknown;
}

const OK: LoopVerdict = Object.freeze({ action: "ok" });
const STOP = 2;
/** What there is to {@link RawLoopDetector.step}. */
const [RESULT, TURN, CLEAR, DISABLE, ENABLE] = [0, 1, 2, 3, 4] as const;

type Blind = readonly ("arguments" | "results")[];
const BLIND: readonly Blind[] = [[], ["arguments"], ["results"], ["arguments", "results"]];

/** An event, or what was given for one. */
interface Unchecked {
  type?: unknown;
  id?: unknown;
  text?: unknown;
  name?: unknown;
  args?: unknown;
}

/** Handed to the constructor by `restore`. */
let restored: RawLoopDetector | undefined;

/**
 * Watches the events of one conversation and says whether the agent is stuck.
 *
 * Call {@link startPrompt} for each prompt of the user and {@link observe} for each event. After a
 * `stop` every further event gets the same verdict, until a new prompt or {@link clear}. Verdicts
 * do not depend on how a stream was cut into deltas, and neither memory nor the cost of an event
 * grows with the conversation.
 *
 * Lengths and offsets count UTF-16 code units. Every method throws `disposed` after
 * {@link dispose}.
 *
 * @example
 * ```ts
 * const detector = new LoopDetector();
 * detector.startPrompt("prompt-1", { model: "gemini-3-pro-preview" });
 * const call = { type: "tool_call", name: "read_file", args: { path: "a.ts" } } as const;
 * const verdict = detector.observe(call);
 * if (verdict.action === "stop") console.warn(verdict.report.message);
 * ```
 */
export class LoopDetector {
  readonly #handle: Handle<RawLoopDetector>;
  /** A host's pattern, which only JavaScript can match. */
  readonly #previewPattern: RegExp | undefined;
  #verdict: LoopVerdict;
  readonly #takeText = (units: number): number => this.#handle.get().text(units, 0);
  readonly #takeReasoning = (units: number): number => this.#handle.get().text(units, 1);
  readonly #takeCall = (length: number): number => this.#handle.get().call(length);

  /**
   * @throws `invalid_config`, naming the option in `detail.field`, for one that is unknown, of the
   * wrong type or out of range.
   */
  constructor(options?: LoopDetectorOptions) {
    wasm();
    let raw = restored;
    try {
      raw ??= new RawLoopDetector(options);
    } catch (error) {
      const known = thrown(error, MACHINE);
      // A getter or a proxy of the host's has thrown.
      throw known === error
        ? invalidArgument(MACHINE, "options", "could not be read", error)
        : known;
    }
    this.#handle = new Handle(MACHINE, raw);
    const pattern = raw.previewPattern() as [source: string, flags: string] | undefined;
    // Neither `g` nor `y` may make the answer depend on earlier ones.
    this.#previewPattern = pattern && new RegExp(pattern[0], pattern[1].replace(/[gy]/g, ""));
    this.#verdict = OK;
    if (restored !== undefined) this.#verdict = frozen(raw.verdict() as LoopVerdict);
  }

  /**
   * Starts a prompt and forgets the one before. With the running prompt's id nothing changes,
   * neither the counts nor the model.
   *
   * @param promptId The prompt's id; only a new one starts a new prompt.
   * @param options `model` is the model that answers, which decides whether it is watched as a
   * preview model; `userPrompt` the user's words: a passage that they hold may be repeated.
   * @throws `invalid_argument`
   */
  startPrompt(promptId: string, options: { model?: string; userPrompt?: string } = {}): void {
    const raw = this.#handle.get();
    if (typeof promptId !== "string") {
      throw invalidArgument(MACHINE, "promptId", "must be a string");
    }
    if (typeof options !== "object" || options === null) {
      throw invalidArgument(MACHINE, "options", "must be an object");
    }
    const model = optional(
      MACHINE,
      read(MACHINE, options, "model", "options"),
      "string",
      "options.model",
    );
    const words = optional(
      MACHINE,
      read(MACHINE, options, "userPrompt", "options"),
      "string",
      "options.userPrompt",
    );
    const isPreview = this.#previewPattern?.test(model ?? "");
    try {
      const preview = isPreview === undefined ? 2 : Number(isPreview);
      raw.startPrompt(promptId, model ?? "", preview, words ?? "");
      this.#verdict = frozen(raw.verdict() as LoopVerdict);
    } catch (error) {
      throw this.#handle.fault(error);
    }
  }

  /**
   * Takes the next event and answers with the verdict. Constant time for each UTF-16 code unit of
   * text and each byte of arguments; no other property of the event is read or kept.
   *
   * @throws `invalid_argument`, naming the field, for what is not an event, and `limit_exceeded`
   * for arguments that are cyclic, nested more than 127 deep or larger than 256 MB. Nothing is
   * counted then.
   */
  observe(event: AgentEvent): LoopVerdict {
    const raw = this.#handle.get();
    if (typeof event !== "object" || event === null) {
      throw invalidArgument(MACHINE, "event", "must be an object");
    }
    let type: unknown;
    try {
      type = event.type;
    } catch (error) {
      throw unreadable(MACHINE, "event.type", error);
    }
    switch (type) {
      case "text":
        return this.#observeText(event, this.#takeText);
      case "reasoning":
        return this.#observeText(event, this.#takeReasoning);
      case "tool_call":
        return this.#observeCall(event);
      case "tool_result":
        return this.#observeResult(event, raw);
      case "turn_started":
        if (this.#verdict.action !== "stop") this.#run(raw, TURN);
        return this.#current();
      case "user_message":
      case "finished":
      case "condensation":
      case "other":
        return this.#current();
      default:
        throw invalidArgument(MACHINE, "event.type", "must be the type of an AgentEvent");
    }
  }

  /**
   * Takes events in turn, up to the first that gets a `stop`, and answers with the last verdict,
   * or with the last `nudge` if nothing stopped.
   *
   * @throws As {@link observe}, naming the event as `events[3].text`; those before it are counted.
   */
  observeAll(events: readonly AgentEvent[]): LoopVerdict {
    this.#handle.get();
    if (!Array.isArray(events)) throw invalidArgument(MACHINE, "events", "must be an array");
    let last = this.#current();
    for (let at = 0; at < events.length; at++) {
      const verdict = this.#observeAt(events as readonly AgentEvent[], at);
      if (verdict.action === "stop") return verdict;
      if (verdict.action === "nudge") last = verdict;
    }
    return last;
  }

  /**
   * A request to ask a model whether it is a loop, handed out once. It can arise with each
   * `turn_started`, so ask after those. At most one is pending; a new prompt drops it.
   */
  takeModelCheck(): ModelCheckRequest | undefined {
    const raw = this.#handle.get();
    try {
      const request = raw.takeModelCheck() as (ModelCheckRequest & { schema: string }) | undefined;
      return request && { ...request, schema: JSON.parse(request.schema) as object };
    } catch (error) {
      throw this.#handle.fault(error);
    }
  }

  /**
   * The model's answer to the request that was taken, as an object or as JSON: `confidence`, from
   * 0 to 1, and `reasoning`. Anything else is no loop, and an answer that nobody asked for changes
   * nothing.
   */
  answerModelCheck(answer: unknown): LoopVerdict {
    const raw = this.#handle.get();
    const { confidence, reasoning } = readAnswer(answer);
    try {
      return this.#answer(raw.answerModelCheck(confidence, reasoning));
    } catch (error) {
      throw this.#handle.fault(error);
    }
  }

  /** The verdict on the conversation as it stands. */
  get verdict(): LoopVerdict {
    this.#handle.get();
    return this.#verdict;
  }

  /**
   * What the events of this prompt lack, so that rules which need it stay silent; nothing before
   * the sixth call. `arguments`: no call had any; `results`: not one came.
   */
  get blind(): Blind {
    const raw = this.#handle.get();
    try {
      return BLIND[raw.blind()]!;
    } catch (error) {
      throw this.#handle.fault(error);
    }
  }

  /**
   * Lifts a `stop`, so that one recovery turn can proceed, and starts every count and the text
   * state afresh. Indexes, offsets, turns and strikes go on: the next detection of this prompt has
   * a strike more.
   */
  clear(): void {
    this.#run(this.#handle.get(), CLEAR);
    this.#verdict = OK;
  }

  /** Stops watching, across prompts, until {@link enable}: every verdict is `ok`. */
  disable(): void {
    this.#run(this.#handle.get(), DISABLE);
    this.#verdict = OK;
  }

  /** Watches again, with fresh counts. */
  enable(): void {
    this.#run(this.#handle.get(), ENABLE);
  }

  /**
   * The detector as versioned bytes with a checksum, the same on every platform. They hold the
   * options, the prompt's id and the beginning of its text, the last few thousand units of prose
   * and reasoning, and hashes of calls.
   */
  snapshot(): Uint8Array {
    const raw = this.#handle.get();
    try {
      return raw.snapshot();
    } catch (error) {
      throw this.#handle.fault(error);
    }
  }

  /**
   * A detector that goes on as if it had never stopped.
   *
   * @throws `snapshot_corrupt` for bytes that are cut, altered or no snapshot, `wrong_machine` for
   * another machine's, `snapshot_version` for those of a newer version, `invalid_argument` for
   * what is not a `Uint8Array`.
   */
  static restore(snapshot: Uint8Array): LoopDetector {
    if (!ArrayBuffer.isView(snapshot) || snapshot.BYTES_PER_ELEMENT !== 1) {
      throw invalidArgument(MACHINE, "snapshot", "must be a Uint8Array");
    }
    wasm();
    try {
      restored = RawLoopDetector.restore(snapshot);
      return new LoopDetector();
    } catch (error) {
      throw thrown(error, MACHINE);
    } finally {
      restored = undefined;
    }
  }

  /** Frees the detector's memory; a second time does nothing. Finalisers are only a net. */
  dispose(): void {
    this.#handle.dispose();
  }

  /** {@link dispose}, for `using`. */
  [DISPOSE](): void {
    this.dispose();
  }

  #observeAt(events: readonly AgentEvent[], at: number): LoopVerdict {
    try {
      return this.observe(events[at]!);
    } catch (error) {
      if (!(error instanceof TurnkeeperError)) throw error;
      const field = error.detail?.field;
      if (field === undefined || !/^event\b/.test(field)) throw error;
      const { code, machine, message, detail, cause } = error;
      const named = field.replace(/^event/, `events[${at}]`);
      throw new TurnkeeperError({
        code,
        machine,
        message: message.replace(field, named),
        detail: { ...detail, field: named },
        cause,
      });
    }
  }

  // The reads below are written out, each with its place in the code: read by one function that is
  // given the name, a property costs several times as much.

  #observeText(event: Unchecked, take: (units: number) => number): LoopVerdict {
    let text: unknown;
    try {
      text = event.text;
    } catch (error) {
      throw unreadable(MACHINE, "event.text", error);
    }
    if (typeof text !== "string") throw invalidArgument(MACHINE, "event.text", "must be a string");
    if (this.#verdict.action === "stop") return this.#verdict;
    try {
      return this.#answer(sendText(text, take));
    } catch (error) {
      throw this.#handle.fault(error);
    }
  }

  #observeCall(event: Unchecked): LoopVerdict {
    let name, id, args: unknown;
    let reading = "event.name";
    try {
      name = event.name;
      reading = "event.id";
      id = event.id;
      reading = "event.args";
      args = event.args;
    } catch (error) {
      throw unreadable(MACHINE, reading, error);
    }
    if (typeof name !== "string") throw invalidArgument(MACHINE, "event.name", "must be a string");
    optional(MACHINE, id, "string", "event.id");
    if (this.#verdict.action === "stop") return this.#verdict;
    try {
      return this.#answer(sendCall(name, args, this.#takeCall));
    } catch (error) {
      throw this.#handle.fault(error);
    }
  }

  #observeResult(event: object, raw: RawLoopDetector): LoopVerdict {
    if (typeof read(MACHINE, event, "output", "event") !== "string") {
      throw invalidArgument(MACHINE, "event.output", "must be a string");
    }
    optional(MACHINE, read(MACHINE, event, "id", "event"), "string", "event.id");
    optional(MACHINE, read(MACHINE, event, "isError", "event"), "boolean", "event.isError");
    optional(MACHINE, read(MACHINE, event, "exitCode", "event"), "number", "event.exitCode");
    if (this.#verdict.action !== "stop") this.#run(raw, RESULT);
    return this.#current();
  }

  #run(raw: RawLoopDetector, step: number): void {
    try {
      raw.step(step);
    } catch (error) {
      throw this.#handle.fault(error);
    }
  }

  /** A nudge is said once; a stop stays. */
  #current(): LoopVerdict {
    return this.#verdict.action === "stop" ? this.#verdict : (this.#verdict = OK);
  }

  #answer(packed: number): LoopVerdict {
    if (packed === 0) return (this.#verdict = OK);
    const verdict = frozen(this.#handle.get().verdict() as LoopVerdict);
    return packed === STOP ? (this.#verdict = verdict) : verdict;
  }
}

/** Every further event gets this object; nobody may change it under another's eyes. */
function frozen(verdict: LoopVerdict): LoopVerdict {
  if (verdict.action === "ok") return OK;
  Object.freeze(verdict.report);
  return Object.freeze(verdict);
}

/** What a model said. Not a number for what is malformed. */
function readAnswer(answer: unknown): { confidence: number; reasoning: string } {
  const malformed = { confidence: Number.NaN, reasoning: "" };
  try {
    const value: unknown = typeof answer === "string" ? JSON.parse(answer) : answer;
    if (typeof value !== "object" || value === null) return malformed;
    const { confidence, reasoning } = value as { confidence?: unknown; reasoning?: unknown };
    if (typeof confidence !== "number") return malformed;
    return { confidence, reasoning: typeof reasoning === "string" ? reasoning : "" };
  } catch {
    return malformed;
  }
}
