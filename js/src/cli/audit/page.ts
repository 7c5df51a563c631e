import { AtomicFile } from "../files/atomic-file.js";
import { unwritable } from "../files/file-errors.js";
import { replacedFile } from "../files/write-target.js";
import { InputError } from "../../sessions/event-lines.js";
import { oneLine } from "../../analysis/plain-text.js";
import { describe } from "../complain.js";
import { besideBar } from "../terminal/progress.js";

import type { AuditRecord } from "./record.js";
import { reportPage } from "./report/page.js";

/** Writes the report with pictures: what is wrong if it cannot be written. */
export function writePage(file: string, record: AuditRecord): string | undefined {
  try {
    const page = new AtomicFile(replacedFile(file));
    try {
      for (const part of reportPage(record)) page.write(new TextEncoder().encode(part));
      page.commit();
    } finally {
      page.abandon();
    }
  } catch (error) {
    if (error instanceof InputError) return describe(error);
    return `${file} ${unwritable(error as NodeJS.ErrnoException)}`;
  }
  besideBar(() => process.stderr.write(`turnkeeper: the report is in ${oneLine(file)}\n`));
  return undefined;
}
