// Values on their way into Wasm memory, as `src/base/json/flat.rs` reads them: without escapes, and with the number of
// what follows before each list.

import * as buffer from "./byte-buffer.js";
import { CallTag } from "./generated/shapes.js";

/** Values that are nested deeper are left out. */
const DEEPEST = 1_000;
/** Of a value with more objects and items than this, the rest is left out: one may hold itself. */
const MOST_VALUES = 1_000_000;

const double = new Float64Array(1);
const bytesOfDouble = new Uint8Array(double.buffer);

let values = 0;
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
  buffer.begin({ machine, field: "message", must: "fills more than 256 MB" });
  values = 0;
  how = options;
  try {
    putValue(value, 0);
    return take(buffer.at);
  } finally {
    buffer.release();
  }
}

function putValue(value: unknown, depth: number): void {
  switch (typeof value) {
    case "string":
      buffer.putByte(CallTag.Text);
      return putText(value);
    case "number":
      return putNumber(value);
    case "boolean":
      return buffer.putByte(value ? CallTag.True : CallTag.False);
    case "object":
      return putObject(value, depth);
    default:
      return buffer.putByte(CallTag.Null);
  }
}

function putCount(count: number): void {
  buffer.reserve(buffer.COUNT);
  buffer.writeCount(buffer.at, count);
  buffer.moveTo(buffer.at + buffer.COUNT);
}

function putNumber(value: number): void {
  if (!Number.isFinite(value)) return buffer.putByte(CallTag.Null);
  buffer.putByte(CallTag.Double);
  buffer.reserve(bytesOfDouble.length);
  // JSON has no zero below zero.
  double[0] = value + 0;
  buffer.bytes.set(bytesOfDouble, buffer.at);
  buffer.moveTo(buffer.at + bytesOfDouble.length);
}

function putObject(value: object | null, depth: number): void {
  const name = value === null ? undefined : how.nameOfBytes?.(value);
  if (name !== undefined) {
    buffer.putByte(CallTag.Text);
    return putText(name);
  }
  if (value === null || depth >= DEEPEST || values > MOST_VALUES || ArrayBuffer.isView(value)) {
    return buffer.putByte(CallTag.Null);
  }
  if (Array.isArray(value)) {
    buffer.putByte(CallTag.List);
    putCount(value.length);
    values += value.length;
    for (let index = 0; index < value.length; index++) putValue(value[index], depth + 1);
    return;
  }
  const names = Object.keys(value);
  buffer.putByte(CallTag.Fields);
  const place = buffer.at;
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
  buffer.writeCount(place, count);
}

/** Most texts are ASCII, and have as many bytes as units. */
function putText(text: string): void {
  if (buffer.putAscii(text)) return;
  const longest = text.length * 3;
  buffer.reserve(buffer.COUNT + longest + buffer.COUNT);
  const written = buffer.putUtf8(text, buffer.at + buffer.COUNT, longest);
  buffer.writeCount(buffer.at, written);
  buffer.moveTo(buffer.at + buffer.COUNT + written);
}
