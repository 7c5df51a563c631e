import type { SessionReport } from "./audit-report.js";
import { costOf, type AuditedSession } from "./audit-session.js";
import { addTo, emptyTotal } from "./total.js";
import { emptyUsage, usageOf, type Answer } from "./usage-count.js";

/** Adds sessions up. An answer that several files have, since one was resumed from another, counts once. */
export class AuditSum {
  readonly total = emptyTotal();
  readonly #since: number;
  readonly #until: number;
  readonly #counted = new Set<number>();

  /** Answers of other times do not count; in milliseconds since 1970. */
  constructor(since = -Infinity, until = Infinity) {
    this.#since = since;
    this.#until = until;
  }

  /** Takes a session, and leaves in its report only what counts: the answers that do. */
  take({
    report,
    answers,
    basis,
  }: Omit<AuditedSession, "report"> & { report: SessionReport }): Answer[] {
    const counted = answers.filter((answer) => this.#counts(answer));
    if (counted.length < answers.length) {
      Object.assign(report, costOf(counted, basis));
      // Its answers are another session's, or of another time; nothing is to be estimated.
      if (usageOf(counted) === undefined) report.usage = { ...emptyUsage(), dollars: 0 };
    }
    addTo(this.total, report);
    return counted;
  }

  #counts({ key, time }: Answer): boolean {
    if (time !== undefined && (time < this.#since || time > this.#until)) return false;
    if (key === undefined) return true;
    if (this.#counted.has(key)) return false;
    this.#counted.add(key);
    return true;
  }
}
