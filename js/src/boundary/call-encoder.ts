// Tool calls on their way into Wasm memory, in the encoding of `src/loop-detector/call/mod.rs`, without
// building JSON on the way. Keys are sorted, unless the core compares their order; then it gets them in
// the order that the object has.

import { refusal } from "./arguments.js";
import * as buffer from "./byte-buffer.js";
import { CallTag, MAX_ARGUMENT_DEPTH, type DetectorSettings } from "./generated/shapes.js";

/** Of arguments with more objects and items than this, the rest is cut. */
const MOST_VALUES = 1_000_000;
/** Of objects with more keys than this, the sorted keys are not remembered. */
const MOST_KEYS_REMEMBERED = 64;

const DETECTOR = "loop_detector";
const ARGUMENTS = { machine: DETECTOR, field: "event.args", must: "fill more than 256 MB" };

let sortsKeys = true;
/** The number of objects and items that the arguments have had so far. */
let values = 0;
/** Whether some of the arguments were cut. */
let isCut = false;

/**
 * Writes a call into the byte buffer, calls `take` with its length and with the end of what goes along
 * with it, and returns the answer.
 *
 * Arguments that JSON does not hold (values nested more than 127 deep, functions, bigints), and all after a
 * million values, are marked as cut: such calls are equal if the rest is, and never equal to one that was read
 * whole.
 *
 * `key` is what identifies the call to its tool, if the host knows it.
 *
 * @throws `limit_exceeded` for a name, an id and a key of more than 64 MB together, and for arguments of more than
 * 256 MB.
 */
export function sendCall(
  name: string,
  key: string | undefined,
  args: unknown,
  id: string | undefined,
  settings: DetectorSettings,
  take: (length: number, end: number) => number,
): number {
  if (name.length + (id?.length ?? 0) + (key?.length ?? 0) > buffer.LARGEST / 4) {
    const must = "with the id and the key fills more than 64 MB";
    throw refusal("limit_exceeded", DETECTOR, "event.name", must);
  }
  buffer.begin(ARGUMENTS);
  sortsKeys = !settings.needsKeyOrder;
  putString(name);
  if (key !== undefined) {
    buffer.putByte(CallTag.Key);
    putString(key);
  }
  putArguments(args);
  const length = buffer.at;
  const isSpelt = settings.needsSpelling && typeof args === "string";
  if (settings.needsResults || isSpelt) putString(id ?? "");
  if (isSpelt) putSpelling(args);
  return buffer.taken((end) => take(length, end));
}

/** Of a string that has no room, its beginning and its length stand for it. */
function putSpelling(text: string): void {
  const room = (buffer.LARGEST - buffer.at) >> 2;
  putString(text.length <= room ? text : `${text.slice(0, room >> 1)}…${text.length}`);
}

/** Writes a result into the byte buffer, calls `take` with its length, and returns the answer. */
export function sendResult(
  id: string,
  output: string,
  isError: boolean,
  exitCode: number | undefined,
  take: (length: number) => number,
): number {
  beginTexts(DETECTOR, (id.length + output.length + buffer.KEPT) * 2);
  putString(id);
  putString(output);
  buffer.putByte(isError ? CallTag.True : CallTag.False);
  if (exitCode !== undefined) putValue(exitCode, 0);
  return buffer.taken(take);
}

/**
 * Writes strings into the byte buffer, calls `take` with their length together, and returns the
 * answer.
 *
 * @throws `limit_exceeded` for more than 256 MB.
 */
export function sendTexts<T>(
  machine: string,
  texts: readonly string[],
  take: (length: number) => T,
): T {
  let longest = 0;
  for (const text of texts) longest += 9 + text.length * 2;
  beginTexts(machine, longest);
  texts.forEach(putString);
  return buffer.taken(take);
}

function beginTexts(machine: string, longest: number): void {
  buffer.begin({ machine, must: "the text fills more than 256 MB" });
  if (longest > buffer.LARGEST) throw buffer.tooMuch();
}

function putArguments(args: unknown): void {
  values = 0;
  if (args === undefined) return buffer.putByte(CallTag.None);
  if (typeof args !== "string") return putValue(args, 0);
  const start = buffer.at;
  isCut = false;
  try {
    putValue(JSON.parse(args) as unknown, 0);
    if (!isCut) return;
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
  }
  // Any other text, and JSON that is nested too deep to be read, stands for itself.
  buffer.moveTo(start);
  putString(args);
}

