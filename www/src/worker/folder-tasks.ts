// What the view of a folder asks for.

import { analysis, answered, release } from "./analysis.js";
import type { Way } from "./exchange.js";
import { InputProblem } from "./input-problem.js";
import { readChunks } from "./saved-file.js";
import type { AuditedFolder } from "./shapes.js";

/** A file of a folder that the user has picked. */
export interface FolderFile {
  /** Below the folder. */
  path: string;
  blob: Blob;
}

/** Judges each session of a folder, as the command does; news are the part of the files that was looked at. */
export async function auditFolder(
  { files }: { files: readonly FolderFile[] },
  { signal, tell }: Way,
): Promise<AuditedFolder> {
  const { RawFolderAudit } = await analysis();
  const audit = new RawFolderAudit(files.map(({ path }) => path));
  try {
    for (const [at, { path, blob }] of files.entries()) {
      tell(at / files.length);
      if (!audit.file(path)) continue;
      try {
        await readChunks({ name: path, blob }, signal, (bytes) => audit.push(bytes));
      } catch (error) {
        // A session that breaks off is judged up to there.
        if (!(error instanceof InputProblem)) throw error;
      }
      audit.end();
    }
    return answered<AuditedFolder>(audit.result());
  } finally {
    release(audit);
  }
}
