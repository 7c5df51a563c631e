import { RawSummaryInjector } from "../../glue/turnkeeper.js";
import {
  checkArray,
  checkObject,
  checkOptions,
  checkString,
  invalidArgument,
  optional,
} from "../boundary/arguments.js";
import { sendTexts } from "../boundary/call-encoder.js";
import type {
  CurrentTurn,
  Diagnostic,
  FoldRequest,
  SummaryInjectorOptions,
  SummaryLogEntry,
  SummaryRequest,
} from "../boundary/generated/shapes.js";
import { Machine, call, restore, type Snapshot } from "../boundary/machine.js";
import { plainOptions } from "../boundary/plain-value.js";
import { inOwnShape } from "../messages/any.js";
import {
  answerOf,
  argument,
  promptParts,
  promptText,
  stringified,
  turnNumber,
  turnsAmong,
} from "./arguments.js";
import {
  type HistoryMessage,
  type Phase,
  type PromptParts,
  type TurnPrompt,
  parsedJson,
  turnPrompt,
} from "./turn-prompt.js";

const MACHINE = "summary_injector";
/** A call of a tool, with whatever else the host keeps of it. */
export type ToolCallRecord = {
  name: string;
  /** The number of the turn that it belongs to; by default the open one. */
  turn?: number;
  [field: string]: unknown;
};

/** A turn with all that was said and done in it. */
export type TurnRecord = {
  /** Its number, from 1. */
  number: number;
  /** Whether it goes on. */
  isOpen: boolean;
  /** The user's goal, which may come from an earlier turn. */
  task?: string;
  /** The workspace that the turn was started with. */
  workspace?: string;
  messages: HistoryMessage[];
  /** The rounds of thinking. */
  rounds: string[];
  toolCalls: ToolCallRecord[];
  summary?: string;
  insights: string[];
  /** The host's notes on the turn. */
  notes?: Record<string, unknown>;
};

