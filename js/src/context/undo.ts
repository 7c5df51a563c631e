// The way back from a history that was repaired.

import { hashOfContent } from "../../glue/turnkeeper.js";
import { checkArray, checkObject, invalidArgument, isObject } from "../boundary/arguments.js";
import { sendFlat } from "../boundary/flat.js";
import { callFunction } from "../boundary/machine.js";
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
    const hash = hashOf(valueOf(now, field));
    const content = undoneContent(valueOf(before, field), valueOf(now, field));
    return { index, ...(field !== "content" && { field }), hash, content };
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

/** A hash of a value, equal for a copy of it that was JSON in between. */
function hashOf(value: unknown): string {
  const options = { leavesOutUndefined: true };
  return callFunction(MACHINE, () => sendFlat(MACHINE, value, hashOfContent, options));
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
    const given = isObject(one) ? one : ({} as UndoneContent);
    const { index, field = "content", content, hash } = given;
    const place = `report.undo[${at}]`;
    const isContent = Array.isArray(content) ? content.every(isObject) : isObject(content);
    if (!FIELDS.includes(field) || (typeof content !== "string" && !isContent)) {
      throw invalidArgument(MACHINE, place, "must have the content that was");
    }
    const message = Number.isInteger(index) ? restored[index] : undefined;
    if (!isObject(message)) throw invalidArgument(MACHINE, place, "is of no message that is there");
    const now = valueOf(message, field);
    if (hashOf(now) !== hash) {
      throw invalidArgument(
        MACHINE,
        `messages[${index}]`,
        "is not the message that the report is of",
      );
    }
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
