// The edits that the core answers with, applied to a message's content.
//
// They come as numbers, as `pack` in src/wasm/history_deduper.rs puts them: how many edits there are,
// and for each its part, its kind, how many ranges of the part's text it has, and where each of these
// begins and ends.

import { EditKind } from "../../glue/turnkeeper.js";
import { copyOf } from "../boundary/arguments.js";

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

/** The content after the edits that begin at `at`, and where these end. */
export function applyEdits(
  content: unknown,
  edits: PackedEdits,
  at = 0,
): { content: unknown; end: number } {
  const isString = typeof content === "string";
  const given = isString ? [{ type: "text", text: content }] : (content as Part[]);
  const parts: (Part | undefined)[] = copyOf(given);
  /** Parts that may be anything, `undefined` too, so what goes is told by its index. */
  const removed = new Set<number>();
  const atTheEnd: Part[] = [];
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
        text += whole.slice(edits[at], edits[at + 1]);
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
        atTheEnd.push(part);
        break;
      case EditKind.RewriteAndMoveToEnd:
        removed.add(index);
        atTheEnd.push(withText(part, text));
        break;
      case EditKind.AppendText:
        atTheEnd.push({ type: "text", text });
    }
  }
  if (isString) return { content: parts[0]!.text, end: at };
  const left = parts.filter((_, index) => !removed.has(index));
  return { content: [...left, ...atTheEnd], end: at };
}

/** The text of a text part, or the last text of a tool's result. */
export function textOf({ type, text, content }: Part): unknown {
  if (type === "text") return text;
  return Array.isArray(content) ? (content as Part[])[lastText(content)]?.text : content;
}

function withText(part: Part, text: string): Part {
  if (part.type === "text") return { ...part, text };
  const { content } = part;
  if (!Array.isArray(content)) return { ...part, content: text };
  const inner = copyOf(content as Part[]);
  const at = lastText(inner);
  inner[at] = { ...inner[at], text };
  return { ...part, content: inner };
}

function lastText(content: readonly Part[]): number {
  let at = content.length - 1;
  while (at >= 0 && content[at]?.type !== "text") at--;
  return at;
}
