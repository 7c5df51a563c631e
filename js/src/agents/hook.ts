/** One event of an agent's hook: read, judged, answered. It never breaks the agent, whatever happens. */

import { DIALECTS } from "./dialects/index.js";
import { argumentsOf, fieldsOf } from "./fields.js";
import { folderOf } from "./here.js";
import type { HookArguments } from "./hook-arguments.js";
import type { Dialect, HookEvent, Reply } from "./hook-event.js";
import { readStandardInput } from "./hook-input.js";
import { type Judgement, type Machines, judge } from "./judge.js";
import { ledgerText, noteEvent } from "./ledger-notes.js";
import { repeatOf } from "./repeated-results.js";
import { callKey } from "./requests.js";
import type { EndOfTurn, RunningSubagents, SessionRecord } from "./session-record.js";
import { type Settings, exempts, settingsFor } from "./settings.js";
import { Activity } from "./state/activity.js";
import { stateFolder } from "./state/folder.js";
import { modeOfProject } from "./state/installed-mode.js";
import { SessionStore, hashOf } from "./state/session-store.js";
import { counts, subagentsOf } from "./subagents.js";
import { noteOfEnded } from "./words.js";

interface HookOptions extends HookArguments {
  machines: Machines;
  /** When this process began, in milliseconds since 1970. */
  startedAt: number;
}

/** Answers the event on standard input; nothing, if the environment or the arguments say so. */
export function answerHook(args: HookArguments | undefined, machines: Machines): void {
  // An agent may go away before it has the answer.
  process.stdout.on("error", () => undefined);
  if (args === undefined || process.env.TURNKEEPER === "off") {
    ignoreInput();
    return;
  }
  const startedAt = performance.timeOrigin;
  const answer = runHook(readStandardInput, { ...args, machines, startedAt });
  if (answer !== "") process.stdout.write(answer);
}

/** An agent may not expect that nobody reads what it writes. */
function ignoreInput(): void {
  try {
    readStandardInput();
  } catch {
    // There is none.
  }
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
    const given = argumentsOf(text);
    const payload = fieldsOf(given);
    const here = folderOf(payload);
    const settings = settingsFor(here);
    if (settings.off) return dialect.silence;
    const state = stateFolder();
    activity = new Activity(state);
    if (text === undefined) throw new Error("the event is too large");
    if (typeof given !== "object") throw new Error("the event is no JSON object");
    const event = dialect.read(payload, options.event);
    if (event === undefined) return dialect.silence;
    activity.hear(options.agent, new Date());
    const mode = modeOfProject(state, options.agent, here) ?? options.mode;
    const run = new HookRun(state, activity, dialect, settings, { ...options, mode });
    const answer = run.answer(event, text);
    return answer === undefined ? dialect.silence : `${JSON.stringify(answer)}\n`;
  } catch (error) {
    activity?.log({ agent: options.agent, what: "failure", why: String(error) });
    return dialect.silence;
  }
}

/** Hashes of events that are kept for each session: those of two settings files come close together. */
const REMEMBERED_EVENTS = 16;

class HookRun {
  readonly #store: SessionStore;

  constructor(
    state: string,
    private readonly activity: Activity,
    private readonly dialect: Dialect,
    private readonly settings: Settings,
    private readonly options: HookOptions,
  ) {
    this.#store = new SessionStore(state);
  }

  answer(event: HookEvent, text: string): object | undefined {
    // Hooks that run at once load the module side by side, and hold the lock while they judge.
    if (this.#isJudged(event)) new this.options.machines.LoopDetector().dispose();
    let subagents: string | undefined;
    const reply = this.#update(event, (record) => {
      if (this.#isToldTwice(event, text, record)) return undefined;
      const running = event.subagent === undefined ? subagentsOf(event, record) : undefined;
      if (running === undefined) return this.#judge(event, record);
      subagents = `${running.id}`;
      event = withCounted(event, running);
      return undefined;
    });
    if (subagents === undefined) return reply && this.dialect.answer(event, reply);
    const inside = { ...event, subagent: subagents };
    const said = this.#update(inside, (record) => this.#judge(inside, record));
    return said && this.dialect.answer(inside, said);
  }