function putValue(value: unknown, depth: number): void {
  switch (typeof value) {
    case "string":
      return putString(value);
    case "number":
      return Number.isFinite(value) ? putNumber(value) : buffer.putByte(CallTag.Null);
    case "boolean":
      return buffer.putByte(value ? CallTag.True : CallTag.False);
    case "object":
      return value === null ? buffer.putByte(CallTag.Null) : putObject(value, depth);
    case "undefined":
      return buffer.putByte(CallTag.Null);
    default:
      return putCut(typeof value === "symbol" ? String(value) : `${value as bigint}`);
  }
}

function putNumber(value: number): void {
  const digits = `${value}`;
  buffer.putByte(CallTag.Number);
  buffer.putByte(digits.length);
  for (let place = 0; place < digits.length; place++) buffer.putByte(digits.charCodeAt(place));
}

/** What was not read whole, with what could be read of it. */
function putCut(read: string | null): void {
  isCut = true;
  buffer.putByte(CallTag.Cut);
  if (read === null) buffer.putByte(CallTag.Null);
  else putString(read);
}

function putObject(value: object, depth: number): void {
  values += 1;
  if (depth >= MAX_ARGUMENT_DEPTH || values > MOST_VALUES) return putCut(null);
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === "function") return putValue(toJSON.call(value, "") as unknown, depth + 1);
  if (Array.isArray(value)) return putItems(value, depth);
  buffer.putByte(CallTag.Object);
  for (const key of keysOf(value, depth)) {
    const item = (value as Record<string, unknown>)[key];
    if (item === undefined) continue;
    putString(key);
    putValue(item, depth + 1);
  }
  buffer.putByte(CallTag.ObjectEnd);
}

function putItems(items: readonly unknown[], depth: number): void {
  buffer.putByte(CallTag.Array);
  for (const item of items) {
    if (values++ >= MOST_VALUES) {
      putCut(null);
      break;
    }
    putValue(item, depth + 1);
  }
  buffer.putByte(CallTag.ArrayEnd);
}

/** An object's keys as they came, and by their UTF-16 code units. */
interface Keys {
  readonly given: readonly string[];
  readonly sorted: readonly string[];
}

/** Those of the object that was met last at each depth: tools are called with the same keys again and again. */
const lastKeys: Keys[] = Array.from({ length: MAX_ARGUMENT_DEPTH }, () => ({
  given: [],
  sorted: [],
}));

/** An object's keys in the order in which they are written. */
function keysOf(value: object, depth: number): readonly string[] {
  const given = Object.keys(value);
  if (!sortsKeys) return given;
  const last = lastKeys[depth]!;
  if (isSame(last.given, given)) return last.sorted;
  const sorted = [...given].sort();
  if (given.length <= MOST_KEYS_REMEMBERED) lastKeys[depth] = { given, sorted };
  return sorted;
}

function isSame(these: readonly string[], those: readonly string[]): boolean {
  if (these.length !== those.length) return false;
  for (let place = 0; place < these.length; place++) {
    if (these[place] !== those[place]) return false;
  }
  return true;
}

function putString(text: string): void {
  const { length } = text;
  // The longest that either encoding, or an attempt at one, takes.
  buffer.reserve(1 + buffer.COUNT + length * 2 + buffer.COUNT);
  const start = buffer.at;
  buffer.putByte(CallTag.Ascii);
  if (buffer.putAscii(text)) return;
  buffer.bytes[start] = CallTag.Wide;
  putWide(text);
}

function putWide(text: string): void {
  const { length } = text;
  const start = buffer.at + buffer.COUNT;
  if (length > buffer.SHORT && buffer.bytes.ucs2Write !== undefined) {
    buffer.bytes.ucs2Write(text, start, length * 2);
  } else {
    for (let place = 0; place < length; place++) {
      const unit = text.charCodeAt(place);
      buffer.bytes[start + place * 2] = unit & 0xff;
      buffer.bytes[start + place * 2 + 1] = unit >> 8;
    }
  }
  buffer.writeCount(buffer.at, length);
  buffer.moveTo(start + length * 2);
}
