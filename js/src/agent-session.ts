import { openSession, sealSession } from "../glue/turnkeeper.js";
import {
  checkObject,
  checkOptions,
  checkString,
  invalidArgument,
  optional,
  refusal,
} from "./boundary/arguments.js";
import type { TerminalChoice, TerminalRequest } from "./boundary/generated/shapes.js";
import type { TurnkeeperError } from "./boundary/errors.js";
import { frozenCopy } from "./boundary/frozen.js";
import { Machine, rawOf, restore, type Snapshot } from "./boundary/machine.js";
import type { AssembledPrompt } from "./prompt/assembled-prompt.js";
import type { AssemblerHost } from "./prompt/host.js";
import type { GhostBlockAssembler } from "./prompt/ghost-block.js";
import { stripEnvironment, withEnvironment } from "./context/environment.js";
import type { LoopDetector } from "./loop/loop-detector.js";
import { stripGhostBlocks } from "./prompt/strip-ghost-blocks.js";
import type { SummaryInjector } from "./memory/summary-injector.js";
import { CHOICES, type TerminalSelector } from "./terminals/terminal-selector.js";
import type { Phase, PromptParts, TurnPrompt } from "./memory/turn-prompt.js";
import type { SessionGuardOptions } from "./loop/guard-options.js";
import { type GuardedStream, guardForSession } from "./loop/guard-stream.js";
import {
  type AgentSessionOptions,
  MACHINE,
  Machines,
  type Restored,
  type State,
  isSelector,
} from "./session-machines.js";

/** The codes of diagnostics that say of a prompt what an item has as its error. */
const OF_ITEMS: ReadonlySet<string> = new Set(["denied", "unreadable", "tool_failed"]);

/** The most entries of a log that are kept. */
const LONGEST_LOG = 200;
/** Of a longer command the log says how long it is. */
const LONGEST_COMMAND = 10_000;

/** Something that a session decided. */
export type SessionLogEntry = {
  /** The number of the turn; 0 before the first. */
  turn: number;
  /** Who decided: the machine's name, such as `loop_detector`, as in errors. */
  machine: string;
  /**
   * `nudge` or `stop` of a loop detector; `omitted` items, a `failed` one, or a `diagnostic` of an
   * assembler; blocks `removed` by the deduper; `reuse`, `reuse_with_cd`, `create` or `wait` of a
   * terminal selector; `turn_completed`, `summaries_cut` or `over_budget` by an injector.
   */
  what: string;
  /** Why, for people. */
  why: string;
  /** What it is about: a loop's report, the keys of the items, the diagnostic, the choice. */
  detail?: unknown;
};

/**
 * The five machines in the order of a turn, for hosts that want one object. It adds nothing but the
 * order; every machine can be used by itself, too.
 *
 * In a turn call {@link beginTurn} and {@link assemble}, then {@link buildPrompt} and {@link guard} for
 * each request, {@link selectTerminal} for each command, and in the end {@link endTurn}. Everything else goes to
 * the machines: `loop.takeFeedback()` has what to tell the model with the next request; messages that a later turn may recall to
 * `summaries.addMessage`, rounds of thinking to `summaries.addThinkingRound`, and what happens to
 * terminals to `terminals.register` and `terminals.update`.
 *
 * Every member throws `disposed` after {@link dispose}, which disposes of the machines, too.
 *
 * @example
 * ```ts
 * const session = new AgentSession({
 *   assembler: { root: "/work" },
 *   terminals: { platform: "posix" },
 * });
 * session.beginTurn({ prompt: "Why does @[src/main.ts] not compile?", task: "Fix the build." });
 * const message = await session.assemble(host, { environment });
 * const prompt = session.buildPrompt("action", { capability, direction, workspace });
 * const guarded = session.guard(ask(prompt, message), { adapter, abort, onLoopDetected });
 * for await (const event of guarded) handle(event);
 * for (const { id } of calls) guarded.result({ id, output: await run(id) });
 * for (const hint of session.loop.takeFeedback()) history.push({ role: "user", content: hint });
 * session.endTurn({ summary: "An import was missing.", insights: ["tsc runs in strict mode"] });
 * ```
 */
