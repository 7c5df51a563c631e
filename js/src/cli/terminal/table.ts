import { clip, padEnd, padStart, textWidth } from "./columns.js";

/** A column of a table. */
export interface Column {
  /** One heading, or several from which the widest is chosen that has room; never broken. */
  title: string | readonly [long: string, short: string];
  /** Where a cell stands in its column. */
  align: "left" | "right";
  /** Where a cell of the first column is cut that has no room: of a path, the end says more than the start. */
  clip?: "start" | "end";
  /** The width that is kept free for cells to come, so that later rows rarely widen the column. */
  least?: number;
}

/** Columns between two columns of the table, whatever is in them. */
const GAP = 2;

/**
 * Text in columns, a line at a time, for rows that are shown before the last one is known.
 *
 * The first column takes the room that the others leave, and is cut. The others are as
 * wide as their widest cell so far: a cell is never cut, and never touches the next one.
 */
export class Table {
  readonly #columns: readonly Column[];
  /** The width of the table, and how wide it may become. */
  #room: number;
  readonly #most: number;
  readonly #narrowest: number;
  readonly #titles: readonly string[];
  #widths: readonly number[];

  /**
   * @param room the width of the terminal
   * @param narrowest the least that the first column must keep
   * @param widest the width of the widest first cell, if it is known
   */
  constructor(
    columns: readonly Column[],
    {
      room,
      narrowest,
      widest = 2 * narrowest,
    }: { room: number; narrowest: number; widest?: number },
  ) {
    this.#columns = columns;
    this.#narrowest = narrowest;
    const first = Math.max(narrowest, Math.min(widest, 2 * narrowest));
    const long = titlesOf(columns, 0);
    const isWide = first + spanOf(widthsOf(columns, long)) <= room;
    this.#titles = isWide ? long : titlesOf(columns, 1);
    this.#widths = widthsOf(columns, this.#titles);
    // A table of short names is not drawn across a wide terminal.
    const longest = Math.max(widest, narrowest, textWidth(this.#titles[0]!));
    this.#room = Math.min(room, longest + spanOf(this.#widths));
    this.#most = room;
  }

  /** The line of headings. */
  head(): string | undefined {
    return this.line(this.#titles);
  }

  /** Whether {@link line} would make a column wider than those of the lines before. */
  widens(cells: readonly string[]): boolean {
    return cells.slice(1).some((cell, at) => textWidth(cell) > this.#widths[at]!);
  }

  /** A row as a line; undefined if the terminal is too narrow for it. */
  line(cells: readonly string[]): string | undefined {
    const widths = this.#widths.map((width, at) => Math.max(width, textWidth(cells[at + 1]!)));
    const span = spanOf(widths);
    if (this.#narrowest + span > this.#most) return undefined;
    // Wider columns take the room that is free on the right before they take it from the first.
    const grown = span - spanOf(this.#widths);
    this.#room = Math.min(this.#most, this.#room + grown);
    this.#widths = widths;
    const first = this.#room - span;
    const aligned = cells.map((cell, at) => {
      const pad = this.#columns[at]!.align === "left" ? padEnd : padStart;
      if (at > 0) return pad(cell, widths[at - 1]!);
      return pad(clip(cell, first, this.#columns[0]!.clip ?? "start"), first);
    });
    return aligned.join(" ".repeat(GAP)).trimEnd();
  }
}

function titlesOf(columns: readonly Column[], at: 0 | 1): string[] {
  return columns.map(({ title }) => (typeof title === "string" ? title : title[at]));
}

/** The widths of all columns but the first. */
function widthsOf(columns: readonly Column[], titles: readonly string[]): number[] {
  return titles
    .slice(1)
    .map((title, at) => Math.max(textWidth(title), columns[at + 1]!.least ?? 0));
}

/** The room of all columns but the first, with the gaps before them. */
function spanOf(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + GAP + width, 0);
}
