// The edits that the core answers with, applied to a message's content.
//
// They come as numbers, as `packed` in src/history-deduper/packed_edits.rs puts them: how many edits there are,
// and for each its part, its kind, how many ranges of the part's text it has, and where each of these
// begins and ends.

import { EditKind } from "../../glue/turnkeeper.js";

/** A part of a content, or what was given for one. */
export interface Part {
  type?: unknown;
  text?: unknown;
  content?: unknown;
}

export type PackedEdits = ArrayLike<number>;

/** Whether there is anything to do. */
export function hasEdits(edits: PackedEdits): boolean {
  return edits[0] !== 0;
}

/** Whether the only edit is to take away that part. */
export function onlyRemoves(edits: PackedEdits, part: number): boolean {
  return edits[0] === 1 && edits[1] === part && edits[2] === EditKind.Remove;
}

/** A content after its edits. */
export interface EditedContent {
  readonly content: unknown;
  /** Of each part there is now, the index of the part that it was; -1 for a new one. */
  readonly from: readonly number[];
}

/**
 * The content after the edits.
 *
 * @param shifted where a unit of a part's text is now, if other texts have taken the place of some before
 */
export function applyEdits(
  content: unknown,
  edits: PackedEdits,
  shifted: (part: number, unit: number) => number = (_, unit) => unit,
): EditedContent {
  const isString = typeof content === "string";
  const given = isString ? [{ type: "text", text: content }] : (content as Part[]);
  const parts: (Part | undefined)[] = [...given];
  /** Parts that may be anything, `undefined` too, so what goes is told by its index. */
  const removed = new Set<number>();
  const atTheEnd: { part: Part; from: number }[] = [];
  let at = 0;
  for (let count = edits[at++]!; count > 0; count--) {
    const index = edits[at]!;
    const kind: EditKind = edits[at + 1]!;
    const ranges = edits[at + 2]!;
    at += 3;
    const part = given[index]!;
    let text = "";
    if (ranges > 0) {
      const whole = textOf(part) as string;
      for (const end = at + 2 * ranges; at < end; at += 2) {
        text += whole.slice(shifted(index, edits[at]!), shifted(index, edits[at + 1]!));
      }
    }
    switch (kind) {
      case EditKind.Rewrite:
        parts[index] = withText(part, text);
        break;
      case EditKind.Remove:
        removed.add(index);
        break;
      case EditKind.MoveToEnd:
        removed.add(index);
        atTheEnd.push({ part, from: index });
        break;
      case EditKind.RewriteAndMoveToEnd:
        removed.add(index);
        atTheEnd.push({ part: withText(part, text), from: index });
        break;
      case EditKind.AppendText:
        atTheEnd.push({ part: { type: "text", text }, from: -1 });
    }
  }
  if (isString) return { content: parts[0]!.text, from: [0] };
  const made: (Part | undefined)[] = [];
  const from: number[] = [];
  for (let index = 0; index < parts.length; index++) {
    if (removed.has(index)) continue;
    made.push(parts[index]);
    from.push(index);
  }
  for (const { part, from: index } of atTheEnd) {
    made.push(part);
    from.push(index);
  }
  return { content: made, from };
}

/** A content without those of its parts that were, before it was edited, the ones with these indexes. */
export function withoutParts(
  content: unknown,
  gone: ReadonlySet<number>,
  from: readonly number[] = (content as readonly unknown[]).map((_, at) => at),
): EditedContent {
  const isLeft = (_: unknown, at: number): boolean => !gone.has(from[at]!);
  return { content: (content as unknown[]).filter(isLeft), from: from.filter(isLeft) };
}

/** The keys that lead from a part to the text of which edits speak. */
export function keysOfText(part: unknown): readonly (string | number)[] {
  if (typeof part === "string") return [];
  const { type, content } = part as Part;
  if (type === "text") return ["text"];
  return Array.isArray(content) ? ["content", lastText(content as Part[]), "text"] : ["content"];
}

/** The text of a text part, or the last text of a tool's result. */
export function textOf({ type, text, content }: Part): unknown {
  if (type === "text") return text;
  return Array.isArray(content) ? (content as Part[])[lastText(content)]?.text : content;
}

function withText(part: Part, text: string): Part {
  return withTextAt(part, keysOfText(part), () => text) as Part;
}

/** A copy of a value with what `change` makes of the text to which the keys lead. */
export function withTextAt(
  value: unknown,
  [key, ...rest]: readonly (string | number)[],
  change: (text: string) => string,
): unknown {
  if (key === undefined) return change(value as string);
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }) as {
    [key: string | number]: unknown;
  };
  copy[key] = withTextAt(copy[key], rest, change);
  return copy;
}

/** The index of the last text; -1 without any. */
function lastText(content: readonly Part[]): number {
  let at = content.length - 1;
  while (at >= 0 && content[at]?.type !== "text") at--;
  return at;
}
