import { RawSummaryInjector } from "../../glue/turnkeeper.js";
import {
  checkArray,
  checkObject,
  checkString,
  invalidArgument,
  read,
  readOptional,
  refusal,
  unreadable,
} from "../boundary/arguments.js";
import { sendTexts } from "../boundary/call-encoder.js";
import { TurnkeeperError, isA } from "../boundary/errors.js";
import type {
  ContextPiece,
  CurrentTurn,
  FoldRequest,
  PromptOutline,
  StartedTurn,
  SummaryInjectorOptions,
  SystemPiece,
} from "../boundary/generated/shapes.js";
import { Machine, call, rawOf, restore } from "../boundary/machine.js";
import { plainValue } from "../boundary/plain-value.js";
import { readText } from "../boundary/text-reader.js";
import {
  type Phase,
  type PromptParts,
  type TurnPrompt,
  actionHistory,
  contextOf,
  systemPromptOf,
} from "./turn-prompt.js";

const MACHINE = "summary_injector";
/** The log keeps at most this many entries. */
const LONGEST_LOG = 100;
/** Arguments of one call that have more UTF-16 code units than this are refused. */
const MOST_UNITS = 128 * 1024 * 1024;

/** Something that the injector did of itself. */
export interface SummaryLogEntry {
  /** The number of the turn. */
  turn: number;
  /** The turn was completed by the start of the next. */
  what: "turn_completed";
  /** Why, for people. */
  why: string;
}

/**
 * Carries what earlier turns learned into the prompts of the next, in both phases of a turn, and
 * keeps the user's goal in front of the model. It calls no model.
 *
 * In a turn call {@link startTurn}, {@link addMessage} and {@link addThinkingRound},
 * {@link buildPrompt} for each request, and in the end {@link storeSummary} and
 * {@link completeTurn}; with a budget, {@link takeFoldRequest} after each summary. Adding a turn's
 * summary only adds to the end of the text, so a provider's prompt cache keeps working, until the
 * budget is reached.
 *
 * White space at the ends of summaries, insights, rounds and tasks goes, unpaired surrogates become
 * U+FFFD, and a line that looks like a heading or begins an entry is marked with `> `. Every method
 * throws `disposed` after {@link dispose}. Memory grows with the messages, of which `maxMessages`
 * is a limit, and with the summaries.
 *
 * @example
 * ```ts
 * const injector = new SummaryInjector();
 * injector.startTurn({ task: "Fix the build." });
 * injector.storeSummary({ summary: "The linker fails.", insights: ["libfoo is missing"] });
 * injector.startTurn();
 * const prompt = injector.buildPrompt("action", { capability, direction, workspace });
 * ```
 */
export class SummaryInjector extends Machine {
  /** The accumulated summaries, until one more is stored. */
  #summaries: string | undefined;
  /** The history of the thinking phase, as far as it was asked for. */
  #history: string[] = [];
  #log: SummaryLogEntry[] = [];

  /** @throws `invalid_config`, naming the option in `detail.field`. */
  constructor(options: SummaryInjectorOptions = {}) {
    super(MACHINE, RawSummaryInjector, plainValue(MACHINE, "options", options, "invalid_config"));
  }

  /**
   * Starts a turn and returns its number, from 1. A turn that is open is completed, and
   * {@link log} says so.
   *
   * @param turn `task` is the user's goal; without one, or with one of white space, the turn has
   * that of the turn before. `workspace` is for the host alone: {@link currentTurn} gives it back.
   * @throws `invalid_argument`
   */
  startTurn(turn: { task?: string; workspace?: string } = {}): number {
    rawOf(this);
    checkObject(MACHINE, turn, "turn");
    const task = readOptional(MACHINE, turn, "task", "string", "turn");
    const workspace = readOptional(MACHINE, turn, "workspace", "string", "turn");
    checkSize([task ?? "", workspace ?? ""]);
    const { number, completedPrevious } = call(
      this,
      (raw: RawSummaryInjector) => raw.startTurn({ task, workspace }) as StartedTurn,
    );
    if (completedPrevious) {
      const entry: SummaryLogEntry = {
        turn: number - 1,
        what: "turn_completed",
        why: "the next turn was started",
      };
      this.#log = [...this.#log, entry].slice(-LONGEST_LOG);
    }
    return number;
  }