  /** Changes the record of the event's session, and does what there is to do once it is kept. */
  #update(
    event: HookEvent,
    judged: (record: SessionRecord) => Judged | undefined,
  ): Reply | undefined {
    const key = this.#key(event.session, event.subagent);
    const updated = this.#store.update(key, judged, this.#broken);
    if (updated === undefined) throw new Error("the session's lock did not become free");
    if (updated.value === undefined) return undefined;
    const { judgement, reply, stopped } = updated.value;
    const { agent, mode, machines } = this.options;
    this.#keep(event, key);
    if (judgement.verdict) {
      this.activity.logVerdict(agent, mode, judgement.verdict, stopped !== undefined);
    } else if (stopped) {
      const { rule, tool, count } = stopped;
      this.activity.log({ agent, what: "stop", mode, rule, tool, count });
    }
    this.#tellMainAgent(event, judgement);
    if (event.happened.type === "compacted" && mode !== "watch") {
      reply.context = ledgerText(this.#store, key, machines);
      if (reply.context !== undefined) this.activity.log({ agent, what: "ledger", mode });
    }
    if (event.happened.type === "prompt") this.#store.removeOld(Date.now());
    return reply;
  }

  #judge(event: HookEvent, record: SessionRecord): Judged {
    const { mode, machines, startedAt } = this.options;
    const { thresholds } = this.settings;
    const judgement = judge(event, record, {
      ...{ mode, machines, startedAt, thresholds, dialect: this.dialect, broken: this.#broken },
      isExempt: exempts(this.settings),
    });
    const reply = { ...judgement.reply, result: this.#shorter(event, record) };
    return { judgement, reply, stopped: this.#stopped(event, reply, record) };
  }

  /** Why the turn is ended, if it is this event at which the agent does it. */
  #stopped(
    event: HookEvent,
    { end, refusal }: Reply,
    { ended }: SessionRecord,
  ): Stopped | undefined {
    if (end === undefined && refusal === undefined) return undefined;
    if (!this.dialect.obeys(event)) return undefined;
    // An agent that tells of no prompts is halted, and goes on with the next one.
    if (ended === undefined) return this.dialect.tellsPrompts ? undefined : NAMELESS;
    if (ended.isTold) return undefined;
    ended.isTold = true;
    return ended;
  }

  /**
   * Whether an event was told before, by another settings file. A prompt and a compaction may come again to the
   * letter once something else has happened, and each of several identical calls is to be refused.
   */
  #isToldTwice({ happened }: HookEvent, text: string, record: SessionRecord): boolean {
    if (!this.dialect.eventsDiffer) return false;
    const hash = hashOf(text);
    const events = record.lastEvents;
    const at = events.lastIndexOf(hash);
    const mayComeAgain = happened.type === "prompt" || happened.type === "compacted";
    if (at >= 0 && (!mayComeAgain || at === events.length - 1)) {
      return !(happened.type === "call_asked" && record.ended !== undefined);
    }
    events.push(hash);
    if (events.length > REMEMBERED_EVENTS) events.shift();
    return false;
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

  readonly #broken = (error: unknown): void =>
    this.activity.log({ agent: this.options.agent, what: "failure", why: String(error) });

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

type Stopped = Pick<EndOfTurn, "rule" | "tool" | "count">;
/** The verdict has the rest. */
const NAMELESS: Stopped = { rule: "", count: 0 };

interface Judged {
  judgement: Judgement;
  reply: Reply;
  stopped: Stopped | undefined;
}

/** An event without the calls of subagents that do not count. */
function withCounted(event: HookEvent, running: RunningSubagents): HookEvent {
  const { happened } = event;
  if (happened.type !== "results") return event;
  const calls = happened.calls.filter((call) => counts(hashOf(callKey(call)), running));
  return { ...event, happened: { ...happened, calls } };
}
