// Results that answer a call again, as a history that was resumed may have them. Every provider refuses these.

import { fields } from "../messages/fields.js";

const NONE: ReadonlySet<number> = new Set();

/** Finds the results of calls that have one already. The first stays: it follows its call. */
export class Answers {
  /** How many calls with an id wait for their results. Some agents give an id again to a later call. */
  readonly #waiting = new Map<unknown, number>();

  /** The indexes of the parts of the next message that answer a call again. */
  take(content: unknown): ReadonlySet<number> {
    if (!Array.isArray(content)) return NONE;
    let again: Set<number> | undefined;
    for (let at = 0; at < content.length; at++) {
      const { type, id, tool_use_id: answered } = fields(content[at]);
      if (type === "tool_use") {
        this.#waiting.set(id, (this.#waiting.get(id) ?? 0) + 1);
      } else if (type === "tool_result") {
        const count = this.#waiting.get(answered);
        if (count === 0) (again ??= new Set()).add(at);
        else if (count !== undefined) this.#waiting.set(answered, count - 1);
      }
    }
    return again ?? NONE;
  }
}
