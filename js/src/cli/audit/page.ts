import { closeSync, readSync, statSync } from "node:fs";
import path from "node:path";

import { AtomicFile } from "../files/atomic-file.js";
import { unwritable } from "../files/file-errors.js";
import { openRegular } from "../files/regular-file.js";
import { replacedFile } from "../files/write-target.js";
import { InputError } from "../../saved/event-lines.js";
import { oneLine } from "../../analysis/plain-text.js";
import { describe } from "../complain.js";
import { besideBar } from "../terminal/progress.js";

import type { AuditRecord } from "./record.js";
import { reportPage } from "./report.js";

/** What is wrong with the place for a page; undefined if one can go there. */
export function pageProblem(file: string): string | undefined {
  return problemOf(file, () => void placeOf(file));
}

/** Writes the report with pictures, with or without what sessions say: what is wrong if it cannot be written. */
export function writePage(file: string, record: AuditRecord, hasText: boolean): string | undefined {
  const problem = problemOf(file, () => {
    const page = new AtomicFile(placeOf(file));
    try {
      for (const part of reportPage(record, hasText)) page.write(new TextEncoder().encode(part));
      page.commit();
    } finally {
      page.abandon();
    }
  });
  if (problem !== undefined) return problem;
  besideBar(() => process.stderr.write(`turnkeeper: the report is in ${oneLine(file)}\n`));
  return undefined;
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
  let descriptor: number | undefined;
  try {
    descriptor = openRegular(file);
    const bytes = new Uint8Array(256);
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(
      bytes.subarray(0, readSync(descriptor, bytes)),
    );
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    // Whoever writes to it will say why that cannot be.
    return "";
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function problemOf(file: string, work: () => void): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof InputError) return describe(error);
    return `${file} ${unwritable(error as NodeJS.ErrnoException)}`;
  }
}
