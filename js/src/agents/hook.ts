/** One event of an agent's hook: read, judged, answered. It never breaks the agent, whatever happens. */

import { DIALECTS } from "./dialects/index.js";
import { fieldsOf } from "./fields.js";
import type { Dialect, HookEvent } from "./hook-event.js";
import type { HookArguments } from "./hook-arguments.js";
import { readStandardInput } from "./hook-input.js";
import { type Judgement, type Machines, judge } from "./judge.js";
import { ledgerText, noteEvent } from "./ledger-notes.js";
import { repeatOf } from "./repeated-results.js";
import type { SessionRecord } from "./session-record.js";
import { Activity } from "./state/activity.js";
import { stateFolder } from "./state/folder.js";
import { SessionStore, hashOf } from "./state/session-store.js";
import { noteOfEnded } from "./words.js";

interface HookOptions extends HookArguments {
  machines: Machines;
  /** When this process began, in milliseconds since 1970. */
  startedAt: number;
}

/** Answers the event on standard input; nothing, if the environment or the arguments say so. */
export function answerHook(args: HookArguments | undefined, machines: Machines): void {
  if (args === undefined || process.env.TURNKEEPER === "off") {
    // An agent may not expect that nobody reads what it writes.
    readStandardInput();
    return;
  }
  const startedAt = performance.timeOrigin;
  const answer = runHook(readStandardInput, { ...args, machines, startedAt });
  if (answer !== "") process.stdout.write(answer);
}

/**
 * What is printed for an event: one JSON object, or the agent's way of saying nothing.
 *
 * @param input reads one event; undefined if it was too large
 */
export function runHook(input: () => string | undefined, options: HookOptions): string {
  const dialect = DIALECTS[options.agent];
  let activity: Activity | undefined;
  try {
    const text = input();
    const folder = stateFolder();
    activity = new Activity(folder);
    if (text === undefined) throw new Error("the event is too large");
    const event = dialect.read(fieldsOf(JSON.parse(text)), options.event);
    if (event === undefined) return dialect.silence;
    activity.hear(options.agent, new Date());
    const answer = new HookRun(folder, activity, dialect, options).answer(event, text);
    return answer === undefined ? dialect.silence : `${JSON.stringify(answer)}\n`;
  } catch (error) {
    logFailure(activity, options.agent, error);
    return dialect.silence;
  }
}

function logFailure(activity: Activity | undefined, agent: string, error: unknown): void {
  try {
    activity?.log({ agent, what: "failure", why: String(error) });
  } catch {
    // A full disk, or a folder that may not be written.
  }
}

/** Hashes of events that are kept for each session: those of two settings files come close together. */
const REMEMBERED_EVENTS = 16;

class HookRun {
  readonly #store: SessionStore;

  constructor(
    folder: string,
    private readonly activity: Activity,
    private readonly dialect: Dialect,
    private readonly options: HookOptions,
  ) {
    this.#store = new SessionStore(folder);
  }

  answer(event: HookEvent, text: string): object | undefined {
    const key = this.#key(event.session, event.subagent);
    // Hooks that run at once load the module side by side, and hold the lock while they judge.
    if (this.#isJudged(event)) new this.options.machines.LoopDetector().dispose();
    const updated = this.#store.update(
      key,
      (record) => {
        if (this.dialect.eventsDiffer && !isNew(record.lastEvents, hashOf(text))) return undefined;
        const { mode, machines, startedAt } = this.options;
        const setting = { mode, machines, startedAt, dialect: this.dialect, broken: this.#broken };
        const judgement = judge(event, record, setting);
        return { ...judgement, result: this.#shorter(event, record) };
      },
      this.#broken,
    );
    if (updated === undefined) throw new Error("the session's lock did not become free");
    const judgement = updated.value;
    if (judgement === undefined) return undefined;
    const { agent, mode, machines } = this.options;
    this.#keep(event, key);
    if (judgement.verdict) this.activity.logVerdict(agent, mode, judgement.verdict);
    this.#tellMainAgent(event, judgement);
    const reply = { ...judgement.reply, result: judgement.result };
    if (event.happened.type === "compacted" && mode !== "watch") {
      reply.context = ledgerText(this.#store, key, machines);
      if (reply.context !== undefined) this.activity.log({ agent, what: "ledger", mode });
    }
    if (event.happened.type === "prompt") this.#store.removeOld(Date.now());
    return this.dialect.answer(event, reply);
  }

  #isJudged({ happened: { type } }: HookEvent): boolean {
    return type === (this.dialect.tellsResults ? "results" : "call_asked");
  }

  /** What stands for a result that the context has already. */
  #shorter({ happened }: HookEvent, record: SessionRecord): unknown {
    const { economy, mode } = this.options;
    const arrived = happened.type === "results" ? happened.arrived : undefined;
    if (!economy || mode === "watch" || arrived === undefined) return undefined;
    const line = repeatOf(arrived.call, (record.results ??= []), hashOf);
    return line === undefined ? undefined : arrived.withText(line);
  }

  readonly #broken = (error: unknown): void => logFailure(this.activity, this.options.agent, error);

  #key(session: string, subagent = ""): string {
    return hashOf(this.options.agent, session, subagent);
  }

  /** What is lost of the ledger's notes costs a line of it, and no answer. */
  #keep(event: HookEvent, key: string): void {
    if (event.subagent !== undefined) return;
    try {
      noteEvent(this.#store, key, event, this.options.machines);
    } catch (error) {
      this.#broken(error);
    }
  }

  /** The main agent never learns why a subagent of its was ended, unless its next event says so. */
  #tellMainAgent({ session, subagent }: HookEvent, { verdict, reply }: Judgement): void {
    if (subagent === undefined || reply.end === undefined || verdict === undefined) return;
    const note = noteOfEnded(verdict.report);
    this.#store.update(this.#key(session), (record) => record.untold.push(note), this.#broken);
  }
}

function isNew(lastEvents: string[], hash: string): boolean {
  if (lastEvents.includes(hash)) return false;
  lastEvents.push(hash);
  if (lastEvents.length > REMEMBERED_EVENTS) lastEvents.shift();
  return true;
}
