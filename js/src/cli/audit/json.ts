import type { AuditReport, SessionReport } from "../../analysis/audit-report.js";
import { escapeControlsInJson } from "../../analysis/plain-text.js";
import { TOKENS_ESTIMATED } from "../../saved/tokens.js";
import type { Output } from "../terminal/output.js";

import type { AuditRecord } from "./record.js";

/**
 * Everything as one JSON object at the end; `docs/audit.schema.json` describes it.
 *
 * @param hasText whether what users and models wrote is in it
 */
export function showJson(output: Output, record: AuditRecord, hasText: boolean): void {
  const { sessions, total, skipped, problems, profile, period } = record;
  const value: AuditReport = {
    sessions: sessions.map(({ report }) => shown(report, hasText)),
    total,
    skipped,
    problems,
    profile,
    ...(Number.isFinite(period.since) && { since: new Date(period.since).toISOString() }),
    ...(Number.isFinite(period.until) && { until: new Date(period.until).toISOString() }),
    tokensEstimated: TOKENS_ESTIMATED,
  };
  for (const line of JSON.stringify(value, null, 1).split("\n")) {
    output.line(escapeControlsInJson(line));
  }
}

/** The report, without what users, models and tools wrote where that is not wanted; names of files, folders, tools and models stay. */
export function shown(report: SessionReport, hasText: boolean): SessionReport {
  if (hasText) return report;
  const { title: _, loops, ...others } = report;
  return { ...others, loops: loops.map((loop) => ({ ...loop, message: "", evidence: "" })) };
}
