import { InputError } from "../saved/event-lines.js";

/** What a person who read a session says of it. */
export type Label =
  | { label: "no-loop"; reason: string | undefined }
  | {
      label: "loop";
      /** The first call of the loop; calls count from 0 over the whole session. */
      start: number;
      reason: string | undefined;
    };

/** The columns that an index must have; others are ignored, but `reason` is quoted. */
const COLUMNS = ["id", "label", "loop_starts_at_call"] as const;

/**
 * Reads an `index.tsv`: a line of column names, then a line a session.
 *
 * @param file the name that errors carry
 * @param complain is told what is wrong with single lines; the rest is read
 * @returns the labels by id, which is the session's file name without its extension
 * @throws {@link InputError} if it is no index at all
 */
export function readLabels(
  file: string,
  text: string,
  complain: (problem: InputError) => void,
): Map<string, Label> {
  const [header = "", ...rows] = text.replace(/^\ufeff/, "").split(/\r?\n/);
  const names = header.split("\t");
  const missing = COLUMNS.find((column) => !names.includes(column));
  if (missing !== undefined) throw new InputError(file, `has no column ${missing}`, 1);

  const labels = new Map<string, Label>();
  rows.forEach((row, index) => {
    if (row.trim() === "") return;
    const cells = row.split("\t");
    const cell = (name: string): string | undefined => cells[names.indexOf(name)]?.trim();
    const problem = addLabel(labels, cell);
    if (problem !== undefined) complain(new InputError(file, problem, index + 2));
  });
  return labels;
}

function addLabel(
  labels: Map<string, Label>,
  cell: (name: string) => string | undefined,
): string | undefined {
  const id = cell("id");
  if (!id) return "has no id";
  if (labels.has(id)) return `labels ${JSON.stringify(id)} a second time`;
  const reason = cell("reason") || undefined;
  const label = cell("label");
  if (label === "no-loop") {
    labels.set(id, { label, reason });
    return undefined;
  }
  if (label !== "loop") return `the label must be loop or no-loop, not ${JSON.stringify(label)}`;
  const start = cell("loop_starts_at_call") ?? "";
  if (!/^\d{1,9}$/.test(start)) return "loop_starts_at_call must be the index of a call";
  labels.set(id, { label, start: Number(start), reason });
  return undefined;
}
