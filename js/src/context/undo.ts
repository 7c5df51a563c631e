// The way back from a history that was repaired.

import { checkArray, checkObject, invalidArgument, isObject } from "../boundary/arguments.js";
import type { TurnkeeperError } from "../boundary/errors.js";
import { nodeBuffer, type NodeBuffer } from "../boundary/node-buffer.js";
import { withField } from "../messages/any.js";
import { difference } from "../messages/difference.js";
import type { ProviderMessage } from "../messages/messages.js";
import type {
  DedupeReport,
  UndoneContent,
  UndoneMessage,
  UndonePart,
  UndoneText,
} from "./report.js";

const MACHINE = "history_deduper";

/** The fields that hold what a message says and calls, by provider. */
const FIELDS = ["content", "parts", "output", "tool_calls", "arguments"] as const;

/** What leads from a message back to what it was before, for each field that changed. */
export function undoOf(index: number, before: object, now: object): UndoneContent[] {
  const changed = FIELDS.filter((name) => valueOf(before, name) !== valueOf(now, name));
  return changed.map((field) => {
    const { length, hash } = Mark.of(valueOf(now, field));
    const content = undoneContent(valueOf(before, field), valueOf(now, field));
    return { index, ...(field !== "content" && { field }), length, hash, content };
  });
}

function valueOf(message: object, field: string): unknown {
  return (message as Record<string, unknown>)[field];
}

function undoneContent(before: unknown, now: unknown): UndoneContent["content"] {
  if (typeof before === "string") return typeof now === "string" ? undoneText(before, now) : before;
  const places = new Map<unknown, number>();
  (now as readonly unknown[]).forEach((part, at) => places.set(part, at));
  return (before as readonly unknown[]).map((part): UndonePart => {
    // What is no object may be equal to another by chance, and is short.
    const kept = isObject(part) ? places.get(part) : undefined;
    return kept === undefined ? { part } : { kept };
  });
}

/** At most this many values of a content are looked at, and this deep: one may hold itself. */
const MOST_VALUES = 100_000;
const DEEPEST = 100;

/** Tells a content from others: how much text it has, and two halves of a hash of its values. */
class Mark {
  length = 0;
  #one = 0x811c9dc5;
  #other = 0x9dc5811c;
  #values = 0;

  static of(content: unknown): Mark {
    const mark = new Mark();
    mark.#add(content, 0);
    return mark;
  }

  get hash(): string {
    const hex = (half: number) => (half >>> 0).toString(16).padStart(8, "0");
    return hex(this.#one) + hex(this.#other);
  }

  #add(value: unknown, depth: number): void {
    if (this.#values++ > MOST_VALUES || depth > DEEPEST) return;
    if (typeof value === "string") this.#addText(value);
    else if (typeof value === "symbol") this.#addText(String(value));
    else if (!isObject(value)) this.#addText(`${(value ?? null) as bigint | null}`);
    else if (ArrayBuffer.isView(value)) this.#addUnit(value.byteLength);
    else if (Array.isArray(value)) for (const one of value) this.#add(one, depth + 1);
    else this.#addFields(value, depth);
  }

  /** Of fields that are not there and of those that JSON leaves out, it is the same. */
  #addFields(value: object, depth: number): void {
    for (const [name, field] of Object.entries(value)) {
      if (field === undefined) continue;
      this.#addText(name);
      this.#add(field, depth + 1);
    }
  }

  /** Four units at a time: both halves are under way at once, and a unit that changes changes its own for certain. */
  #addText(text: string): void {
    const { length } = text;
    this.length += length;
    this.#addUnit(length);
    const whole = length - (length % 4);
    for (let at = 0; at < whole; at += MOST_UNITS) this.#addPairs(text, at, whole);
    for (let at = whole; at < length; at++) this.#one = mixed(this.#one, text.charCodeAt(at));
  }

  /** The units from `at` on, as many as there is room for. To copy them and read two at once is three times as fast. */
  #addPairs(text: string, at: number, end: number): void {
    const units = Math.min(MOST_UNITS, end - at);
    const pairs = units > SHORT ? pairsOf(text.slice(at, at + units)) : undefined;
    let one = this.#one;
    let other = this.#other;
    if (pairs === undefined) {
      for (let next = at; next < at + units; next += 4) {
        one = mixed(one, text.charCodeAt(next) | (text.charCodeAt(next + 1) << 16));
        other = mixed(other, text.charCodeAt(next + 2) | (text.charCodeAt(next + 3) << 16));
      }
    } else {
      for (let next = 0; next < units / 2; next += 2) {
        one = mixed(one, pairs[next]!);
        other = mixed(other, pairs[next + 1]!);
      }
    }
    this.#one = one;
    this.#other = other;
  }

  #addUnit(unit: number): void {
    this.#one = mixed(this.#one, unit);
    this.#other = mixed(this.#other, unit);
  }
}

