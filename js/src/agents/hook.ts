/** One event of an agent's hook: read, judged, answered. It never breaks the agent, whatever happens. */

import { type HookedAgent, type Mode } from "./agents.js";
import { DIALECTS } from "./dialects/index.js";
import { fieldsOf } from "./fields.js";
import type { Dialect, HookEvent } from "./hook-event.js";
import { type Judgement, type Machines, judge } from "./judge.js";
import { ledgerText, noteEvent } from "./ledger-notes.js";
import { repeatOf } from "./repeated-results.js";
import type { SessionRecord } from "./session-record.js";
import { Activity } from "./state/activity.js";
import { stateFolder } from "./state/folder.js";
import { SessionStore, hashOf } from "./state/session-store.js";
import { noteOfEnded } from "./words.js";

export interface HookOptions {
  agent: HookedAgent;
  mode: Mode;
  /** Whether a result that is equal to an earlier one becomes a line. */
  economy: boolean;
  /** The event's name, where the payload does not have it. */
  event?: string | undefined;
  machines: Machines;
  /** When this process began, in milliseconds since 1970. */
  startedAt: number;
}

/** Reads one event; undefined if it was too large. */
export type Input = () => string | undefined;

/** What is printed for an event: one JSON object, or the agent's way of saying nothing. */
export function runHook(input: Input, options: HookOptions): string {
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
    activity?.log({ at: new Date().toISOString(), agent, what: "failure", why: String(error) });
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
        const judgement = judge(event, record, this.#setting());
        return { ...judgement, result: this.#shorter(event, record) };
      },
      this.#broken,
    );
    if (updated === undefined) throw new Error("the session's lock did not become free");
    const judgement = updated.value;
    if (judgement === undefined) return undefined;
    this.#keep(event, key);
    this.#log(judgement);
    this.#tellMainAgent(event, judgement);
    const reply = { ...judgement.reply, result: judgement.result };
    if (event.happened.type === "compacted") {
      const ledger = ledgerText(this.#store, key, this.options.machines);
      if (ledger !== undefined && this.options.mode !== "watch") reply.context = ledger;
      this.#logLedger(reply.context);
    }
    if (event.happened.type === "prompt") this.#store.removeOld(Date.now());
    return this.dialect.answer(event, reply);
  }

  #isJudged({ happened: { type } }: HookEvent): boolean {
    return type === (this.dialect.tellsResults ? "results" : "call_asked");
  }

  /** What stands for a result that the context has already. */
  #shorter({ arrived }: HookEvent, record: SessionRecord): unknown {
    const { economy, mode } = this.options;
    if (!economy || mode === "watch" || arrived === undefined) return undefined;
    const line = repeatOf(arrived.call, (record.results ??= []), hashOf);
    return line === undefined ? undefined : arrived.withText(line);
  }

  #setting(): Parameters<typeof judge>[2] {
    const { mode, machines, startedAt } = this.options;
    return { mode, machines, startedAt, dialect: this.dialect, broken: this.#broken };
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

  #log({ verdict }: Judgement): void {
    const { agent, mode } = this.options;
    if (verdict !== undefined) this.activity.logVerdict(agent, mode, verdict);
  }

  #logLedger(text: string | undefined): void {
    const { agent, mode } = this.options;
    if (text === undefined) return;
    this.activity.log({ at: new Date().toISOString(), agent, what: "ledger", mode });
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
