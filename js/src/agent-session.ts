import { Decision, type RawSummaryInjector, type RawTurnOrder } from "../glue/turnkeeper.js";
import {
  checkObject,
  checkOptions,
  checkString,
  invalidArgument,
  optional,
} from "./boundary/arguments.js";
import { sendTexts } from "./boundary/call-encoder.js";
import type {
  SessionLogEntry,
  TerminalChoice,
  TerminalRequest,
} from "./boundary/generated/shapes.js";
import { TurnkeeperError } from "./boundary/errors.js";
import { Machine, fault, rawOf, restore, type Snapshot } from "./boundary/machine.js";
import type { AssembledPrompt } from "./prompt/assembled-prompt.js";
import type { AssemblerHost } from "./prompt/host.js";
import type { GhostBlockAssembler } from "./prompt/ghost-block.js";
import { withEnvironment } from "./context/environment.js";
import type { LoopDetector } from "./loop/loop-detector.js";
import { argument } from "./memory/arguments.js";
import type { SummaryInjector } from "./memory/summary-injector.js";
import { CHOICES, type TerminalSelector } from "./terminals/terminal-selector.js";
import { type Phase, type PromptParts, type TurnPrompt, turnPrompt } from "./memory/turn-prompt.js";
import type { SessionGuardOptions } from "./loop/guard-options.js";
import { type GuardedStream, guardForSession } from "./loop/guard-stream.js";
import {
  type AgentSessionOptions,
  MACHINE,
  Machines,
  type Restored,
  isSelector,
} from "./session-machines.js";

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
    const { loop } = machinesOf(this);
    checkObject(MACHINE, turn, "turn");
    const { prompt: userPrompt } = turn;
    checkString(MACHINE, userPrompt, "turn.prompt");
    const promptId = optional(MACHINE, turn.promptId, "string", "turn.promptId");
    const task = turn.task === null ? "" : optional(MACHINE, turn.task, "string", "turn.task");
    const model = optional(MACHINE, turn.model, "string", "turn.model");
    return this.#call((order, injector) => {
      loop.startPrompt(promptId ?? order.nextPromptId(), { userPrompt, model });
      const texts = task === undefined ? [userPrompt] : [userPrompt, task];
      return sendTexts(MACHINE, texts, (length) => order.beginTurn(injector(), length));
    });
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
    const { assembler, tags, separator } = machinesOf(this);
    const prompt = this.#call((order, injector) => order.openPrompt(injector()) as string);
    checkOptions(MACHINE, options, ["environment", "signal"]);
    const { signal } = options;
    const environment = optional(MACHINE, options.environment, "string", "options.environment");
    // The next turn may begin while the host answers.
    const turn = this.#call((order) => order.turn());
    const assembled = await assembler.assemble(prompt, host, { signal });
    const { parts, items, omitted, diagnostics } = assembled;
    this.#call((order) => {
      order.note(Decision.ItemsOmitted, { keys: omitted, items: items.length }, turn);
      for (const { key, error } of items) {
        if (error !== undefined) order.note(Decision.ItemFailed, { key, error }, turn);
      }
      for (const diagnostic of diagnostics) order.note(Decision.PromptDiagnosed, diagnostic, turn);
    });
    if (environment === undefined) return { role: "user", content: parts };
    const content = withEnvironment(parts, environment, {
      tags,
      separator,
      onChange: ({ blocks }) =>
        this.#call((order) => order.note(Decision.EnvironmentReplaced, blocks, turn)),
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
    return this.#call((order, injector) =>
      turnPrompt(phase, parts, (...given) => order.buildPrompt(injector(), ...given)),
    );
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
        this.#call((order) => order.note(Decision.LoopDetected, verdict));
      },
      ended: () => summaries.requestSucceeded(),
    });
  }

  /** Chooses the terminal for a command, of the session's task unless the request names one; see {@link TerminalSelector.select}. */
  selectTerminal(request: TerminalRequest): TerminalChoice {
    const { terminals, taskId } = machinesOf(this);
    checkObject(MACHINE, request, "request");
    this.#isChoosing = true;
    try {
      return terminals.select({ ...request, taskId: request.taskId ?? taskId });
    } finally {
      this.#isChoosing = false;
    }
  }

  /** Notes the choice of a terminal, whoever asked for it: in VS Code it is `terminals.run`. */
  readonly #chosen = (choice: TerminalChoice, taskId: string | undefined): void => {
    const { isSharing, taskId: own } = machinesOf(this);
    const isOfTask = taskId !== undefined && taskId === own;
    if (isSharing && !this.#isChoosing && !isOfTask) return;
    this.#call((order) => order.note(Decision.TerminalChosen, choice));
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
    this.#call((order, injector) => {
      order.openPrompt(injector());
      checkObject(MACHINE, result, "result");
      const { insights } = result;
      const summary = optional(MACHINE, result.summary, "string", "result.summary");
      const isGiven = summary !== undefined || insights !== undefined;
      const given = isGiven && argument({ summary: summary ?? "", insights }, "summary");
      order.endTurn(injector(), given || undefined);
    });
  }

  /** The newest 200 decisions, for the host's log; not part of a snapshot. */
  get log(): readonly SessionLogEntry[] {
    return this.#call((order) => order.log() as SessionLogEntry[]);
  }

  /**
   * The session as versioned bytes with a checksum, the same on every platform: its machines, and
   * what the user said in the open turn. It can be taken at any time, in the middle of a stream, too.
   * `countTokens` and the log are not part of it.
   */
  snapshot(): Uint8Array & { readonly snapshotOf?: "agent_session" } {
    return machinesOf(this).save();
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
    const open = (bytes: Uint8Array) => new Machines(options, bytes);
    return restore(MACHINE, { restore: open }, snapshot, make);
  }

  /** Calls the order, perhaps with the injector. What traps is lost: the session, and that injector. */
  #call<T>(work: (order: RawTurnOrder, injector: () => RawSummaryInjector) => T): T {
    const { order, summaries } = machinesOf(this);
    try {
      return work(order, () => rawOf<RawSummaryInjector>(summaries));
    } catch (error) {
      const failure = fault(this, error);
      fault(summaries, error);
      if (failure instanceof TurnkeeperError && failure.code === "poisoned") {
        this.#terminals[CHOICES].delete(this.#chosen);
      }
      throw failure;
    }
  }
}

function machinesOf(session: AgentSession): Machines {
  return rawOf<Machines>(session);
}

/** For {@link restore}. */
function make(): AgentSession {
  return new AgentSession({} as AgentSessionOptions);
}
