import { clip, padEnd, padStart, textWidth, widestOf } from "./columns.js";

/** A column of a table, with what is in it. */
export interface Column {
  /** One heading, or two of which the long one is taken where there is room; never broken. */
  title: string | readonly [long: string, short: string];
  /** Where a cell stands in its column. */
  align: "left" | "right";
  /** Where a cell of the first column is cut that has no room: of a path, the end says more than the start. */
  clip?: "start" | "end";
  cells: readonly string[];
}

/** Columns between two columns of the table, whatever is in them. */
const GAP = 2;

/** Whether a table has room, if its first column gets `narrowest`. */
export function fits(columns: readonly Column[], narrowest: number, room: number): boolean {
  return narrowest + spanOf(columns, 1) <= room;
}

/**
 * The lines of a table, the headings first; undefined if there is no room for it. The first column takes what
 * the others leave, at least `narrowest`, and is cut; the others are as wide as their widest cell.
 */
export function tableLines(
  columns: readonly Column[],
  narrowest: number,
  room: number,
): string[] | undefined {
  if (!fits(columns, narrowest, room)) return undefined;
  const { cells } = columns[0]!;
  const widest = Math.max(narrowest, widestOf(cells));
  const which = Math.min(widest, 2 * narrowest) + spanOf(columns, 0) <= room ? 0 : 1;
  const widths = columns.map((column) => widthOf(column, which));
  // A table of short names is not drawn across a wide terminal.
  const longest = Math.max(widest, textWidth(titleOf(columns[0]!, which)));
  widths[0] = Math.min(longest, room - spanOf(columns, which));
  const rows = cells.map((_, at) => columns.map((column) => column.cells[at]!));
  return [columns.map((column) => titleOf(column, which)), ...rows].map((row) =>
    row
      .map((cell, at) => {
        const { align, clip: side = "start" } = columns[at]!;
        const shown = at === 0 ? clip(cell, widths[0]!, side) : cell;
        return (align === "left" ? padEnd : padStart)(shown, widths[at]!);
      })
      .join(" ".repeat(GAP))
      .trimEnd(),
  );
}

function titleOf({ title }: Column, which: 0 | 1): string {
  return typeof title === "string" ? title : title[which];
}

function widthOf(column: Column, which: 0 | 1): number {
  return widestOf([titleOf(column, which), ...column.cells]);
}

/** The room of all columns but the first, with the gaps before them. */
function spanOf(columns: readonly Column[], which: 0 | 1): number {
  return columns.slice(1).reduce((sum, column) => sum + GAP + widthOf(column, which), 0);
}
