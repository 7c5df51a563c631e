import { NotAReport, readReport } from "../../analysis/report-line.js";
import type { SessionReport } from "../../analysis/audit-report.js";
import { InputError, rawLines } from "../../saved/event-lines.js";
import { chunksOf } from "../files/session-lines.js";
import type { Output } from "../terminal/output.js";

import type { AuditRecord } from "./record.js";

/** Adds up what other machines have judged: the lines that their `--jsonl` wrote. */
export async function mergeLines(
  files: readonly string[],
  record: AuditRecord,
  output: Output,
): Promise<void> {
  for (const file of files) {
    let line = 0;
    try {
      for await (const bytes of rawLines(file, chunksOf({ file }))) {
        line += 1;
        const text = new TextDecoder().decode(bytes).trim();
        if (text === "") continue;
        mergeLine(text, file, line, record);
        await output.ready();
      }
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      record.problem(error);
    }
  }
  if (record.total.sessions === 0 && record.problems.length === 0) {
    for (const file of files) record.problem(new InputError(file, "has no sessions"));
  }
}

function mergeLine(text: string, file: string, line: number, record: AuditRecord): void {
  let report: SessionReport;
  try {
    report = readReport(text);
  } catch (error) {
    if (!(error instanceof NotAReport)) throw error;
    record.problem(new InputError(file, error.message, line));
    return;
  }
  // Loops that different rules have found cannot be added up.
  if (record.total.sessions === 0) record.profile = report.profile;
  if (report.profile !== record.profile) {
    const both = `by the profile ${report.profile}, and the lines before by ${record.profile}`;
    record.problem(new InputError(file, `was judged ${both}`, line));
    return;
  }
  record.session({ report, timeline: [] }, report.file);
}
