import { agentOf } from "../../analysis/agents.js";
import type { SessionReport } from "../../analysis/audit-report.js";
import { SessionAudit, type AuditSettings, type CostBasis } from "../../analysis/audit-session.js";
import { OutdatedCount } from "../../analysis/outdated.js";
import type { Stretch } from "../../analysis/timeline.js";
import type { Answer } from "../../analysis/usage-count.js";
import { InputError } from "../../saved/event-lines.js";
import { SavedReader } from "../../saved/read-saved.js";
import { withContent } from "../files/file-errors.js";
import type { Input } from "../files/inputs.js";
import { chunksOf } from "../files/session-lines.js";
import { factsBeside } from "../find/beside.js";

/** How sessions are judged. */
export interface JudgeSettings extends AuditSettings {
  /** Whether pictures are wanted. */
  timelines: boolean;
}

/** A session's report, and its calls for a picture, if one is wanted. */
export interface JudgedSession {
  report: SessionReport;
  timeline: Stretch[];
  /** What its requests used, and what its cost is computed from. */
  answers: readonly Answer[];
  basis: CostBasis;
  /** There if the last line is cut off, as when the agent is writing it; what came before it was judged. */
  cutOff?: { line: number; reason: string };
}

/**
 * Reads a file and judges it.
 *
 * @param onRead is told how many bytes have been read
 * @throws {@link InputError}
 */
export async function judge(
  input: Input,
  settings: JudgeSettings,
  onRead: (bytes: number) => void,
): Promise<JudgedSession> {
  const { file } = input;
  const reader = new SavedReader(file);
  const session = new SessionAudit(file, settings, new OutdatedCount());
  let ended;
  let cutOff: JudgedSession["cutOff"];
  try {
    for await (const { record } of reader.pieces(chunksOf(input, onRead))) {
      if (record) withContent(file, "judged", () => session.take(record, reader.format!));
    }
    for (const record of await factsBeside(input, reader.format!)) {
      session.take(record, reader.format!);
    }
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { line, message: reason } = error;
    // In a file that is not recognised by then, nothing was judged.
    if (line === undefined || !reader.isCutOff(line) || !reader.format) throw error;
    cutOff = { line, reason };
  } finally {
    ended = withContent(file, "judged", () => session.end(reader.format));
  }
  const { report: found, ...rest } = ended;
  if (found.events === 0)
    throw new InputError(file, cutOff?.reason ?? "has no events", cutOff?.line);
  const { agent, session: id } = input;
  const report: SessionReport = {
    file,
    ...(id !== undefined && { id }),
    format: reader.format!,
    ...agentOf(reader.format!),
    ...(agent !== undefined && { agent }),
    ...found,
  };
  const timeline = settings.timelines ? session.timeline.stretches() : [];
  return { report, timeline, ...rest, ...(cutOff && { cutOff }) };
}
