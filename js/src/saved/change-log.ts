// The log that VS Code writes of an object (`objectMutationLog.ts`): a line a change, with `kind` 0 for
// the whole object (`v`), 1 to set and 3 to delete what is at the path `k`, and 2 to put `v` at the end
// of the list at `k`, of which only the first `i` elements stay if there is an `i`.

import { fields, list } from "../messages/fields.js";
import { Unreadable } from "./saved-session.js";

const enum Kind {
  Initial,
  Set,
  Push,
  Delete,
}

/** Whether it is a line of such a log. */
export function isChange(value: unknown): boolean {
  const { kind, k } = fields(value);
  return isInitialChange(value) || (typeof kind === "number" && Array.isArray(k));
}

/** Whether it is the line with the whole object. */
export function isInitialChange(value: unknown): boolean {
  const { kind, v } = fields(value);
  return kind === Kind.Initial && typeof v === "object" && v !== null;
}

type Key = string | number;

function isKey(key: unknown): key is Key {
  return typeof key === "string" || typeof key === "number";
}

/** An object, as the changes so far have made it. */
export class ChangeLog {
  #state: unknown;
  /** The objects that are its own; those of the changes may be the host's, and stay as they are. */
  readonly #copies = new WeakSet<object>();

  get state(): unknown {
    return this.#state;
  }

  /** @throws {@link Unreadable} for a change of what is not there */
  apply(value: unknown): void {
    const { kind, k, v, i } = fields(value);
    if (kind === Kind.Initial) {
      this.#state = v;
      return;
    }
    const path = list(k);
    if (!path.every(isKey)) throw new Unreadable("has a path of more than names and indexes");
    const key = path.at(-1);
    const holder = this.#at(path.slice(0, -1));
    if (!isObject(holder) || key === undefined || !isKeyOf(holder, key)) throw missing(path);
    switch (kind) {
      case Kind.Set:
        holder[key] = v;
        break;
      case Kind.Delete:
        delete holder[key];
        break;
      case Kind.Push: {
        const kept = Object.hasOwn(holder, key) ? this.#own(holder[key]) : [];
        if (!Array.isArray(kept)) throw missing(path);
        const from = typeof i === "number" ? i : kept.length;
        if (!Number.isInteger(from) || from < 0 || from > kept.length) throw missing(path);
        kept.splice(from, kept.length - from);
        for (const each of list(v)) kept.push(each);
        holder[key] = kept;
        break;
      }
      default:
        throw new Unreadable(`is a change of a kind that is not known: ${kind as number}`);
    }
  }

  /** What is at a path, to be changed. */
  #at(path: readonly Key[]): unknown {
    let at = (this.#state = this.#own(this.#state));
    for (const key of path) {
      if (!isObject(at) || !Object.hasOwn(at, key)) return undefined;
      at = at[key] = this.#own(at[key]);
    }
    return at;
  }

  /** The value, or a copy of an object that is not its own. */
  #own(value: unknown): unknown {
    if (!isObject(value) || this.#copies.has(value)) return value;
    const copy: object = Array.isArray(value) ? value.slice() : { ...value };
    this.#copies.add(copy);
    return copy;
  }
}

function isObject(value: unknown): value is Record<Key, unknown> {
  return typeof value === "object" && value !== null;
}

/** A list takes an index up to its end, an object every name that its prototype does not have. */
function isKeyOf(holder: Record<Key, unknown>, key: Key): boolean {
  if (Array.isArray(holder)) {
    return typeof key === "number" && Number.isInteger(key) && key >= 0 && key <= holder.length;
  }
  return typeof key === "string" && (Object.hasOwn(holder, key) || !(key in holder));
}

function missing(path: readonly Key[]): Unreadable {
  return new Unreadable(`changes ${JSON.stringify(path.join("."))}, which is not there`);
}
