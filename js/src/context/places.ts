// How other texts take the place of some in a message.

import type { Place } from "../boundary/generated/shapes.js";
import { withTextAt } from "./edits.js";

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
