// Arguments that resist being read, such as a getter that throws or an object that holds itself, as plain
// data. Whoever watches a session must not end it, so what cannot be read is marked, and the rest counts.

import { MAX_ARGUMENT_DEPTH } from "./generated/shapes.js";

/** More values than this are not read: an object may be shared so often that it never ends. */
const MOST_VALUES = 100_000;
/** UTF-16 code units of texts and keys, together. */
const MOST_UNITS = 32 * 1024 * 1024;
/** Bits of a bigint that are compared; to print more takes longer than their number says. */
const MOST_BITS = 1_024;

/** The mark of what was cut, with what could be read of it. It equals no value that was read whole. */
export class Cut {
  constructor(readonly read: unknown) {}
}

/**
 * What can be read of a value: plain data, and a {@link Cut} for each value in it that was not read whole.
 *
 * | what is odd | is read as a cut |
 * |---|---|
 * | a bigint, a function, a symbol | text |
 * | an object that holds itself | number of levels up to it |
 * | what is nested too deep, a getter that throws, a proxy that refuses | null |
 * | an object whose `toJSON` throws | object of its properties |
 * | what is too large | beginning |
 */
export function readable(value: unknown): unknown {
  try {
    return new Reader().read(value, 0);
  } catch {
    // The stack ran out, which only the host can have filled.
    return new Cut(null);
  }
}

class Reader {
  #values = 0;
  #units = 0;
  /** The objects around the value that is being read. */
  readonly #around: object[] = [];

  read(value: unknown, depth: number): unknown {
    this.#values += 1;
    switch (typeof value) {
      case "string":
        return this.#text(value);
      case "bigint": {
        const low = BigInt.asIntN(MOST_BITS, value);
        return new Cut(`${low}n`);
      }
      case "function":
        return new Cut(this.#text(Function.prototype.toString.call(value)));
      case "symbol":
        return new Cut(this.#text(String(value)));
      case "object":
        return value === null ? null : this.#object(value, depth);
      default:
        return value;
    }
  }

  #isFull(): boolean {
    return this.#values >= MOST_VALUES || this.#units >= MOST_UNITS;
  }

  #text(text: string): unknown {
    const room = MOST_UNITS - this.#units;
    this.#units += text.length;
    return text.length <= room ? text : new Cut(text.slice(0, Math.max(room, 0)));
  }

  #object(value: object, depth: number): unknown {
    if (value instanceof Cut) return value;
    const place = this.#around.lastIndexOf(value);
    if (place >= 0) return new Cut(this.#around.length - place);
    if (depth >= MAX_ARGUMENT_DEPTH || this.#isFull()) return new Cut(null);
    this.#around.push(value);
    try {
      return this.#open(value, depth);
    } catch {
      return new Cut(null);
    } finally {
      this.#around.pop();
    }
  }

  /** May throw what a proxy throws. */
  #open(value: object, depth: number): unknown {
    let isCut = false;
    try {
      const { toJSON } = value as { toJSON?: unknown };
      if (typeof toJSON === "function") {
        return this.read((toJSON.call(value, "") as unknown) ?? null, depth + 1);
      }
    } catch {
      isCut = true;
    }
    if (value instanceof Number || value instanceof String || value instanceof Boolean) {
      return this.read(value.valueOf(), depth);
    }
    const read = Array.isArray(value) ? this.#items(value, depth) : this.#fields(value, depth);
    return isCut ? new Cut(read) : read;
  }

  #items(array: readonly unknown[], depth: number): unknown[] {
    const items: unknown[] = [];
    const { length } = array;
    for (let at = 0; at < length; at++) {
      if (this.#isFull()) {
        items.push(new Cut(null));
        break;
      }
      items.push(this.#property(array, at, depth));
    }
    return items;
  }

  #fields(object: object, depth: number): object {
    // Without a prototype, `__proto__` is a key like any other.
    const fields = Object.create(null) as Record<string, unknown>;
    for (const key of Object.keys(object)) {
      this.#units += key.length;
      if (this.#isFull()) {
        fields[""] = new Cut(null);
        break;
      }
      fields[key] = this.#property(object, key, depth);
    }
    return fields;
  }

  #property(object: object, key: string | number, depth: number): unknown {
    let value: unknown;
    try {
      value = (object as Record<string | number, unknown>)[key];
    } catch {
      return new Cut(null);
    }
    return this.read(value, depth + 1);
  }
}
