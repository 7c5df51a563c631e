import type { AuditReport, Problem, Skipped } from "../../analysis/audit-report.js";
import { addTo, emptyTotal } from "../../analysis/total.js";
import type { LoopProfile } from "turnkeeper";
import type { InputError } from "../../saved/event-lines.js";
import type { FormatName } from "../../saved/saved-session.js";
import { Complaints } from "../complain.js";
import { EXIT } from "../exit-code.js";

import type { JudgedSession } from "./judge.js";

/** How the outcome of an audit is shown. */
export interface AuditView {
  /** @param names what the sessions to come will be called, if that is known */
  begin?(names: readonly string[]): void;
  /** @param name the file's, below the folder that was named */
  session(report: JudgedSession["report"], name: string): void;
  close(record: AuditRecord): void;
}

/** What an audit has found so far, and shows as it comes. */
export class AuditRecord implements Omit<AuditReport, "sessions" | "tokensEstimated"> {
  readonly total = emptyTotal();
  readonly skipped: Skipped[] = [];
  readonly problems: Problem[] = [];
  /** How many sessions there are of each format. */
  readonly formats = new Map<FormatName, number>();
  /** The sessions themselves, if they are needed at the end. */
  readonly sessions: JudgedSession[] = [];
  /** The rules that judged; they may become known with the first session. */
  profile: LoopProfile;
  readonly #view: AuditView;
  readonly #keepsSessions: boolean;
  readonly #complaints = new Complaints();

  constructor(view: AuditView, profile: LoopProfile, keepsSessions: boolean) {
    this.#view = view;
    this.profile = profile;
    this.#keepsSessions = keepsSessions;
  }

  begin(names: readonly string[]): void {
    this.#view.begin?.(names);
  }

  session({ report, ...judged }: JudgedSession, name: string): void {
    addTo(this.total, report);
    this.formats.set(report.format, (this.formats.get(report.format) ?? 0) + 1);
    if (this.#keepsSessions) this.sessions.push({ report, ...judged });
    this.#view.session(report, name);
  }

  skip(file: string, reason: string): void {
    this.skipped.push({ file, reason });
  }

  readonly problem = (error: InputError): void => {
    const { file, line, message } = error;
    this.problems.push({ file, ...(line !== undefined && { line }), reason: message });
    this.#complaints.add(error);
  };

  /** Shows the end: the exit code. */
  close(failOnLoop: boolean): number {
    this.#view.close(this);
    if (this.problems.length > 0) return EXIT.badInput;
    return failOnLoop && this.total.stops > 0 ? EXIT.loop : EXIT.ok;
  }
}
