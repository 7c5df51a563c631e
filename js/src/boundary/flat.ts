// Values on their way into Wasm memory, as `src/base/json/flat.rs` reads them: without escapes, and with the number of
// what follows before each list.

import { refusal } from "./arguments.js";
import { bytes, KEPT, LARGEST, putUtf8, refresh } from "./byte-buffer.js";
import { CallTag } from "./generated/shapes.js";

/** Values that are nested deeper are left out. */
const DEEPEST = 1_000;
/** Of a value with more objects and items than this, the rest is left out: one may hold itself. */
const MOST_VALUES = 1_000_000;
/** Up to this many units a loop beats the call of a native function (measured on Node 20). */
const SHORT = 40;
/** The bytes of a count. */
const COUNT = 4;

const double = new Float64Array(1);
const bytesOfDouble = new Uint8Array(double.buffer);

let at = 0;
let values = 0;
let writer = "";
let how: FlatOptions = {};

export interface FlatOptions {
  /** A name of an object that holds bytes, another one for other bytes; undefined for any other object. */
  nameOfBytes?: (value: object) => string | undefined;
  /** Whether a field that is undefined is left out, as in JSON. */
  leavesOutUndefined?: boolean;
}

/**
 * Writes a value into the byte buffer, calls `take` with its length, and returns the answer. What JSON does not
 * hold is null.
 *
 * @throws `limit_exceeded`, as `machine`, for a value of more than 256 MB.
 */
export function sendFlat<T>(
  machine: string,
  value: unknown,
  take: (length: number) => T,
  options: FlatOptions = {},
): T {
  if (bytes.byteLength === 0) refresh(KEPT);
  at = 0;
  values = 0;
  writer = machine;
  how = options;
  try {
    putValue(value, 0);
    return take(at);
  } finally {
    if (bytes.length > KEPT) refresh(KEPT);
  }
}

function reserve(length: number): void {
  if (at + length <= bytes.length) return;
  if (at + length > LARGEST) {
    throw refusal("limit_exceeded", writer, "message", "fills more than 256 MB");
  }
  refresh(Math.min(LARGEST, Math.max(bytes.length * 2, at + length)));
}

function putValue(value: unknown, depth: number): void {
  switch (typeof value) {
    case "string":
      putTag(CallTag.Text);
      return putText(value);
    case "number":
      return putNumber(value);
    case "boolean":
      return putTag(value ? CallTag.True : CallTag.False);
    case "object":
      return putObject(value, depth);
    default:
      return putTag(CallTag.Null);
  }
}

function putTag(tag: number): void {
  reserve(1);
  bytes[at++] = tag;
}

function putCount(count: number): void {
  reserve(COUNT);
  writeCount(at, count);
  at += COUNT;
}

function writeCount(place: number, count: number): void {
  bytes[place] = count & 0xff;
  bytes[place + 1] = (count >> 8) & 0xff;
  bytes[place + 2] = (count >> 16) & 0xff;
  bytes[place + 3] = count >>> 24;
}

function putNumber(value: number): void {
  if (!Number.isFinite(value)) return putTag(CallTag.Null);
  putTag(CallTag.Double);
  reserve(bytesOfDouble.length);
  // JSON has no zero below zero.
  double[0] = value + 0;
  bytes.set(bytesOfDouble, at);
  at += bytesOfDouble.length;
}

function putObject(value: object | null, depth: number): void {
  const name = value === null ? undefined : how.nameOfBytes?.(value);
  if (name !== undefined) {
    putTag(CallTag.Text);
    return putText(name);
  }
  if (value === null || depth >= DEEPEST || values > MOST_VALUES || ArrayBuffer.isView(value)) {
    return putTag(CallTag.Null);
  }
  if (Array.isArray(value)) {
    putTag(CallTag.List);
    putCount(value.length);
    values += value.length;
    for (let index = 0; index < value.length; index++) putValue(value[index], depth + 1);
    return;
  }
  const names = Object.keys(value);
  putTag(CallTag.Fields);
  const place = at;
  putCount(0);
  values += names.length;
  let count = 0;
  for (const name of names) {
    const field = (value as Record<string, unknown>)[name];
    if (field === undefined && how.leavesOutUndefined) continue;
    putText(name);
    putValue(field, depth + 1);
    count += 1;
  }
  writeCount(place, count);
}

function putText(text: string): void {
  const { length } = text;
  // Most texts are ASCII, and have as many bytes as units.
  reserve(COUNT + length + COUNT);
  let written = length <= SHORT ? putShort(text) : putUtf8(text, at + COUNT, length);
  if (written !== length) {
    const longest = length * 3;
    reserve(COUNT + longest + COUNT);
    written = putUtf8(text, at + COUNT, longest);
  }
  writeCount(at, written);
  at += COUNT + written;
}

/** Writes a short text, if it is ASCII, and answers with the number of its bytes, or with another number. */
function putShort(text: string): number {
  const { length } = text;
  const target = bytes;
  const start = at + COUNT;
  let all = 0;
  for (let place = 0; place < length; place++) {
    const unit = text.charCodeAt(place);
    all |= unit;
    target[start + place] = unit;
  }
  return all > 0x7f ? -1 : length;
}
