/** The text of a JSON value, with another value in its place: what is equal stays as it was written. */

import { difference } from "../messages/difference.js";
import { isRecord, originsOf } from "./array-origins.js";
import { elementsAt, valueAt, withUnits } from "./json-text.js";

/** The text with another value at a path, in the place of `before`. */
export function withContent(
  text: string,
  path: readonly string[],
  before: unknown,
  after: unknown,
): string {
  const { start, end } = valueAt(text, path)!;
  return text.slice(0, start) + rewritten(text.slice(start, end), before, after) + text.slice(end);
}

function rewritten(json: string, before: unknown, after: unknown): string {
  if (before === after) return json;
  if (typeof before === "string" && typeof after === "string") {
    return rewrittenString(json, before, after);
  }
  if (Array.isArray(before) && Array.isArray(after)) return rearranged(json, before, after);
  if (isRecord(before) && isRecord(after)) return rewrittenObject(json, before, after);
  return JSON.stringify(after);
}

/** A string in whose middle something is new. */
function rewrittenString(json: string, before: string, after: string): string {
  const { start, end } = difference(before, after);
  return withUnits(json, start, before.length - end, after.slice(start, after.length - end));
}

/** An object of which values are new, but not the keys. */
function rewrittenObject(
  json: string,
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): string {
  const keys = Object.keys(before);
  if (keys.join("\0") !== Object.keys(after).join("\0")) return JSON.stringify(after);
  return keys
    .filter((key) => before[key] !== after[key])
    .reduce((text, key) => withContent(text, [key], before[key], after[key]), json);
}

/** An array of which elements went, are elsewhere, or are new. */
function rearranged(json: string, before: readonly unknown[], after: readonly unknown[]): string {
  const elements = elementsAt(json, 0);
  const origins = originsOf(before, after);
  const [first, second] = elements;
  const between = first && second ? json.slice(first.end, second.start) : ", ";
  const parts = after.map((part, index) => {
    const at = origins[index];
    const separator = at ? json.slice(elements[at - 1]!.end, elements[at]!.start) : between;
    const { start, end } = at === undefined ? { start: 0, end: 0 } : elements[at]!;
    const written =
      at === undefined ? JSON.stringify(part) : rewritten(json.slice(start, end), before[at], part);
    return index === 0 ? written : separator + written;
  });
  const open = first ? json.slice(0, first.start) : "[";
  const close = elements.length > 0 ? json.slice(elements.at(-1)!.end) : "]";
  return open + parts.join("") + close;
}
