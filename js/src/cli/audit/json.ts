import type { AuditReport, SessionReport } from "../../analysis/audit-report.js";
import { escapeControlsInJson } from "../../analysis/plain-text.js";
import { TOKENS_ESTIMATED } from "../../saved/tokens.js";
import type { Output } from "../terminal/output.js";

import type { AuditRecord, AuditView } from "./record.js";

/** Everything as one JSON object at the end; `docs/audit.schema.json` describes it. */
export class AuditJson implements AuditView {
  readonly #output: Output;

  constructor(output: Output) {
    this.#output = output;
  }

  session(): void {}

  close({ sessions, total, skipped, problems, profile }: AuditRecord): void {
    const value: AuditReport = {
      sessions: sessions.map(({ report }) => report),
      total,
      skipped,
      problems,
      profile,
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

  constructor(output: Output) {
    this.#output = output;
  }

  session(report: SessionReport): void {
    this.#output.line(escapeControlsInJson(JSON.stringify(report)));
  }

  close(): void {}
}
