/** Where the elements of a changed array were in the old one. */

import { difference } from "../messages/difference.js";

/** At most this many old elements are compared with a new one, to find the one it was made of. */
const LOOKED_AT = 32;
/** At most this many code units of two texts are compared, from the start and from the end. */
const COMPARED = 1_000;

/**
 * For each element of `after` the index in `before` that it has or was made of; undefined for what is quite new.
 * Elements that stayed are the same values. Of those that are new, each was made of one that is there no more,
 * in their order. Linear in the elements.
 */
export function originsOf(
  before: readonly unknown[],
  after: readonly unknown[],
): (number | undefined)[] {
  const origins = stayed(before, after);
  const taken = new Set(origins);
  const free = [...before.keys()].filter((at) => !taken.has(at));
  let left = origins.filter((at) => at === undefined).length;
  let from = 0;
  return origins.map((origin, at) => {
    if (origin !== undefined) return origin;
    left -= 1;
    // Leave enough old elements for the new ones that follow.
    const to = Math.max(from + 1, Math.min(free.length - left, from + LOOKED_AT));
    const found = mostAlike(before, free.slice(from, to), after[at]);
    if (found < 0) return undefined;
    const chosen = free[from + found];
    from += found + 1;
    return chosen;
  });
}

/** The elements that are in both. */
function stayed(before: readonly unknown[], after: readonly unknown[]): (number | undefined)[] {
  const places = new Map<unknown, { at: number[]; next: number }>();
  before.forEach((each, at) => {
    const found = places.get(each);
    if (found) found.at.push(at);
    else places.set(each, { at: [at], next: 0 });
  });
  return after.map((each) => {
    const found = places.get(each);
    return found?.at[found.next++];
  });
}

/** The index of the old element that a new one is most like; the first of several, -1 of none. */
function mostAlike(before: readonly unknown[], places: readonly number[], part: unknown): number {
  let best = -1;
  let most = -1;
  places.forEach((place, at) => {
    const alike = likeness(before[place], part);
    if (alike > most) [best, most] = [at, alike];
  });
  return best;
}

/** A value that is the same counts more than all that texts have in common. */
const SAME = 1_000_000;

function likeness(one: unknown, other: unknown): number {
  if (typeof one === "string" && typeof other === "string") return inCommon(one, other);
  if (!isRecord(one) || !isRecord(other)) return 0;
  const keys = Object.keys(one);
  if (keys.join("\0") !== Object.keys(other).join("\0")) return 0;
  return keys.reduce((sum, key) => {
    const [was, is] = [one[key], other[key]];
    if (was === is) return sum + SAME;
    return typeof was === "string" && typeof is === "string" ? sum + inCommon(was, is) : sum;
  }, 1);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** How many units two texts have in common at their beginnings and at their ends. */
function inCommon(one: string, other: string): number {
  const { start, end } = difference(one, other, COMPARED);
  return start + end;
}
