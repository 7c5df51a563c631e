// Puts lines in place of what gives way in a history, together with the edits of its blocks.

import type { Place, Superseded } from "../boundary/generated/shapes.js";
import { type PackedEdits, applyEdits, keysOfText, withoutParts } from "./edits.js";
import { replaced, type Replacement } from "./places.js";

/** Rewrites the messages of one history. */
export class Rewriting {
  /** The replacements, by messages. */
  readonly #byMessage: ReadonlyMap<number, Replacement[]>;
  /** Of a message with edits, where each part came from. */
  readonly #from = new Map<number, readonly number[]>();

  constructor(superseded: readonly Superseded[]) {
    const all = superseded.map(({ place, notice }) => ({ place, text: notice }));
    this.#byMessage = grouped(all, ({ place }) => place.index);
  }

  /** The indexes of the messages in which something gives way. */
  get indexes(): Iterable<number> {
    return this.#byMessage.keys();
  }

  /**
   * A content without what gives way. The edits of its blocks, and the indexes of the parts that go, speak of the
   * content as it was given.
   */
  apply(
    index: number,
    content: unknown,
    edits: PackedEdits | undefined,
    gone: ReadonlySet<number> | undefined,
  ): unknown {
    const edited = this.#edited(index, content, edits);
    if (gone === undefined) return edited;
    const left = withoutParts(edited, gone, this.#from.get(index));
    this.#from.set(index, left.from);
    return left.content;
  }

  #edited(index: number, content: unknown, edits: PackedEdits | undefined): unknown {
    const replacements = this.#byMessage.get(index) ?? [];
    const rewritten = rewrittenContent(content, replacements);
    if (edits === undefined) return rewritten;
    const shifted = (part: number, unit: number): number => {
      const isString = typeof content === "string";
      const keys = keysOfText(isString ? content : (content as unknown[])[part]).join();
      let by = 0;
      for (const { place, text } of replacements) {
        const isThere = (isString || place.part === part) && place.keys.join() === keys;
        if (isThere && place.end <= unit) by += text.length - (place.end - place.start);
      }
      return unit + by;
    };
    const edited = applyEdits(rewritten, edits, shifted);
    this.#from.set(index, edited.from);
    return edited.content;
  }

  /** The index of the part of a message, as it is now, in which something gave way. */
  partOf({ index, part }: Place): number {
    const from = this.#from.get(index);
    return part < 0 || from === undefined ? part : from.indexOf(part);
  }
}

function rewrittenContent(content: unknown, replacements: readonly Replacement[]): unknown {
  if (replacements.length === 0) return content;
  if (!Array.isArray(content)) return replaced(content, replacements);
  const parts = [...(content as unknown[])];
  for (const [part, some] of grouped(replacements, ({ place }) => place.part)) {
    parts[part] = replaced(parts[part], some);
  }
  return parts;
}

function grouped(
  replacements: readonly Replacement[],
  keyOf: (one: Replacement) => number,
): Map<number, Replacement[]> {
  const groups = new Map<number, Replacement[]>();
  for (const one of replacements) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return groups;
}