/**
 * Carries what earlier turns learned into the prompts of the next, in both phases of a turn, and
 * keeps the user's goal in front of the model. It calls no model.
 *
 * In a turn call {@link startTurn}, {@link addMessage} and {@link addThinkingRound},
 * {@link buildPrompt} for each request, and in the end {@link takeSummaryRequest} or
 * {@link storeSummary}, and {@link completeTurn}. With `maxTokens`, call {@link takeFoldRequest} after each
 * summary. A new summary is added at the end of the text, so a provider's prompt cache keeps working until
 * `maxTokens` is reached.
 *
 * Summaries, insights, rounds and tasks are trimmed, and a line that passes for a heading or the beginning of an
 * entry is marked with `> `. In all texts unpaired surrogates become U+FFFD. Every method
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
  /** @throws `invalid_config`, naming the option in `detail.field`. */
  constructor(options: SummaryInjectorOptions = {}) {
    super(MACHINE, RawSummaryInjector, plainOptions(MACHINE, options));
  }

  /**
   * Starts a turn and returns its number, from 1. A turn that is still open is completed, and
   * {@link log} says so.
   *
   * @param turn `task` is the user's goal; left out, the task of the turn before stays; `null` or blank, it is done, and
   * no prompt has a goal until a turn brings the next. `workspace` is for the host alone: {@link currentTurn} gives it back.
   * @throws `invalid_argument`
   */
  startTurn(turn: { task?: string | null; workspace?: string } = {}): number {
    return this.#call((raw) => {
      checkObject(MACHINE, turn, "turn");
      const given = turn.task === null ? { ...turn, task: "" } : turn;
      return raw.startTurn(argument(given, "turn"));
    });
  }

  /**
   * Adds a message to the open turn. All of its fields are kept, as JSON, and come back when it is
   * recalled. One with an `id` that is known is the same message, and takes its place.
   *
   * @param message With a `turn` it is added to the turn of that number. The `role` is a name of at most 64 bytes, without white space and brackets; the
   * `content` a string, or parts such as `{ type: "text", text }`, or whatever JSON can hold. The calls that
   * messages of OpenAI have beside it are said, too.
   * @throws `wrong_order` if no turn is open and none is named, `unknown_id` for a turn that never existed,
   * `invalid_argument`, naming the field, `limit_exceeded` for a message that is nested more than 1,000 deep, or has more than 33,554,432 UTF-16 code units as JSON.
   */
  addMessage(message: { id?: string; role: string; content: unknown; turn?: number }): void {
    this.#call((raw) => {
      const texts = [stringified(message)];
      const turn = turnNumber(message.turn, "message.turn");
      const read = inOwnShape(message);
      if (read !== message) {
        const { role = read.role, id } = message;
        texts.push(stringified({ role, id, content: read.content }));
      }
      sendTexts(MACHINE, texts, (length) => raw.addMessage(length, turn));
    });
  }

  /**
   * Adds a round of thinking to the open turn. A blank one is ignored.
   *
   * @throws `wrong_order` if no turn is open, `invalid_argument`.
   */
  addThinkingRound(content: string): void {
    this.#call((raw) => {
      checkString(MACHINE, content, "content");
      raw.addThinkingRound(argument(content, "content") as string);
    });
  }

  /**
   * Adds a call of a tool to the open turn, for {@link turns} and {@link search}. No prompt contains it.
   *
   * @param toolCall The tool's `name`, and whatever else is worth keeping, such as its arguments and result; with a
   * `turn` it is added to the turn of that number.
   * @throws As {@link addMessage}, naming the field.
   */
  addToolCall(toolCall: ToolCallRecord): void {
    this.#call((raw) => {
      checkObject(MACHINE, toolCall, "call");
      const { name } = toolCall;
      checkString(MACHINE, name, "call.name");
      const json = stringified(toolCall, "call");
      const turn = turnNumber(toolCall.turn, "call.turn");
      sendTexts(MACHINE, [json, name], (length) => raw.addToolCall(length, turn));
    });
  }

  /**
   * Keeps notes of your own with a turn, in place of those before: its status, its times, what it cost.
   * {@link turns} gives them back, and no prompt contains them.
   *
   * @param turn The number of the turn; by default the open one.
   * @throws `wrong_order` if no turn is open and none is named, `unknown_id` for a turn that never existed,
   * `invalid_argument`, `limit_exceeded`.
   */
  setNotes(notes: Record<string, unknown>, turn?: number): void {
    this.#call((raw) => {
      const json = stringified(notes, "notes");
      const number = turnNumber(turn, "turn");
      sendTexts(MACHINE, [json], (length) => raw.setNotes(length, number));
    });
  }

  /**
   * The turns with all that was said and done in them, as it was given: messages, thinking, calls of tools,
   * summary and insights. Messages that `maxMessages` has let go are gone from here, too.
   *
   * @param range The numbers of the first and the last one, both included; or how many of the newest. All
   * of them by default.
   * @throws `invalid_argument`
   */
  turns(range: { from?: number; to?: number; last?: number } = {}): TurnRecord[] {
    return this.#call((raw) => {
      checkOptions(MACHINE, range, ["from", "to", "last"], "range");
      for (const [name, value] of Object.entries(range)) {
        if (value === undefined || (Number.isSafeInteger(value) && value >= 0)) continue;
        throw invalidArgument(MACHINE, `range.${name}`, "must be an integer of at least 0");
      }
      const { from, to, last } = range;
      const newest = raw.newestTurn();
      const first = from ?? (last === undefined ? 1 : Math.max(1, newest + 1 - last));
      return parsedJson(raw.turns(first, to ?? newest)) as TurnRecord[];
    });
  }

  /**
   * The turns in which one of these words occurs: in the goal that they began with, their messages, thinking,
   * calls of tools, summary or insights. Case does not count.
   *
   * @throws `invalid_argument`
   */
  search(words: readonly string[]): TurnRecord[] {
    return this.#call((raw) => {
      checkArray(MACHINE, words, "words");
      words.forEach((word, at) => checkString(MACHINE, word, `words[${at}]`));
      return parsedJson(raw.search(argument(words, "words") as string[])) as TurnRecord[];
    });
  }

  /**
   * The turns as JSON holds them, to be read elsewhere or {@link importTurns imported}. A {@link snapshot}
   * is what goes on exactly, with what is folded, queued and requested.
   */
  exportTurns(): { turns: TurnRecord[] } {
    return { turns: this.turns() };
  }

  /**
   * An injector that has these turns, which {@link exportTurns} gave.
   *
   * @throws `invalid_argument`, naming the field, for turns that are not numbered from 1 on, or that are none.
   */
  static importTurns(
    exported: { turns: readonly TurnRecord[] },
    options: SummaryInjectorOptions = {},
  ): SummaryInjector {
    checkObject(MACHINE, exported, "exported");
    const { turns } = exported;
    checkArray(MACHINE, turns, "exported.turns");
    const injector = make(options);
    try {
      turns.forEach((turn, at) => injector.#take(turn, at + 1));
    } catch (error) {
      injector.dispose();
      throw error;
    }
    return injector;
  }

  #take(turn: TurnRecord, number: number): void {
    const place = `exported.turns[${number - 1}]`;
    checkObject(MACHINE, turn, place);
    if (turn.number !== number) {
      throw invalidArgument(MACHINE, `${place}.number`, `must be ${number}`);
    }
    this.startTurn({ task: turn.task ?? null, workspace: turn.workspace });
    const { messages, rounds, toolCalls, summary, insights } = turn;
    for (const [name, items] of Object.entries({ messages, rounds, toolCalls })) {
      checkArray(MACHINE, items, `${place}.${name}`);
    }
    for (const message of messages) this.addMessage(message);
    for (const round of rounds) this.addThinkingRound(round);
    for (const toolCall of toolCalls) this.addToolCall(toolCall);
    if (summary !== undefined || (insights?.length ?? 0) > 0) {
      this.storeSummary({ summary: summary ?? "", insights });
    }
    if (turn.notes !== undefined) this.setNotes(turn.notes);
    if (turn.isOpen !== true) this.completeTurn();
  }

  /**
   * Stores the summary of a turn, and replaces one that it had. A summary without any text is not stored. If
   * there is no room for all summaries in `maxTokens`, {@link log} says so.
   * If the turn has been folded, its new summary is kept for {@link recall}, and the fold stays as it is.
   *
   * @param summary `insights` are facts worth keeping, one line each; none by default. `turn` is the number
   * of the turn; left out, it is the open one.
   * @throws `wrong_order` if no turn is open and none is named, `unknown_id` for a turn that never
   * existed, `invalid_argument`.
   */
  storeSummary(summary: { summary: string; insights?: string[]; turn?: number }): void {
    this.#call((raw) => {
      checkObject(MACHINE, summary, "summary");
      const given = argument(summary, "summary");
      turnNumber(summary.turn, "summary.turn");
      raw.storeSummary(given);
    });
  }

  /**
   * Completes the open turn. Its rounds of thinking are kept with its messages, as the message that
   * {@link thinkingMessage} gives.
   *
   * @throws `wrong_order` if no turn is open.
   */
  completeTurn(): void {
    this.#call((raw) => raw.completeTurn());
  }

  /** The open turn. */
  get currentTurn(): CurrentTurn | undefined {
    return this.#call((raw) => raw.currentTurn() as CurrentTurn | null) ?? undefined;
  }

  /** The summaries under their heading, `""` if there are none. */
  accumulatedSummaries(): string {
    return this.#call((raw) => raw.accumulatedSummaries());
  }

  /**
   * The task, the summaries and the workspace, each under its heading if there is anything in it.
   * With neither task nor summaries it is the workspace as it was given; otherwise a line of the
   * workspace that passes for one of these headings is marked with `> `.
   *
   * @throws `invalid_argument`
   */
  actionContext(workspace: string): string {
    return this.#context("action", workspace);
  }

  /**
   * The task, the workspace, the summaries and the open turn's rounds of thinking, each under its
   * heading if there is anything in it. Lines of the workspace are marked as in {@link actionContext}.
   *
   * @throws `invalid_argument`
   */
  thinkingContext(workspace: string): string {
    return this.#context("thinking", workspace);
  }

  /**
   * `capability` and `direction`, in the thinking phase its rule, and with a task a reminder that
   * quotes it, with a blank line between. The option `texts` has the rule and the reminder in other
   * words.
   *
   * @param parts Without a `phase` it is the action phase.
   * @throws `invalid_argument`
   */
  systemPrompt(parts: { capability: string; direction: string; phase?: Phase }): string {
    return this.#call((raw) => raw.systemPrompt(promptParts(parts)));
  }

  /**
   * Queues messages of earlier turns for the prompts of the action phase, in addition to those that are
   * queued already, until {@link requestSucceeded} or the next turn; of more than `maxRecalledMessages` those are kept that have
   * an id or a keyword that was asked for, then others of their turns, and last those of a fold; of each the newest. Returns how many of the requested messages are queued. A number, id or keyword that fits nothing is no error.
   *
   * @param what Numbers of turns (`turns` or `turnNumbers`), ids of messages, and keywords. A keyword recalls every turn in whose
   * summary, insights, thinking or messages it occurs, case ignored.
   * @throws `invalid_argument`, also for a field that is none of these, and `limit_exceeded` for more than
   * 1,000 numbers, ids and keywords.
   */
  recall(what: {
    turns?: number[];
    turnNumbers?: number[];
    ids?: string[];
    keywords?: string[];
  }): number {
    return this.#call((raw) => {
      checkObject(MACHINE, what, "what");
      const turns = turnsAmong(what.turns);
      const turnNumbers = turnsAmong(what.turnNumbers);
      return raw.recall(argument({ ...what, turns, turnNumbers }, "what"));
    });
  }

  /**
   * Says that the request was answered for which the last prompt was built: what was recalled for it is in
   * no prompt any more. After a request that failed, the next prompt has it again.
   */
  requestSucceeded(): void {
    this.#call((raw) => raw.requestSucceeded());
  }

  /**
   * System prompt, workspace context and history for a phase of the turn. A prompt for the action phase has
   * the recalled messages.
   *
   * @throws `invalid_argument`, and `limit_exceeded` for a part of more than 33,554,432 UTF-16 code units.
   */
  buildPrompt<P extends Phase>(phase: P, parts: PromptParts): TurnPrompt<P> {
    return this.#call((raw) => turnPrompt(phase, parts, (...given) => raw.buildPrompt(...given)));
  }

  /**
   * A request for the summary of the open turn, or, if none is open, of the newest: a prompt, the JSON
   * schema of the answer, and the turn's messages and thinking in at most `maxRequestTokens`. `undefined` if
   * the turn has no message and no thinking, if it has a summary, and while an earlier request waits for
   * its answer.
   */
  takeSummaryRequest(): SummaryRequest | undefined {
    return this.#call((raw) => raw.takeSummaryRequest() as SummaryRequest | null) ?? undefined;
  }

  /**
   * Stores the model's answer to the request that was taken, an object or its JSON as a text, as the summary
   * of the request's turn, however many turns came since. What is wrong with the answer is a diagnostic and
   * is never thrown: `goal_dropped`, `no_open_point` and `summary_too_long` are warnings; a field of another
   * type is left out (`unreadable_field`). After an `unreadable_summary` nothing is stored, and the request
   * still waits for its answer. The `source` of a diagnostic is the field that it is about.
   *
   * @param state `finished: true` says that the user's goal is reached, so that a summary without open
   * points is no `no_open_point`. Default: `false`.
   * @throws `wrong_order` if no request waits for an answer, `invalid_argument` for the state.
   */
  answerSummaryRequest(
    answer: unknown,
    state: { finished?: boolean } = {},
  ): { diagnostics: Diagnostic[] } {
    return this.#call((raw) => {
      checkObject(MACHINE, state, "state");
      const finished = optional(MACHINE, state.finished, "boolean", "state.finished") ?? false;
      const found = raw.answerSummaryRequest(answerOf(answer), finished);
      return { diagnostics: found as Diagnostic[] };
    });
  }

  /** Gives up the request that was taken, for example because the model failed. It can be taken again. */
  dropSummaryRequest(): void {
    this.#call((raw) => raw.dropSummaryRequest());
  }

  /**
   * A request to sum up the oldest turns in one summary, or `undefined` if the summaries take no more than
   * `maxTokens`. Call it after each summary that is stored and after each answer. Until the request is
   * answered, those turns are shortened to their insights. At most one waits for its answer.
   */
  takeFoldRequest(): FoldRequest | undefined {
    return this.#call((raw) => raw.takeFoldRequest() as FoldRequest | null) ?? undefined;
  }

  /**
   * Stores the model's answer to the request that was taken, however many turns came since. It replaces the
   * summaries of those turns.
   *
   * @param answer An object, its JSON as a text, or a text that is the summary. A field that cannot be read is left
   * out, and a diagnostic (`unreadable_field`).
   * @throws `wrong_order` if no request waits for an answer; `invalid_argument`, also for an answer without a
   * summary, after which the request still waits.
   */
  answerFoldRequest(answer: string | { summary: string; insights?: string[] }): {
    diagnostics: Diagnostic[];
  } {
    return this.#call((raw) => {
      const found = raw.answerFoldRequest(argument(answer, "answer"));
      return { diagnostics: found as Diagnostic[] };
    });
  }

  /** Gives up the request that was taken, for example because the model failed. It can be taken again. */
  dropFoldRequest(): void {
    this.#call((raw) => raw.dropFoldRequest());
  }

  /** The open turn's rounds of thinking, for the history of the action phase. */
  thinkingMessage(): { role: "system"; content: string } | undefined {
    const content = this.#call((raw) => raw.thinkingMessage());
    return content === undefined ? undefined : { role: "system", content };
  }

  /** `continue_thinking` and `recall_context` as `{ name, description, parameters }`. */
  get thinkingTools(): readonly { name: string; description: string; parameters: object }[] {
    return this.#call((raw) => raw.thinkingTools() as typeof this.thinkingTools);
  }

  /** The newest 100 things that the injector did without being asked. Not part of a snapshot. */
  get log(): readonly SummaryLogEntry[] {
    return this.#call((raw) => raw.log() as SummaryLogEntry[]);
  }

  /**
   * The injector as versioned bytes with a checksum, the same on every platform: the options, the
   * task, the summaries, the messages, and of the open turn its workspace and rounds of thinking.
   */
  snapshot(): Uint8Array & { readonly snapshotOf?: "summary_injector" } {
    return this.#call((raw) => raw.snapshot());
  }

  /**
   * An injector that goes on as if it had never stopped.
   *
   * @throws `snapshot_corrupt`, `wrong_machine`, `snapshot_version`; `invalid_argument` for what is not bytes.
   */
  static restore(snapshot: Snapshot<"summary_injector">): SummaryInjector {
    return restore(MACHINE, RawSummaryInjector, snapshot, make);
  }

  #context(phase: Phase, workspace: string): string {
    return this.#call((raw) => raw.context(phase, promptText(workspace, "workspace")));
  }

  /** Calls into the module; nothing is read of what is given after {@link dispose}. */
  #call<T>(work: (raw: RawSummaryInjector) => T): T {
    return call(this, work);
  }
}

function make(options?: SummaryInjectorOptions): SummaryInjector {
  return new SummaryInjector(options);
}
