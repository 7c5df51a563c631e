// Where a text is in a message, and how another takes its place.

import { type Part, withTextAt } from "../edits.js";

/** Where a text is in a history; from `start` up to `end`, in UTF-16 code units. */
export interface Place {
  /** The index of the message. */
  readonly index: number;
  /** The index of the part; -1 if the content is a string. */
  readonly part: number;
  /** The keys that lead from the part to the text. */
  readonly keys: readonly (string | number)[];
  readonly start: number;
  readonly end: number;
}

/** A text that takes the place of another. */
export interface Replacement {
  readonly place: Place;
  readonly text: string;
}

/** A part, or the content that is a string, with other texts in those places. */
export function replaced(value: unknown, replacements: readonly Replacement[]): unknown {
  // From the last to the first, so that the places before it stay where they are.
  const sorted = [...replacements].sort((one, other) => other.place.start - one.place.start);
  return sorted.reduce(
    (made, { place: { keys, start, end }, text }) =>
      withTextAt(made, keys, (whole) => whole.slice(0, start) + text + whole.slice(end)),
    value,
  );
}

/** The text of a tool's result that holds no other text, and the keys that lead to it. */
export function resultText(part: Part): { text: string; keys: Place["keys"] } | undefined {
  const { content } = part;
  if (typeof content === "string") return { text: content, keys: ["content"] };
  if (!Array.isArray(content)) return undefined;
  let found: { text: string; keys: Place["keys"] } | undefined;
  for (let at = 0; at < content.length; at++) {
    const { type, text } = (content[at] ?? {}) as Part;
    if (type !== "text" || typeof text !== "string") continue;
    if (found !== undefined) return undefined;
    found = { text, keys: ["content", at, "text"] };
  }
  return found;
}
