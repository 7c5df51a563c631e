import type { AnyProfile } from "../../analysis/profiles.js";

import type { AuditReport, Problem, SessionReport, Skipped } from "../../analysis/audit-report.js";
import { AuditSum } from "../../analysis/audit-sum.js";
import type { InputError } from "../../saved/event-lines.js";
import type { SessionFormat } from "../../saved/saved-session.js";
import { complain, describe } from "../complain.js";

import type { JudgedSession } from "./judge.js";
import type { Period } from "./period.js";
import type { Trend } from "./trend.js";

interface RecordSettings {
  profile: AnyProfile;
  period: Period;
  trend: Trend | undefined;
  /** Whether a page needs timelines. */
  keepsTimelines: boolean;
  /** Hears of each session as it is judged. */
  onSession: ((report: SessionReport) => void) | undefined;
}

/** What an audit has found so far. */
export class AuditRecord implements Pick<
  AuditReport,
  "total" | "skipped" | "problems" | "profile"
> {
  readonly skipped: Skipped[] = [];
  readonly problems: Problem[] = [];
  /** What is there and cannot be read here. */
  readonly missing: string[] = [];
  /** How many sessions there are of each format. */
  readonly formats = new Map<SessionFormat, number>();
  /** The sessions themselves, with their timelines if a page needs them. */
  readonly sessions: Pick<JudgedSession, "report" | "timeline">[] = [];
  readonly profile: AnyProfile;
  readonly period: Period;
  /** What was spent on the days before; undefined if nobody asks. */
  readonly trend: Trend | undefined;
  readonly #settings: RecordSettings;
  readonly #sum: AuditSum;

  constructor(settings: RecordSettings) {
    this.#settings = settings;
    this.profile = settings.profile;
    this.period = settings.period;
    this.trend = settings.trend;
    this.#sum = new AuditSum(settings.period.since, settings.period.until);
  }

  get total(): AuditReport["total"] {
    return this.#sum.total;
  }

  /** @param written when the file was written last, for a session without times */
  session({ report, timeline, answers, basis }: JudgedSession, written?: number): void {
    const { since, until, isAll } = this.period;
    const started = report.started === undefined ? written : Date.parse(report.started);
    const ended = report.ended === undefined ? written : Date.parse(report.ended);
    const isOutside = (ended ?? Infinity) < since || (started ?? -Infinity) > until;
    if (isOutside && !isAll) return;
    const counted = this.#sum.take({ report, answers, basis });
    this.trend?.add(report, counted);
    this.formats.set(report.format, (this.formats.get(report.format) ?? 0) + 1);
    this.sessions.push({ report, timeline: this.#settings.keepsTimelines ? timeline : [] });
    this.#settings.onSession?.(report);
  }

  skip(file: string, reason: string): void {
    this.skipped.push({ file, reason });
  }

  readonly problem = (error: InputError): void => {
    const { file, line, message } = error;
    this.problems.push({ file, ...(line !== undefined && { line }), reason: message });
    complain(describe(error));
  };
}