  /**
   * Adds a message to the open turn. All of its fields are kept, as JSON, and come back when it is
   * recalled.
   *
   * @param message The `role` is a name of at most 64 bytes, without white space and brackets; the
   * `content` a string, or parts such as `{ type: "text", text }`, or whatever JSON can hold.
   * @throws `wrong_order` if no turn is open, `invalid_argument`, naming the field, `limit_exceeded`
   * for a message that is nested more than 127 deep.
   */
  addMessage(message: { id?: string; role: string; content: unknown }): void {
    rawOf(this);
    const json = stringified(message);
    call(this, (raw: RawSummaryInjector) =>
      sendTexts(MACHINE, [json], (length) => raw.addMessage(length)),
    );
  }

  /**
   * Adds a round of thinking to the open turn; one of white space is left out.
   *
   * @throws `wrong_order` if no turn is open, `invalid_argument`.
   */
  addThinkingRound(content: string): void {
    rawOf(this);
    checkString(MACHINE, content, "content");
    checkSize([content]);
    call(this, (raw: RawSummaryInjector) => raw.addThinkingRound(content));
  }

  /**
   * Stores the summary of the open turn, or of `turn`, in the place of one that it has. One without
   * any text is not stored. That of a turn that is folded is kept for {@link recall}, and the fold
   * stands.
   *
   * @throws `wrong_order` if no turn is open and none is named, `unknown_id` for a turn that never
   * was, `invalid_argument`.
   */
  storeSummary(summary: { summary: string; insights?: string[]; turn?: number }): void {
    rawOf(this);
    const entry = entryOf(summary, "summary");
    const turn = readOptional(MACHINE, summary, "turn", "number", "summary");
    if (turn !== undefined && !isTurn(turn)) {
      throw invalidArgument(MACHINE, "summary.turn", "must be the number of a turn");
    }
    call(this, (raw: RawSummaryInjector) => raw.storeSummary({ ...entry, turn }));
    this.#summaries = undefined;
  }

  /**
   * Completes the open turn. Its rounds of thinking are forgotten.
   *
   * @throws `wrong_order` if no turn is open.
   */
  completeTurn(): void {
    call(this, (raw: RawSummaryInjector) => raw.completeTurn());
  }

  /** The open turn. */
  get currentTurn(): CurrentTurn | undefined {
    const turn = call(this, (raw: RawSummaryInjector) => raw.currentTurn() as CurrentTurn | null);
    return turn ?? undefined;
  }

