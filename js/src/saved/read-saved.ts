import { type Container, beginsWithRecord, containerOf } from "./container.js";
import { cutterOf } from "./cutters.js";
import { InputError, LONGEST_LINE, joined } from "./event-lines.js";
import { Recogniser } from "./formats.js";
import type { Cutter, Piece, PieceValue } from "./json-pieces.js";
import {
  type SessionFormat,
  type RecordReader,
  type SavedRecord,
  Unreadable,
} from "./saved-session.js";
import { timeOf, usageReader, type UsageReader } from "./usage.js";

/** A part of a saved session; all parts, one after the other, are the file, byte for byte. */
export interface SavedPiece {
  bytes: Uint8Array;
  /** There if the bytes are a value that says something. */
  record?: SavedRecord;
}

/** So much of a file is looked at to see how it is built. */
const BEGINNING = 262_144;
/** The format must show in this many values, and in no more bytes than a line may have. */
const LOOKED_AT = 200;

/** Reads a session that an agent has saved, whichever agent it was. */
export class SavedReader {
  readonly file: string;
  #reader: RecordReader | undefined;
  #usage: UsageReader | undefined;
  #container: Container = "lines";
  #hasValue = false;
  #beginsWithRecord = true;
  /** In a file that is one object, the key of the array with the session. */
  #holder: string | undefined;
  #recogniser: Recogniser | undefined;
  /** What came before the format was known, how many values and how many bytes of them. */
  readonly #waiting: Piece[] = [];
  #looked = 0;
  #held = 0;
  /** The place of the last value, and whether it is what the file ends with. */
  #last = 0;
  #isAtEnd = false;

  /** @param file the name that errors carry */
  constructor(file: string) {
    this.file = file;
  }

  /** The format, once something has been read. */
  get format(): SessionFormat | undefined {
    return this.#reader?.format;
  }

  /** What places count: lines of the file, or elements of its array. */
  get unit(): "line" | "element" {
    return this.#container === "lines" ? "line" : "element";
  }

  /**
   * Whether a line that cannot be read, counting from 1, is the last, and nothing ends it: then it was cut
   * off, as when the agent was writing it.
   */
  isCutOff(line: number): boolean {
    return this.#isAtEnd && this.unit === "line" && line >= this.#last;
  }

