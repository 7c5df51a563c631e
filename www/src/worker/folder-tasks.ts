// What the view of a folder asks for.

import { agentOf } from "../../../js/src/analysis/agents.js";
import type { SessionReport, Total } from "../../../js/src/analysis/audit-report.js";
import { SessionAudit } from "../../../js/src/analysis/audit-session.js";
import { AuditSum } from "../../../js/src/analysis/audit-sum.js";
import { OutdatedCount } from "../../../js/src/analysis/outdated.js";
import { DEFAULT_PROFILE } from "../../../js/src/analysis/profiles.js";
import { PRICES } from "../../../js/src/analysis/token-prices.js";
import { twinOf } from "../../../js/src/analysis/twins.js";
import { InputError } from "../../../js/src/saved/event-lines.js";
import { SavedReader } from "../../../js/src/saved/read-saved.js";

import { Breath } from "./breath.js";
import type { Way } from "./exchange.js";
import { chunksOf } from "./saved-file.js";
import { asInputError } from "./too-deep.js";

/** A file of a folder that the user has picked. */
export interface FolderFile {
  /** Below the folder. */
  path: string;
  blob: Blob;
}

/** What the sessions of a folder cost. */
export interface AuditedFolder {
  sessions: SessionReport[];
  total: Total;
  /** How many files are no sessions, or could not be read. */
  skipped: number;
}

/** Judges each session of a folder, as the command does; news are the part of the files that was looked at. */
export async function auditFolder(
  { files }: { files: readonly FolderFile[] },
  { signal, tell }: Way,
): Promise<AuditedFolder> {
  const names = new Set(files.map(({ path }) => path));
  const sum = new AuditSum();
  const sessions: SessionReport[] = [];
  const breath = new Breath();
  let skipped = 0;
  for (const [at, file] of files.entries()) {
    tell(at / files.length);
    const isTwin = twinOf(file.path, (each) => names.has(each)) !== undefined;
    const audited = isTwin ? undefined : await audit(file, signal, breath);
    if (audited === undefined) {
      skipped += 1;
      continue;
    }
    sum.take(audited);
    sessions.push(audited.report);
  }
  return { sessions, total: sum.total, skipped };
}

async function audit({ path, blob }: FolderFile, signal: AbortSignal, breath: Breath) {
  const reader = new SavedReader(path);
  const settings = { profile: DEFAULT_PROFILE, model: undefined, prices: PRICES };
  const session = new SessionAudit(path, settings, new OutdatedCount());
  let place = 0;
  try {
    for await (const { record } of reader.pieces(chunksOf(path, blob))) {
      if (!record) continue;
      place = record.place;
      session.take(record, reader.format!);
      await breath.take(signal);
    }
  } catch (error) {
    signal.throwIfAborted();
    // A session that breaks off is judged up to there.
    if (!(error instanceof InputError)) asInputError(error, path, place);
  }
  const { report, ...rest } = session.end(reader.format);
  if (report.events === 0 || reader.format === undefined) return undefined;
  const { format } = reader;
  return { report: { file: path, format, ...agentOf(format), ...report }, ...rest };
}