  /** The summaries under their heading, `""` if there are none. */
  accumulatedSummaries(): string {
    rawOf(this);
    return (this.#summaries ??= call(this, (raw: RawSummaryInjector) =>
      readText(raw.accumulatedSummaries()),
    ));
  }

  /**
   * The task, the summaries and the workspace, each under its heading if there is anything in it;
   * with neither task nor summaries the workspace as it was given.
   *
   * @throws `invalid_argument`
   */
  actionContext(workspace: string): string {
    return this.#context("action", workspace);
  }

  /**
   * The task, the workspace, the summaries and the open turn's rounds of thinking, each under its
   * heading if there is anything in it.
   *
   * @throws `invalid_argument`
   */
  thinkingContext(workspace: string): string {
    return this.#context("thinking", workspace);
  }

  /**
   * `capability`, a blank line and `direction`, and with a task another blank line and a reminder
   * that quotes it.
   *
   * @throws `invalid_argument`
   */
  systemPrompt(parts: { capability: string; direction: string }): string {
    rawOf(this);
    checkObject(MACHINE, parts, "parts");
    const capability = text(parts, "capability");
    const direction = text(parts, "direction");
    const pieces = call(
      this,
      (raw: RawSummaryInjector) =>
        raw.systemPieces(capability !== "", direction !== "") as SystemPiece[],
    );
    return systemPromptOf(pieces, capability, direction);
  }

  /**
   * Queues messages of earlier turns for the next prompt of the action phase, beside those that are
   * queued, the newest 20 at most. Returns how many of those that were asked for are queued
   * then. What fits nothing is no error.
   *
   * @param what Numbers of turns, ids of messages, and keywords: each turn in whose summary,
   * insights or messages one stands, case ignored.
   * @throws `invalid_argument`, and `limit_exceeded` for more than 1,000 things.
   */
  recall(what: { turns?: number[]; ids?: string[]; keywords?: string[] }): number {
    rawOf(this);
    checkObject(MACHINE, what, "what");
    const turns = list(what, "turns", "number", "what").filter(isTurn);
    const ids = list(what, "ids", "string", "what");
    const keywords = list(what, "keywords", "string", "what");
    checkSize([...ids, ...keywords]);
    return call(this, (raw: RawSummaryInjector) => raw.recall({ turns, ids, keywords }));
  }

  /**
   * All parts of a prompt. One for the action phase has what was recalled, and the next one no
   * longer does.
   *
   * @throws `invalid_argument`
   */
  buildPrompt<P extends Phase>(phase: P, parts: PromptParts): TurnPrompt<P> {
    rawOf(this);
    if (phase !== "thinking" && phase !== "action") {
      throw invalidArgument(MACHINE, "phase", "must be thinking or action");
    }
    checkObject(MACHINE, parts, "parts");
    const capability = text(parts, "capability");
    const direction = text(parts, "direction");
    const workspace = text(parts, "workspace");
    const outline = call(
      this,
      (raw: RawSummaryInjector) =>
        raw.outlinePrompt(
          phase,
          capability !== "",
          direction !== "",
          !isBlank(workspace),
        ) as PromptOutline,
    );
    const history = phase === "thinking" ? this.#thinkingHistory(outline) : actionHistory(outline);
    return {
      systemPrompt: systemPromptOf(outline.system, capability, direction),
      workspaceContext: this.#filled(outline.context, workspace),
      conversationHistory: history as TurnPrompt<P>["conversationHistory"],
    };
  }

  /**
   * A request to sum turns up, handed out once, if the summaries take more than `maxTokens`; until
   * it is answered, those turns are shortened to their insights. It can arise with each summary
   * that is stored and with each answer. At most one is out.
   */
  takeFoldRequest(): FoldRequest | undefined {
    const request = call(
      this,
      (raw: RawSummaryInjector) => raw.takeFoldRequest() as FoldRequest | null,
    );
    return request ?? undefined;
  }

  /**
   * The answer to the request that was taken, however many turns came since: it takes the place of
   * the summaries of those turns.
   *
   * @throws `wrong_order` if no request is out, `invalid_argument`, also for a summary of white
   * space, after which the request is still out.
   */
  answerFoldRequest(answer: { summary: string; insights?: string[] }): void {
    rawOf(this);
    const entry = entryOf(answer, "answer");
    call(this, (raw: RawSummaryInjector) => raw.answerFoldRequest(entry));
    this.#summaries = undefined;
  }

  /** Gives up the request that was taken, since its model failed, say: it can be taken again. */
  dropFoldRequest(): void {
    call(this, (raw: RawSummaryInjector) => raw.dropFoldRequest());
  }

  /** The open turn's rounds of thinking, for the history of the action phase. */
  thinkingMessage(): { role: "system"; content: string } | undefined {
    const content = call(this, (raw: RawSummaryInjector) => raw.thinkingMessage());
    return content === undefined ? undefined : { role: "system", content };
  }

  /** `continue_thinking` and `recall_context` as `{ name, description, parameters }`. */
  get thinkingTools(): readonly { name: string; description: string; parameters: object }[] {
    return call(
      this,
      (raw: RawSummaryInjector) => raw.thinkingTools() as typeof this.thinkingTools,
    );
  }

  /** The newest 100 things that the injector did of itself; not part of a snapshot. */
  get log(): readonly SummaryLogEntry[] {
    rawOf(this);
    return this.#log;
  }

  /**
   * The injector as versioned bytes with a checksum, the same on every platform: the options, the
   * task, the summaries, the messages, and of the open turn its workspace and rounds of thinking.
   */
  snapshot(): Uint8Array {
    return call(this, (raw: RawSummaryInjector) => raw.snapshot());
  }

  /**
   * An injector that goes on as if it had never stopped.
   *
   * @throws `snapshot_corrupt` for bytes that are cut, altered or no snapshot, `wrong_machine` for
   * another machine's, `snapshot_version` for those of a newer version, `invalid_argument` for
   * what is not a `Uint8Array`.
   */
  static restore(snapshot: Uint8Array): SummaryInjector {
    return restore(MACHINE, RawSummaryInjector, snapshot, make);
  }

  #context(phase: Phase, workspace: string): string {
    rawOf(this);
    checkString(MACHINE, workspace, "workspace");
    const pieces = call(
      this,
      (raw: RawSummaryInjector) => raw.context(phase, !isBlank(workspace)) as ContextPiece[],
    );
    return this.#filled(pieces, workspace);
  }

  /** The text of a context. */
  #filled(pieces: readonly ContextPiece[], workspace: string): string {
    return contextOf(pieces, () => this.accumulatedSummaries(), workspace);
  }

  #thinkingHistory({ messages, historyLength }: PromptOutline): string[] {
    const history = [...this.#history, ...messages];
    this.#history = history.slice(history.length - historyLength);
    return [...this.#history];
  }
}