export class AgentSession extends Machine {
  readonly #log: SessionLogEntry[] = [];
  readonly #terminals: TerminalSelector;
  /** Whether a choice is this session's own, though it may be of another task. */
  #isChoosing = false;

  /** @throws `invalid_config`, naming the machine, and the option in `detail.field`. */
  constructor(options: AgentSessionOptions) {
    super(MACHINE, Machines, options);
    this.#terminals = machinesOf(this).terminals;
    this.#terminals[CHOICES].add(this.#chosen);
  }

  /** The loop detector. */
  get loop(): LoopDetector {
    return machinesOf(this).loop;
  }

  /** The ghost-block assembler. */
  get assembler(): GhostBlockAssembler {
    return machinesOf(this).assembler;
  }

  /** The terminal selector. */
  get terminals(): TerminalSelector {
    return machinesOf(this).terminals;
  }

  /** The summary injector. */
  get summaries(): SummaryInjector {
    return machinesOf(this).summaries;
  }

  /**
   * Starts a turn, and with it a prompt of the loop detector. Returns the turn's number, from 1. A turn
   * that is still open is completed, and {@link log} says so.
   *
   * @param turn `prompt` is what the user said. `promptId` names the prompt for the loop detector: give the
   * id of the running prompt again to keep its counts; without an id each turn is a new prompt. `task` is
   * the user's goal; left out, the task of the turn before stays; `null` or blank, it is done. `model` is the name of the model that
   * answers; left out, the loop detector does not watch it as a preview model.
   * @throws `invalid_argument`, after which nothing has changed.
   */
  beginTurn(turn: {
    prompt: string;
    promptId?: string;
    task?: string | null;
    model?: string;
  }): number {
    const { loop, summaries, state } = machinesOf(this);
    checkObject(MACHINE, turn, "turn");
    const { prompt: userPrompt } = turn;
    checkString(MACHINE, userPrompt, "turn.prompt");
    const promptId = optional(MACHINE, turn.promptId, "string", "turn.promptId");
    const task = turn.task === null ? null : optional(MACHINE, turn.task, "string", "turn.task");
    const model = optional(MACHINE, turn.model, "string", "turn.model");
    loop.startPrompt(promptId ?? `turn ${state.turn + 1} of the session`, { userPrompt, model });
    const number = this.#withLogOf(summaries, () => summaries.startTurn({ task }));
    state.turn = number;
    state.prompt = userPrompt;
    return number;
  }

