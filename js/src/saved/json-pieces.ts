import { InputError, LONGEST_LINE, joined } from "./event-lines.js";

/** A part of a file; all parts, one after the other, are the file, byte for byte. */
export interface Piece {
  bytes: Uint8Array;
  /** There if the bytes are one value. */
  value?: PieceValue;
}

/** A value of the file: a line, an element of its array, or a property of its object. */
export interface PieceValue {
  /** The key of the object's property that the value is, or is an element of. */
  key: string | undefined;
  /** The line, or the element of the array, from 1. */
  place: number;
  /** Whether it is an element of an array under the key. */
  isElement: boolean;
  json: unknown;
}

/** Cuts a file into its pieces as its bytes come. */
export interface Cutter {
  /**
   * The pieces that end in the next bytes.
   *
   * @throws {@link InputError} where the file does not keep to its form; the pieces before that were given
   */
  push(chunk: Uint8Array): Iterable<Piece>;
  /** The pieces that the end of the file ends. */
  end(): Iterable<Piece>;
}

/** What may come next. */
const enum At {
  Root,
  FirstElement,
  Element,
  FirstKey,
  Key,
  Colon,
  Property,
  Comma,
  End,
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Cuts a JSON file into its pieces, without ever holding more than one of them: the elements of an
 * array, or the properties of an object, of which those that are arrays are cut into their elements.
 * The values are parsed by the engine; what is between them is checked here.
 */
export class JsonCutter implements Cutter {
  readonly #file: string;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  #at = At.Root;
  #isObject = false;
  /** Inside an array that is a property of the object. */
  #isInside = false;
  #key: string | undefined;
  #place = 0;

  /** What has been seen of a value or a key that has begun. */
  #held: Uint8Array[] | undefined;
  #length = 0;
  #depth = 0;
  #inString = false;
  #isEscaped = false;
  #isScalar = false;

  /** @param file the name that errors carry */
  constructor(file: string) {
    this.#file = file;
  }

  *push(chunk: Uint8Array): Generator<Piece, void, void> {
    /** What has not been given out. */
    let from = 0;
    let at = 0;
    while (at < chunk.length) {
      if (!this.#held) {
        at = this.#begin(chunk, at);
        if (at < 0) break;
        if (at > from) yield { bytes: chunk.subarray(from, at) };
        from = at;
        this.#held = [];
        this.#length = 0;
      }
      const end = this.#skip(chunk, at);
      this.#held.push(chunk.subarray(at, end < 0 ? chunk.length : end));
      this.#length += (end < 0 ? chunk.length : end) - at;
      if (this.#length > LONGEST_LINE) throw this.#wrong("is longer than 128 MB");
      if (end < 0) return;
      const bytes = joined(this.#held);
      this.#held = undefined;
      from = at = end;
      yield this.#piece(bytes);
    }
    if (from < chunk.length) yield { bytes: chunk.subarray(from) };
  }

  end(): Piece[] {
    if (this.#at === At.Root) throw new InputError(this.#file, "is empty");
    if (this.#at !== At.End) throw new InputError(this.#file, `breaks off ${this.#where()}`);
    return [];
  }

  #piece(bytes: Uint8Array): Piece {
    const json = this.#parse(bytes);
    if (this.#at === At.Key) {
      this.#key = json as string;
      this.#place = 0;
      this.#at = At.Colon;
      return { bytes };
    }
    this.#at = At.Comma;
    const isElement = this.#isInside || !this.#isObject;
    return { bytes, value: { key: this.#key, place: this.#place, isElement, json } };
  }

  /** Goes on to where a value or a key begins; -1 if none does in this chunk. */
  #begin(chunk: Uint8Array, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) continue;
      if (this.#begins(byte)) return at;
    }
    return -1;
  }

  /** Takes a byte that is between values; true if it is the first of a value or a key. */
  #begins(byte: number): boolean {
    const isInArray = this.#isInside || !this.#isObject;
    switch (this.#at) {
      case At.Root:
        // A byte-order mark.
        if (byte === 0xef || byte === 0xbb || byte === 0xbf) return false;
        if (byte !== OPEN_OBJECT && byte !== OPEN_ARRAY) throw this.#unexpected(byte);
        this.#isObject = byte === OPEN_OBJECT;
        this.#at = this.#isObject ? At.FirstKey : At.FirstElement;
        return false;
      case At.Comma:
        if (byte === COMMA) this.#at = isInArray ? At.Element : At.Key;
        else if (byte === (isInArray ? CLOSE_ARRAY : CLOSE_OBJECT)) this.#close();
        else throw this.#unexpected(byte);
        return false;
      case At.Colon:
        if (byte !== COLON) throw this.#unexpected(byte);
        this.#at = At.Property;
        return false;
      case At.FirstElement:
      case At.FirstKey:
        if (byte === (isInArray ? CLOSE_ARRAY : CLOSE_OBJECT)) {
          this.#close();
          return false;
        }
        this.#at = isInArray ? At.Element : At.Key;
        return this.#begins(byte);
      case At.Element:
        this.#place += 1;
        return this.#start(byte);
      case At.Property:
        if (byte !== OPEN_ARRAY) return this.#start(byte);
        this.#isInside = true;
        this.#at = At.FirstElement;
        return false;
      case At.Key:
        if (byte !== QUOTE) throw this.#unexpected(byte);
        return this.#start(byte);
      default:
        throw new InputError(this.#file, "has trailing content");
    }
  }

  #close(): void {
    this.#at = this.#isInside ? At.Comma : At.End;
    this.#isInside = false;
  }

  #start(byte: number): true {
    this.#depth = 0;
    this.#inString = false;
    this.#isEscaped = false;
    this.#isScalar = byte !== OPEN_OBJECT && byte !== OPEN_ARRAY && byte !== QUOTE;
    if (this.#isScalar && !/[-0-9tfn]/.test(String.fromCharCode(byte)))
      throw this.#unexpected(byte);
    return true;
  }

  /** The index after the end of the value that has begun, or -1 if it goes on in the next chunk. */
  #skip(chunk: Uint8Array, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (this.#inString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === BACKSLASH) this.#isEscaped = true;
        else if (byte === QUOTE) {
          this.#inString = false;
          if (this.#depth === 0) return at + 1;
        }
      } else if (this.#isScalar) {
        if (byte <= 0x20 || byte === COMMA || byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
          return at;
        }
      } else if (byte === QUOTE) {
        this.#inString = true;
      } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        this.#depth += 1;
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        this.#depth -= 1;
        if (this.#depth === 0) return at + 1;
      }
    }
    return -1;
  }

  #parse(bytes: Uint8Array): unknown {
    let text;
    try {
      text = this.#decoder.decode(bytes);
    } catch {
      throw this.#wrong("is not UTF-8 text");
    }
    try {
      return JSON.parse(text);
    } catch (error) {
      throw this.#wrong(`is not JSON (${reasonOf(error)})`);
    }
  }

  #unexpected(byte: number): InputError {
    const what = byte > 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "something";
    return new InputError(
      this.#file,
      `is not JSON: ${what} is in the wrong place ${this.#where()}`,
    );
  }

  #wrong(what: string): InputError {
    return new InputError(this.#file, `${what} ${this.#where()}`);
  }

  #where(): string {
    const key = this.#key === undefined ? "" : ` of ${JSON.stringify(this.#key)}`;
    if (this.#isInside || !this.#isObject) return `at element ${Math.max(1, this.#place)}${key}`;
    return this.#key === undefined ? "at its beginning" : `at ${JSON.stringify(this.#key)}`;
  }
}

/** What an engine says, without the place, which counts from the beginning of the value. */
function reasonOf(error: unknown): string {
  return (error as Error).message.replace(
    / (\(line \d+ column \d+\)|in JSON at position \d+.*)$/,
    "",
  );
}
