// Tool calls on their way into Wasm memory, in the encoding of `src/loop-detector/call/mod.rs`, without
// building JSON on the way. Keys are sorted, unless the core compares their order; then it gets them in
// the order that the object has.

import { refusal } from "./arguments.js";
import { bytes, KEPT, LARGEST, putUtf8, refresh } from "./byte-buffer.js";
import { CallTag, MAX_ARGUMENT_DEPTH, type DetectorSettings } from "./generated/shapes.js";

/** Of arguments with more objects and items than this, the rest is cut. */
const MOST_VALUES = 1_000_000;
/** Up to this many units a loop beats the call of a native function (measured on Node 20). */
const SHORT = 40;
/** Of objects with more keys than this, the sorted keys are not remembered. */
const MOST_KEYS_REMEMBERED = 64;

const DETECTOR = "loop_detector";

let at = 0;
let sortsKeys = true;
/** The number of objects and items that the arguments have had so far. */
let values = 0;
/** Whether some of the arguments were cut. */
let isCut = false;

function reserve(length: number): void {
  if (at + length <= bytes.length) return;
  if (at + length > LARGEST) {
    throw refusal("limit_exceeded", DETECTOR, "event.args", "fill more than 256 MB");
  }
  refresh(Math.min(LARGEST, Math.max(bytes.length * 2, at + length)));
}

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
  if (name.length + (id?.length ?? 0) + (key?.length ?? 0) > LARGEST / 4) {
    const must = "with the id and the key fills more than 64 MB";
    throw refusal("limit_exceeded", DETECTOR, "event.name", must);
  }
  begin();
  sortsKeys = !settings.needsKeyOrder;
  putString(name);
  if (key !== undefined) {
    putTag(CallTag.Key);
    putString(key);
  }
  putArguments(args);
  const length = at;
  const isSpelt = settings.needsSpelling && typeof args === "string";
  if (settings.needsResults || isSpelt) putString(id ?? "");
  if (isSpelt) putSpelling(args);
  return taken((end) => take(length, end));
}

/** Of a string that has no room, its beginning and its length stand for it. */
function putSpelling(text: string): void {
  const room = (LARGEST - at) >> 2;
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
  beginTexts(DETECTOR, (id.length + output.length + KEPT) * 2);
  putString(id);
  putString(output);
  putTag(isError ? CallTag.True : CallTag.False);
  if (exitCode !== undefined) putValue(exitCode, 0);
  return taken(take);
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
  return taken(take);
}

function beginTexts(machine: string, longest: number): void {
  begin();
  if (longest > LARGEST) {
    throw refusal("limit_exceeded", machine, undefined, "the text fills more than 256 MB");
  }
}

function begin(): void {
  if (bytes.byteLength === 0) refresh(KEPT);
  at = 0;
}

function taken<T>(take: (length: number) => T): T {
  try {
    return take(at);
  } finally {
    if (bytes.length > KEPT) refresh(KEPT);
  }
}

function putArguments(args: unknown): void {
  values = 0;
  if (args === undefined) return putTag(CallTag.None);
  if (typeof args !== "string") return putValue(args, 0);
  const start = at;
  isCut = false;
  try {
    putValue(JSON.parse(args) as unknown, 0);
    if (!isCut) return;
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
  }
  // Any other text, and JSON that is nested too deep to be read, stands for itself.
  at = start;
  putString(args);
}

function putTag(tag: number): void {
  reserve(1);
  bytes[at++] = tag;
}

function putValue(value: unknown, depth: number): void {
  switch (typeof value) {
    case "string":
      return putString(value);
    case "number":
      return Number.isFinite(value) ? putNumber(value) : putTag(CallTag.Null);
    case "boolean":
      return putTag(value ? CallTag.True : CallTag.False);
    case "object":
      return value === null ? putTag(CallTag.Null) : putObject(value, depth);
    case "undefined":
      return putTag(CallTag.Null);
    default:
      return putCut(typeof value === "symbol" ? String(value) : `${value as bigint}`);
  }
}

function putNumber(value: number): void {
  const digits = `${value}`;
  const length = digits.length;
  reserve(2 + length);
  bytes[at++] = CallTag.Number;
  bytes[at++] = length;
  for (let place = 0; place < length; place++) bytes[at++] = digits.charCodeAt(place);
}

/** What was not read whole, with what could be read of it. */
function putCut(read: string | null): void {
  isCut = true;
  putTag(CallTag.Cut);
  if (read === null) putTag(CallTag.Null);
  else putString(read);
}

function putObject(value: object, depth: number): void {
  values += 1;
  if (depth >= MAX_ARGUMENT_DEPTH || values > MOST_VALUES) return putCut(null);
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === "function") return putValue(toJSON.call(value, "") as unknown, depth + 1);
  if (Array.isArray(value)) return putItems(value, depth);
  putTag(CallTag.Object);
  for (const key of keysOf(value, depth)) {
    const item = (value as Record<string, unknown>)[key];
    if (item === undefined) continue;
    putString(key);
    putValue(item, depth + 1);
  }
  putTag(CallTag.ObjectEnd);
}

function putItems(items: readonly unknown[], depth: number): void {
  putTag(CallTag.Array);
  for (const item of items) {
    if (values++ >= MOST_VALUES) {
      putCut(null);
      break;
    }
    putValue(item, depth + 1);
  }
  putTag(CallTag.ArrayEnd);
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
  const length = text.length;
  // The longest that either encoding, or an attempt at one, takes.
  reserve(9 + length * 2);
  if (!putAscii(text, length)) putWide(text, length);
}

/** Writes an ASCII string, or nothing and answers `false`. */
function putAscii(text: string, length: number): boolean {
  const start = at + 5;
  if (length <= SHORT) {
    const target = bytes;
    let all = 0;
    for (let place = 0; place < length; place++) {
      const unit = text.charCodeAt(place);
      all |= unit;
      target[start + place] = unit;
    }
    if (all > 0x7f) return false;
  } else {
    // A look at both ends and the middle spares most other strings the attempt.
    const probe = text.charCodeAt(0) | text.charCodeAt(length >> 1) | text.charCodeAt(length - 1);
    if (probe > 0x7f) return false;
    if (putUtf8(text, start, length) !== length) return false;
  }
  putHead(CallTag.Ascii, length);
  at = start + length;
  return true;
}

function putWide(text: string, length: number): void {
  const start = at + 5;
  if (length > SHORT && bytes.ucs2Write !== undefined) {
    bytes.ucs2Write(text, start, length * 2);
  } else {
    for (let place = 0; place < length; place++) {
      const unit = text.charCodeAt(place);
      bytes[start + place * 2] = unit & 0xff;
      bytes[start + place * 2 + 1] = unit >> 8;
    }
  }
  putHead(CallTag.Wide, length);
  at = start + length * 2;
}

function putHead(tag: number, length: number): void {
  bytes[at] = tag;
  bytes[at + 1] = length & 0xff;
  bytes[at + 2] = (length >> 8) & 0xff;
  bytes[at + 3] = (length >> 16) & 0xff;
  bytes[at + 4] = length >>> 24;
}