/** Up to this many units are read one by one. */
const SHORT = 64;
/** At most this many are copied at once. */
const MOST_UNITS = 16 * 1024;

let pairs: Int32Array<ArrayBuffer> | undefined;
let buffer: NodeBuffer | undefined;

/** The units of a text, two in each number. Only Node can copy them. */
function pairsOf(text: string): Int32Array | undefined {
  pairs ??= new Int32Array(MOST_UNITS / 2);
  buffer ??= nodeBuffer(pairs.buffer, 0, pairs.byteLength);
  if (buffer?.ucs2Write === undefined) return undefined;
  buffer.ucs2Write(text, 0, text.length * 2);
  return pairs;
}

/** A half with 32 bits more in it; two that differ never give the same. */
function mixed(half: number, bits: number): number {
  const product = Math.imul(half ^ bits, 0x9e3779b1);
  return (product << 13) | (product >>> 19);
}

/** A copy for somebody who may change it. The parts in it are the host's own. */
export function copyOfUndo({ content, ...rest }: UndoneContent): UndoneContent {
  if (typeof content === "string") return { ...rest, content };
  const copy = Array.isArray(content) ? content.map((part) => ({ ...part })) : { ...content };
  return { ...rest, content: copy };
}

/** Only what differs, so that a report does not hold whole messages. */
function undoneText(before: string, now: string): UndoneText {
  const { start, end } = difference(before, now);
  const was = before.slice(start, before.length - end);
  // A slice keeps the text that it was cut from in memory; a slice of another text does not.
  return { start, end: now.length - end, was: ` ${was}`.slice(1) };
}

/**
 * The history that `dedupeHistory` was given, to the character, from the messages and the report that
 * it answered with. The report may have been JSON in between, and messages may have been added at the
 * end. What is given does not change; messages that were not repaired are handed back as they are.
 *
 * @throws `invalid_argument`, naming the message or the field of the report, for messages that are not
 * those of the report.
 */
export function restoreHistory<M extends ProviderMessage>(
  messages: readonly M[],
  report: DedupeReport,
): M[] {
  checkArray(MACHINE, messages, "messages");
  checkObject(MACHINE, report, "report");
  const restored = [...(messages as readonly M[])];
  const { undo } = report as Partial<DedupeReport>;
  checkArray(MACHINE, undo, "report.undo");
  undo.forEach((one, at) => {
    if (isObject(one) && "message" in one) return putBack(one, restored, `report.undo[${at}]`);
    const {
      index,
      field = "content",
      content,
      ...mark
    } = isObject(one) ? one : ({} as UndoneContent);
    const place = `report.undo[${at}]`;
    const isContent = Array.isArray(content) ? content.every(isObject) : isObject(content);
    if (!FIELDS.includes(field) || (typeof content !== "string" && !isContent)) {
      throw invalidArgument(MACHINE, place, "must have the content that was");
    }
    const message = Number.isInteger(index) ? restored[index] : undefined;
    if (!isObject(message)) throw invalidArgument(MACHINE, place, "is of no message that is there");
    const now = valueOf(message, field);
    const { length, hash } = Mark.of(now);
    if (length !== mark.length || hash !== mark.hash) throw notOfReport(index);
    const was = before(content, now);
    if (was === undefined) {
      throw invalidArgument(MACHINE, place, "must have the content that was of this message");
    }
    restored[index] = withField(message, field, was);
  });
  return restored;
}

/** A message that was removed is where it was. */
function putBack({ index, message }: UndoneMessage, restored: unknown[], place: string): void {
  const isPlace = Number.isInteger(index) && index >= 0 && index <= restored.length;
  if (!isPlace || !isObject(message)) {
    throw invalidArgument(MACHINE, place, "must have a message and the index that it had");
  }
  restored.splice(index, 0, message);
}

/** The content that was, if it can have been made into the one that is there now. */
function before(content: UndoneContent["content"], now: unknown): unknown {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) {
    const { start, end, was } = content;
    const isText = typeof now === "string" && typeof was === "string";
    if (!isText || !(isIndex(start, end + 1) && isIndex(end, now.length + 1))) return undefined;
    return now.slice(0, start) + was + now.slice(end);
  }
  const parts = now as readonly unknown[];
  const isThere = (part: UndonePart): boolean =>
    "kept" in part ? Array.isArray(now) && isIndex(part.kept, now.length) : "part" in part;
  if (!content.every(isThere)) return undefined;
  return content.map((part) => ("kept" in part ? parts[part.kept] : part.part));
}

/** Whether it is an index of something that has that many. */
function isIndex(value: unknown, count: number): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < count;
}

function notOfReport(index: number): TurnkeeperError {
  return invalidArgument(MACHINE, `messages[${index}]`, "is not the message that the report is of");
}