function make(): SummaryInjector {
  return new SummaryInjector();
}

function isBlank(text: string): boolean {
  return !/[^\s\x85]/.test(text);
}

/** @throws `limit_exceeded` for texts that fill too much memory together. */
function checkSize(texts: readonly string[]): void {
  const units = texts.reduce((sum, text) => sum + text.length, 0);
  if (units > MOST_UNITS) {
    throw refusal("limit_exceeded", MACHINE, undefined, "the text fills more than 256 MB");
  }
}

function isTurn(number: number): boolean {
  return number > 0 && Number.isSafeInteger(number);
}

function text(parts: object, name: string): string {
  const value = read(MACHINE, parts, name, "parts");
  checkString(MACHINE, value, `parts.${name}`);
  return value;
}

/** The texts of a list that may be left out, or its numbers. */
function list(of: object, name: string, type: "string", place: string): string[];
function list(of: object, name: string, type: "number", place: string): number[];
function list(of: object, name: string, type: string, place: string): unknown[] {
  const given = read(MACHINE, of, name, place) ?? [];
  const field = `${place}.${name}`;
  checkArray(MACHINE, given, field);
  const items: unknown[] = [];
  try {
    for (let at = 0; at < given.length; at++) {
      items[at] = given[at];
      if (typeof items[at] !== type) {
        throw invalidArgument(MACHINE, `${field}[${at}]`, `must be a ${type}`);
      }
    }
  } catch (error) {
    throw isA(error, TurnkeeperError) ? error : unreadable(MACHINE, field, error);
  }
  return items;
}

/** A summary and its insights. */
function entryOf(given: object, place: string): { summary: string; insights: string[] } {
  checkObject(MACHINE, given, place);
  const summary = read(MACHINE, given, "summary", place);
  checkString(MACHINE, summary, `${place}.summary`);
  const insights = list(given, "insights", "string", place);
  checkSize([summary, ...insights]);
  return { summary, insights };
}

function stringified(message: { content: unknown }): string {
  checkObject(MACHINE, message, "message");
  let field = "message.content";
  try {
    return JSON.stringify(message) ?? "{}";
  } catch (error) {
    try {
      JSON.stringify(message.content);
      field = "message";
    } catch {
      // It is the content that no JSON can hold, or that cannot be read.
    }
    throw unreadable(MACHINE, field, error);
  }
}