  /** Does something with the injector, and notes what it has noted. */
  #withLogOf<T>(summaries: SummaryInjector, work: () => T): T {
    const before = summaries.log.at(-1);
    const done = work();
    const entry = summaries.log.at(-1);
    if (entry !== undefined && entry !== before) {
      this.#note("summary_injector", entry.what, entry.why, undefined, entry.turn);
    }
    return done;
  }

  /**
   * The user message of the open turn: its prompt with one ghost block after the text and the
   * environment as the last part. Items that the budget leaves out, items that fail and what is wrong
   * with the prompt are in {@link log}.
   *
   * @param host Reads files, tools and images for the assembler.
   * @param options `environment` is the state of the editor, with its tags or without; left out, the message
   * has none. `signal` ends the call: it rejects with the signal's reason.
   * @throws (as a rejection) `wrong_order` if no turn is open, and what
   * {@link GhostBlockAssembler.assemble} throws.
   */
  async assemble(
    host: AssemblerHost,
    options: { environment?: string; signal?: AbortSignal } = {},
  ): Promise<{ role: "user"; content: AssembledPrompt["parts"] }> {
    const { assembler, summaries, state } = machinesOf(this);
    const { prompt } = state;
    if (prompt === undefined || summaries.currentTurn === undefined) {
      throw noTurn();
    }
    checkOptions(MACHINE, options, ["environment", "signal"]);
    const { signal } = options;
    const environment = optional(MACHINE, options.environment, "string", "options.environment");
    // The next turn may begin while the host answers.
    const { turn } = state;
    const assembled = await assembler.assemble(prompt, host, { signal });
    const { parts, items, omitted, diagnostics } = assembled;
    const by = "ghost_block_assembler";
    if (omitted.length > 0) {
      const why = `${omitted.length} of ${items.length} items do not fit into maxTokens`;
      this.#note(by, "omitted", why, omitted, turn);
    }
    for (const { key, error } of items) {
      if (error !== undefined) this.#note(by, "failed", `${key}: ${error}`, key, turn);
    }
    for (const diagnostic of diagnostics) {
      // Of what the prompt names, the items tell.
      if (diagnostic.source === undefined && OF_ITEMS.has(diagnostic.code)) continue;
      this.#note(by, "diagnostic", diagnostic.message, diagnostic, turn);
    }
    if (environment === undefined) return { role: "user", content: parts };
    const { tags, separator } = state;
    const content = withEnvironment(parts, environment, {
      tags,
      separator,
      onChange: ({ blocks }) => {
        const why = `blocks of environment in the prompt that gave way to the newest: ${blocks}`;
        this.#note("history_deduper", "removed", why, blocks, turn);
      },
    });
    return { role: "user", content };
  }

  /**
   * System prompt, workspace context and history for a phase of the turn; see
   * {@link SummaryInjector.buildPrompt}. User messages before the newest lose their environment, and,
   * unless `placement` is `"delta"`, their ghost block.
   *
   * @throws `invalid_argument`
   */
  buildPrompt<P extends Phase>(phase: P, parts: PromptParts): TurnPrompt<P> {
    const { summaries, state } = machinesOf(this);
    const prompt = summaries.buildPrompt(phase, parts);
    const isAction = phase === "action";
    // All that is recalled is of earlier turns.
    let isEarlier = isAction;
    let removed = 0;
    const history: unknown[] = prompt.conversationHistory;
    for (let at = history.length - 1; at >= 0; at--) {
      const message = isAction ? (history[at] as UserMessage) : userMessage(history[at] as string);
      if (message?.role !== "user") continue;
      if (isEarlier) {
        const content = withoutBlocks(message, state);
        if (content !== message.content) {
          removed++;
          history[at] = isAction ? { ...message, content } : `${USER}${content as string}${END}`;
        }
      }
      isEarlier = true;
    }
    if (removed > 0) {
      const why = `earlier messages with blocks that are out of date: ${removed}`;
      this.#note("history_deduper", "removed", why, removed);
    }
    return prompt;
  }

  /**
   * Watches a model's stream; see {@link guardStream}, whose options these are. The stream counts for the
   * prompt that {@link beginTurn} has started. When it has come to its end, what was recalled for it is in no prompt
   * any more. `onLoopDetected` may be left out, since {@link log} has each nudge and stop.
   *
   * @throws `invalid_argument`
   */
  guard<T>(stream: AsyncIterable<T>, options: SessionGuardOptions<T>): GuardedStream<T> {
    const { loop, summaries } = machinesOf(this);
    return guardForSession(stream, loop, options, {
      told: ({ verdict }) => {
        this.#note("loop_detector", verdict.action, verdict.report.message, verdict.report);
      },
      ended: () => summaries.requestSucceeded(),
    });
  }

  /** Chooses the terminal for a command, of the session's task unless the request names one; see {@link TerminalSelector.select}. */
  selectTerminal(request: TerminalRequest): TerminalChoice {
    const { terminals, state } = machinesOf(this);
    checkObject(MACHINE, request, "request");
    this.#isChoosing = true;
    try {
      return terminals.select({ ...request, taskId: request.taskId ?? state.taskId });
    } finally {
      this.#isChoosing = false;
    }
  }

  /** Notes the choice of a terminal, whoever asked for it: in VS Code it is `terminals.run`. */
  readonly #chosen = (choice: TerminalChoice, taskId: string | undefined): void => {
    const { isSharing, state } = machinesOf(this);
    const isOfTask = taskId !== undefined && taskId === state.taskId;
    if (isSharing && !this.#isChoosing && !isOfTask) return;
    const { length } = choice.command;
    const command = length > LONGEST_COMMAND ? `[${length} characters]` : choice.command;
    this.#note("terminal_selector", choice.action, choice.reason, { ...choice, command });
  };

  override dispose(): void {
    this.#terminals[CHOICES].delete(this.#chosen);
    super.dispose();
  }

  /**
   * Completes the open turn, and stores its summary if you give one. If you have none, ask the model for
   * it: `summaries.takeSummaryRequest()` gives the request, before this call or after it.
   *
   * @throws `wrong_order` if no turn is open; `invalid_argument`, after which the turn is still open.
   */
  endTurn(result: { summary?: string; insights?: string[] } = {}): void {
    const { summaries, state } = machinesOf(this);
    if (summaries.currentTurn === undefined) throw noTurn();
    checkObject(MACHINE, result, "result");
    const { insights } = result;
    const summary = optional(MACHINE, result.summary, "string", "result.summary");
    if (summary !== undefined || insights !== undefined) {
      const given = { summary: summary ?? "", insights };
      this.#withLogOf(summaries, () => summaries.storeSummary(given));
    }
    summaries.completeTurn();
    state.prompt = undefined;
  }

  /** The newest 200 decisions, for the host's log; not part of a snapshot. */
  get log(): readonly SessionLogEntry[] {
    rawOf(this);
    return this.#log.slice();
  }

  /**
   * The session as versioned bytes with a checksum, the same on every platform: its machines, and
   * what the user said in the open turn. It can be taken at any time, in the middle of a stream, too.
   * `countTokens` and the log are not part of it.
   */
  snapshot(): Uint8Array & { readonly snapshotOf?: "agent_session" } {
    return sealSession(machinesOf(this).save());
  }

  /**
   * A session that goes on as if it had never stopped: the next event gets the verdict that it would
   * have got.
   *
   * @param options What no snapshot holds: `countTokens`, and the selector that sessions share as `terminals`.
   * @throws `snapshot_corrupt`, `wrong_machine`, `snapshot_version`; `invalid_argument` for what is not bytes.
   */
  static restore(snapshot: Snapshot<"agent_session">, options: Restored = {}): AgentSession {
    checkOptions(MACHINE, options, ["countTokens", "terminals"]);
    if (options.terminals !== undefined && !isSelector(options.terminals)) {
      throw invalidArgument(MACHINE, "options.terminals", "must be a TerminalSelector");
    }
    const open = (bytes: Uint8Array) => Machines.load(openSession(bytes), options);
    return restore(MACHINE, { restore: open }, snapshot, make);
  }

  #note(machine: string, what: string, why: string, detail?: unknown, turn?: number): void {
    turn ??= machinesOf(this).state.turn;
    this.#log.push(
      frozenCopy({ turn, machine, what, why, ...(detail === undefined ? {} : { detail }) }),
    );
    if (this.#log.length > LONGEST_LOG) this.#log.shift();
  }
}

function noTurn(): TurnkeeperError {
  return refusal("wrong_order", MACHINE, undefined, "no turn is open; call beginTurn first");
}

function machinesOf(session: AgentSession): Machines {
  return rawOf<Machines>(session);
}

/** For {@link restore}. */
function make(): AgentSession {
  return new AgentSession({} as AgentSessionOptions);
}

const USER = "<user>\n";
const END = "\n</user>";

interface UserMessage {
  role: "user";
  content: unknown;
}

/** A user message as the history of the thinking phase has it. */
function userMessage(text: string): UserMessage | undefined {
  if (!text.startsWith(USER) || !text.endsWith(END)) return undefined;
  return { role: "user", content: text.slice(USER.length, -END.length) };
}

/** Its content without environment and ghost block; of nothing else it stays as it is. */
function withoutBlocks(message: UserMessage, { tags, isDelta }: State): unknown {
  const { content } = message;
  if (typeof content !== "string" && !Array.isArray(content)) return content;
  const bare: unknown = stripEnvironment(content, { tags });
  return isDelta ? bare : stripGhostBlocks([{ ...message, content: bare }])[0]!.content;
}
