import { closeSync, readSync, statSync } from "node:fs";
import path from "node:path";

import { writeWhole } from "../files/atomic-file.js";
import { withFile } from "../files/file-errors.js";
import { attempt } from "../files/file-questions.js";
import { openRegular } from "../files/regular-file.js";
import { replacedFile } from "../files/write-target.js";
import { InputError } from "../../saved/event-lines.js";
import { oneLine } from "../../analysis/plain-text.js";
import { complain, describe } from "../complain.js";
import { besideBar } from "../terminal/progress.js";

import type { AuditRecord } from "./record.js";
import { reportPage } from "./report.js";

/** Whether a page can go there; it complains otherwise. */
export function canHavePage(file: string): boolean {
  return isDone(file, () => void placeOf(file));
}

/** Writes the report with pictures, with or without what sessions say. */
export function writePage(file: string, record: AuditRecord, hasText: boolean): void {
  const isWritten = isDone(file, () => writeWhole(placeOf(file), reportPage(record, hasText)));
  if (!isWritten) return;
  besideBar(() => process.stderr.write(`turnkeeper: the report is in ${oneLine(file)}\n`));
}

/**
 * The file that the page replaces. Whoever forgets to name it after `--html` names a session instead, so
 * nothing is replaced but a page or an empty file.
 *
 * @throws {@link InputError} for a file of another kind
 */
function placeOf(file: string): string {
  const target = replacedFile(file);
  // Whoever misspells the folder hears so before the sessions are read.
  statSync(path.dirname(path.resolve(target)));
  const beginning = beginningOf(target);
  if (beginning === "" || /^\ufeff?\s*<(!doctype|html)\b/i.test(beginning)) return target;
  throw new InputError(file, "is no page, so no page replaces it");
}

/** The first characters of a file; none of one that is not there, or is a folder, which cannot be replaced. */
function beginningOf(file: string): string {
  // Whoever writes to it will say why that cannot be.
  const descriptor = attempt(() => openRegular(file));
  if (descriptor === undefined) return "";
  try {
    const bytes = new Uint8Array(256);
    const read = bytes.subarray(0, readSync(descriptor, bytes));
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(read);
  } finally {
    closeSync(descriptor);
  }
}

/** Does something with a file: whether that was possible. */
function isDone(file: string, work: () => void): boolean {
  try {
    withFile(file, "written", work);
    return true;
  } catch (error) {
    complain(describe(error as InputError));
    return false;
  }
}