  /**
   * The parts of the file, one after another, of which no more than one is held; in the formats whose
   * first values do not say whose they are, those few.
   *
   * @throws {@link InputError} if it is in no format that turnkeeper reads, or where it does not keep to it;
   * what could be read has been given before
   */
  async *pieces(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<SavedPiece, void, void> {
    try {
      let cutter: Cutter | undefined;
      // Of what waits for something else, each layer costs about as much as reading a piece.
      for await (const chunk of withBeginning(chunks)) {
        cutter ??= this.#start(chunk.subarray(0, BEGINNING));
        for (const piece of cutter.push(chunk)) {
          for (const each of this.#readable(piece)) yield this.#read(each);
        }
      }
      this.#isAtEnd = true;
      for (const piece of cutter!.end()) {
        for (const each of this.#readable(piece)) yield this.#read(each);
      }
      this.#isAtEnd = false;
      if (!this.#reader) throw this.#unknown();
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      yield* this.#readableRest();
      throw this.#isStrange ? new InputError(this.file, error.message, error.line, true) : error;
    }
    yield* this.#rest();
  }

  /**
   * An object of which nothing could be read is somebody's settings rather than a session: those may have
   * comments. So is text that begins with a bracket and goes on otherwise than records do. A line that breaks
   * off at once is a session that has just begun.
   */
  get #isStrange(): boolean {
    if (this.#reader !== undefined) return false;
    return (this.#container === "object" && !this.#hasValue) || !this.#beginsWithRecord;
  }

  /** What cuts a file that begins so. */
  #start(beginning: Uint8Array): Cutter {
    this.#container = containerOf(this.file, beginning);
    this.#beginsWithRecord = this.#container === "markdown" || beginsWithRecord(beginning);
    this.#recogniser = new Recogniser(this.#container);
    return cutterOf(this.#container, this.file);
  }

  /** The pieces that can be read once another has come: those that waited for the format, and itself. */
  #readable(piece: Piece): readonly Piece[] {
    const { value } = piece;
    if (value) this.#last = value.place;
    this.#hasValue ||= value?.isElement === true;
    if (this.#reader) return [piece];
    this.#waiting.push(piece);
    if (!value) return [];
    this.#reader = this.#recogniser!.look(value);
    if (this.#reader) {
      this.#usage = usageReader(this.#reader.format);
      this.#holder = value.key;
      return this.#waiting.splice(0);
    }
    this.#looked += 1;
    this.#held += piece.bytes.length;
    if (this.#looked > LOOKED_AT || this.#held > LONGEST_LINE) throw this.#unknown();
    return [];
  }

  /** The rest of a file that is broken anyway. */
  *#readableRest(): Generator<SavedPiece, void, void> {
    try {
      yield* this.#rest();
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
    }
  }

  /** What the reader holds back until it has seen what follows. */
  *#rest(): Generator<SavedPiece, void, void> {
    let record: SavedRecord | undefined;
    try {
      record = this.#reader?.end?.();
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      throw new InputError(this.file, `ends with what cannot be read: it ${error.message}`);
    }
    if (record) yield { bytes: new Uint8Array(), record };
  }

  #read({ bytes, value }: Piece): SavedPiece {
    if (!value) return { bytes };
    if (!this.#isPart(value)) {
      if (value.isElement) return { bytes };
      const facts = this.#reader!.property?.(value.key!, value.json);
      return facts ? { bytes, record: { place: 0, items: [], ...facts } } : { bytes };
    }
    try {
      const record = { place: value.place, ...this.#reader!.read(value.json, value.place) };
      this.#addRecorded(record, value.json);
      return { bytes, record };
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      if (this.unit === "line") throw new InputError(this.file, error.message, value.place);
      throw new InputError(this.file, `element ${value.place}: it ${error.message}`);
    }
  }

  /** Adds when the value was written, and what it records of tokens and money. */
  #addRecorded(record: SavedRecord, json: unknown): void {
    const time = timeOf(json);
    if (time !== undefined) record.time = time;
    const usage = this.#usage?.read(json);
    if (usage === undefined || usage.length === 0) return;
    if (time !== undefined) for (const each of usage) each.time ??= time;
    record.usage = usage;
  }

  /** Of an object, the elements under the key that holds the session. */
  #isPart({ key, isElement }: PieceValue): boolean {
    return this.#container !== "object" || (isElement && key === this.#holder);
  }

  #unknown(): InputError {
    const values = this.#waiting.filter(({ value }) => value);
    if (values.length === 0) return new InputError(this.file, "has no events");
    const { json, place } = values.at(-1)!.value!;
    if (this.#container === "object") {
      const keys = [...new Set(values.map(({ value }) => value!.key!))].slice(0, 8);
      const names = JSON.stringify(keys).slice(1, -1);
      return this.#noFormat(`it is an object with ${names}`);
    }
    const kind = Array.isArray(json) ? "an array" : json === null ? "null" : `a ${typeof json}`;
    const keys =
      typeof json === "object" && json !== null && !Array.isArray(json)
        ? `an object with ${JSON.stringify(Object.keys(json).slice(0, 8)).slice(1, -1) || "no keys"}`
        : kind;
    return this.#noFormat(`${this.unit} ${place} is ${keys}`);
  }

  #noFormat(what: string): InputError {
    const message = `is in no format that turnkeeper reads: ${what}`;
    return new InputError(this.file, message, undefined, true);
  }
}

/** The same bytes; those that show how a file is built come together. */
async function* withBeginning(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, void> {
  let held: Uint8Array[] | undefined = [];
  let length = 0;
  for await (const chunk of chunks) {
    if (held === undefined) {
      yield chunk;
      continue;
    }
    held.push(chunk);
    length += chunk.length;
    if (length < BEGINNING) continue;
    yield joined(held);
    held = undefined;
  }
  if (held !== undefined) yield joined(held);
}
