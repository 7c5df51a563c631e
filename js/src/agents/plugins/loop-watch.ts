/** Watches the sessions of an agent in the agent's own process, and judges them as the hooks do. */

import { LoopDetector } from "turnkeeper/loop-detector";
import { WorkLedger } from "turnkeeper/summary-injector";

import { checkOptions, invalidArgument, oneOf } from "../../boundary/arguments.js";
import { usersWordsIn } from "../../messages/authors.js";
import { partsOf } from "../../messages/parts.js";
import { DEFAULT_MODE, MODES, type Mode, isMode } from "../agents.js";
import type { Dialect, FinishedCall, Happening, Reply } from "../hook-event.js";
import { type Judgement, type Setting, judge } from "../judge.js";
import { notesOf, tell } from "../ledger-notes.js";
import { type SentResult, repeatsReplaced } from "../repeated-results.js";
import { type SessionRecord, freshRecord } from "../session-record.js";

/** Settings of whatever watches an agent in the agent's own process: plugins, a middleware, a filter. */
export interface WatchOptions {
  /**
   * `watch`: nothing is said. `hint`: the model is told of a loop as a fact, and the user of a stop. `stop`: a stop
   * ends the run. Left out, it is `hint`; for a plugin the mode of `turnkeeper install`, if that was run.
   */
  mode?: Mode;
  /** Whether results that came before are sent once. True by default. */
  dedupe?: boolean;
  /** Is told of each stop, in the words for the user. */
  onStop?: (message: string) => void;
}

const OPTIONS = ["mode", "dedupe", "onStop"] as const;
const MACHINE = "watch";

/** @throws `invalid_argument`, naming the option, for one that is unknown or of another type */
export function checkedOptions(options: WatchOptions = {}): WatchOptions {
  checkOptions(MACHINE, options, OPTIONS);
  const { mode, dedupe, onStop } = options;
  const refuse = (name: string, must: string) => invalidArgument(MACHINE, `options.${name}`, must);
  if (mode !== undefined && !isMode(mode)) throw refuse("mode", `must be ${oneOf(MODES)}`);
  if (dedupe !== undefined && typeof dedupe !== "boolean")
    throw refuse("dedupe", "must be a boolean");
  if (onStop !== undefined && typeof onStop !== "function")
    throw refuse("onStop", "must be a function");
  return options;
}

/** Sessions that are watched at once; of more the longest silent gives way. */
const MOST_SESSIONS = 64;

interface Watched {
  record: SessionRecord;
  ledger: WorkLedger;
}

export class LoopWatch {
  readonly mode: Mode;
  readonly #dedupe: boolean;
  readonly #onStop: WatchOptions["onStop"];
  readonly #dialect: Pick<Dialect, "requests" | "tellsResults" | "tellsPrompts">;
  readonly #sessions = new Map<string, Watched>();

  /**
   * @param requests how the agent tells requests apart
   * @param options as {@link checkedOptions} hands them out
   */
  constructor(requests: Dialect["requests"], { mode, dedupe, onStop }: WatchOptions) {
    this.mode = mode ?? DEFAULT_MODE;
    this.#dedupe = dedupe ?? true;
    this.#onStop = onStop;
    this.#dialect = { requests, tellsResults: true, tellsPrompts: true };
  }

  /** A message in the user's name, which is a prompt unless the agent or its host wrote all of it. */
  asked(session: string, message: object, promptId?: string): void {
    const words = usersWordsIn(message);
    const isOthers = words === undefined && partsOf(message).some(({ type }) => type === "text");
    if (!isOthers) this.happened(session, { type: "prompt", text: words ?? "" }, promptId);
  }

  /** A function for the parts of a conversation that is sent, which leaves each long result in it once. */
  sending(): <T>(
    parts: readonly T[],
    resultIn: (part: T) => SentResult<T> | undefined,
  ) => readonly T[] {
    return this.#dedupe ? repeatsReplaced() : (parts) => parts;
  }

  /** What there is to say to an event; nothing after a failure of ours. A stop is told of once. */
  happened(session: string, happened: Happening, promptId?: string): Reply {
    const { reply, verdict } = this.#judge(session, happened, promptId);
    const said = reply.end ?? reply.notice;
    if (verdict?.action === "stop" && said !== undefined) this.#onStop?.(said);
    return reply;
  }

  #judge(session: string, happened: Happening, promptId: string | undefined): Judgement {
    try {
      const watched = this.#watched(session);
      for (const note of notesOf(happened)) tell(watched.ledger, note);
      const event = { name: happened.type, session, happened };
      const told = promptId === undefined ? event : { ...event, promptId };
      const judgement = judge(told, watched.record, {
        mode: this.mode,
        dialect: this.#dialect,
        startedAt: Date.now(),
        machines: { LoopDetector, WorkLedger },
        broken: (error) => this.failed(error),
        ...this.own,
      });
      this.judged(judgement);
      return judgement;
    } catch (error) {
      this.failed(error);
      return { reply: {} };
    }
  }

  /** What there is to say to a call that has ended; nothing to one that could not be read. */
  finished(session: string, call: FinishedCall | undefined): Reply {
    return call ? this.happened(session, { type: "results", calls: [call] }) : {};
  }

  /** What was done in a session whose conversation is replaced by a summary, as facts. */
  ledger(session: string): string | undefined {
    if (this.mode === "watch") return undefined;
    return this.#sessions.get(session)?.ledger.text() || undefined;
  }

  /** Keeps facts for the next answer in which the model can be told. */
  tellLater(session: string, facts: string): void {
    this.#watched(session).record.untold.push(facts);
  }

  /** What the user has set. */
  protected get own(): Pick<Setting, "thresholds" | "isExempt"> {
    return {};
  }

  /** Hears each judgement. */
  protected judged(_judgement: Judgement): void {}

  /** Hears each failure. */
  protected failed(_error: unknown): void {}

  #watched(session: string): Watched {
    const known = this.#sessions.get(session);
    const watched = known ?? { record: freshRecord(), ledger: new WorkLedger() };
    this.#sessions.delete(session);
    this.#sessions.set(session, watched);
    if (this.#sessions.size > MOST_SESSIONS) {
      const [oldest, { ledger }] = this.#sessions.entries().next().value!;
      ledger.dispose();
      this.#sessions.delete(oldest);
    }
    return watched;
  }
}
