/** Text without control characters, measured and cut in terminal columns; colours take none. */

import stringWidth from "string-width";
import wrapAnsi from "wrap-ansi";

/** How many columns a terminal needs for a text: East Asian wide characters and emoji take two. */
export const textWidth: (text: string) => number = stringWidth;

/** How many columns the widest of these texts needs. */
export function widestOf(texts: readonly string[]): number {
  return texts.reduce((widest, text) => Math.max(widest, textWidth(text)), 0);
}

/**
 * The text, cut with `…` if it needs more than `columns` columns.
 *
 * @param position where it is cut: of a path, the end says more than the start
 */
export function clip(text: string, columns: number, position: "start" | "end" = "end"): string {
  if (textWidth(text) <= columns) return text;
  const characters = Array.from(SEGMENTER.segment(text), ({ segment }) => segment);
  if (position === "start") characters.reverse();
  const kept = [];
  let room = columns - 1;
  for (const character of characters) {
    room -= textWidth(character);
    if (room < 0) break;
    kept.push(character);
  }
  if (columns <= 0) return "";
  return position === "end" ? `${kept.join("")}…` : `…${kept.reverse().join("")}`;
}

/** Cuts text into what a reader takes for single characters. */
const SEGMENTER = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** The text with spaces after it, up to `columns` columns. */
export function padEnd(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - textWidth(text)));
}

/** The text with spaces before it, up to `columns` columns. */
export function padStart(text: string, columns: number): string {
  return " ".repeat(Math.max(0, columns - textWidth(text))) + text;
}

/** The text in lines of at most `columns` columns, broken at spaces, and inside a longer word. */
export function wrap(text: string, columns: number): string[] {
  return wrapAnsi(text, Math.max(1, columns), { hard: true }).split("\n");
}

/** A list with commas in lines of at most `columns` columns; an item is broken only if it is longer. */
export function wrapList(items: readonly string[], columns: number): string[] {
  const whole = items.map((item) => item.replaceAll(" ", NO_BREAK));
  return wrap(whole.join(", "), columns).map((line) => line.replaceAll(NO_BREAK, " "));
}

const NO_BREAK = "\u00a0";
