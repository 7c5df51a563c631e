import type { AuditReport, SessionReport } from "../../analysis/audit-report.js";
import { escapeControlsInJson } from "../../analysis/plain-text.js";
import { TOKENS_ESTIMATED } from "../../saved/tokens.js";
import type { Output } from "../terminal/output.js";

import type { AuditRecord, AuditView } from "./record.js";

/** Everything as one JSON object at the end; `docs/audit.schema.json` describes it. */
export class AuditJson implements AuditView {
  readonly #output: Output;
  readonly #hasText: boolean;

  /** @param hasText whether what users and models wrote is in it */
  constructor(output: Output, hasText: boolean) {
    this.#output = output;
    this.#hasText = hasText;
  }

  session(): void {}

  close({ sessions, total, skipped, problems, profile, period }: AuditRecord): void {
    const value: AuditReport = {
      sessions: sessions.map(({ report }) => (this.#hasText ? report : withoutText(report))),
      total,
      skipped,
      problems,
      profile,
      ...(Number.isFinite(period.since) && { since: new Date(period.since).toISOString() }),
      ...(Number.isFinite(period.until) && { until: new Date(period.until).toISOString() }),
      tokensEstimated: TOKENS_ESTIMATED,
    };
    for (const line of JSON.stringify(value, null, 1).split("\n")) {
      this.#output.line(escapeControlsInJson(line));
    }
  }
}

/** A session a line, as it is judged. */
export class AuditJsonLines implements AuditView {
  readonly #output: Output;
  readonly #hasText: boolean;

  constructor(output: Output, hasText: boolean) {
    this.#output = output;
    this.#hasText = hasText;
  }

  session(report: SessionReport): void {
    const shown = this.#hasText ? report : withoutText(report);
    this.#output.line(escapeControlsInJson(JSON.stringify(shown)));
  }

  close(): void {}
}

/** The report without what users, models and tools wrote; names of files, folders, tools and models stay. */
export function withoutText({ title: _, loops, ...report }: SessionReport): SessionReport {
  return { ...report, loops: loops.map((loop) => ({ ...loop, message: "", evidence: "" })) };
}
