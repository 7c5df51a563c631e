/** Watches the sessions of an agent in the agent's own process, and judges them as the hooks do. */

import { LoopDetector } from "turnkeeper/loop-detector";
import { WorkLedger } from "turnkeeper/summary-injector";

import type { Mode } from "../agents.js";
import type { Dialect, FinishedCall, Happening, Reply } from "../hook-event.js";
import { type Judgement, type Setting, judge } from "../judge.js";
import { notesOf, tell } from "../ledger-notes.js";
import { type SessionRecord, freshRecord } from "../session-record.js";

/** Sessions that are watched at once; of more the longest silent gives way. */
const MOST_SESSIONS = 64;

interface Watched {
  record: SessionRecord;
  ledger: WorkLedger;
}

export class LoopWatch {
  readonly #dialect: Pick<Dialect, "requests" | "tellsResults" | "tellsPrompts">;
  readonly #sessions = new Map<string, Watched>();

  /** @param requests how the agent tells requests apart */
  constructor(
    readonly mode: Mode,
    requests: Dialect["requests"],
  ) {
    this.#dialect = { requests, tellsResults: true, tellsPrompts: true };
  }

  /** What there is to say to an event; nothing after a failure of ours. */
  happened(session: string, happened: Happening, promptId?: string): Reply {
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
      return judgement.reply;
    } catch (error) {
      this.failed(error);
      return {};
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
