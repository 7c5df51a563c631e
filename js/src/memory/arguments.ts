// What a host hands to a summary injector, looked at before it is believed.

import {
  MOST_ITEMS,
  checkLength,
  checkObject,
  checkString,
  invalidArgument,
  isArray,
  read,
  refusal,
  unreadable,
} from "../boundary/arguments.js";
import { TurnkeeperError, isA } from "../boundary/errors.js";
import { type PlainValue, plainValue } from "../boundary/plain-value.js";
import type { Phase } from "./turn-prompt.js";

const MACHINE = "summary_injector";
/** Arguments of one call that have more UTF-16 code units than this are refused. */
const MOST_UNITS = 128 * 1024 * 1024;
/** The same for a message as JSON, which the module parses: that takes several times its memory. */
const MOST_OF_MESSAGE = 32 * 1024 * 1024;

/** Whether there is nothing but white space in a text. */
export function isBlank(text: string): boolean {
  return !/[^\s\x85]/.test(text);
}

/** @throws `limit_exceeded` for texts that fill too much memory together. */
export function checkSize(texts: readonly string[]): void {
  const units = texts.reduce((sum, text) => sum + text.length, 0);
  if (units > MOST_UNITS) {
    throw refusal("limit_exceeded", MACHINE, undefined, "the text fills more than 256 MB");
  }
}

/** Whether a number can be that of a turn. */
export function isTurn(number: number): boolean {
  return number > 0 && Number.isSafeInteger(number);
}

/** A text that a part of a prompt must be. */
export function text(parts: object, name: string): string {
  const value = read(MACHINE, parts, name, "parts");
  checkString(MACHINE, value, `parts.${name}`);
  return value;
}

/** The texts of a list that may be left out, or its numbers. */
export function list(of: object, name: string, type: "string", place: string): string[];
export function list(of: object, name: string, type: "number", place: string): number[];
export function list(of: object, name: string, type: string, place: string): unknown[] {
  const given = read(MACHINE, of, name, place) ?? [];
  const field = `${place}.${name}`;
  if (!isArray(given)) throw invalidArgument(MACHINE, field, "must be an array");
  const items: unknown[] = [];
  try {
    for (let at = 0; at < given.length; at++) {
      if (at === MOST_ITEMS) checkLength(MACHINE, given, field);
      items[at] = given[at];
      if (typeof items[at] !== type) {
        throw invalidArgument(MACHINE, `${field}[${at}]`, `must be a ${type}`);
      }
    }
  } catch (error) {
    throw isA(error, TurnkeeperError) ? error : unreadable(MACHINE, field, error);
  }
  return items;
}

/** A summary and its insights. */
export function entryOf(given: object, place: string): { summary: string; insights: string[] } {
  checkObject(MACHINE, given, place);
  const summary = read(MACHINE, given, "summary", place);
  checkString(MACHINE, summary, `${place}.summary`);
  const insights = list(given, "insights", "string", place);
  checkSize([summary, ...insights]);
  return { summary, insights };
}

/** A message as JSON. */
export function stringified(message: { content: unknown }): string {
  checkObject(MACHINE, message, "message");
  let field = "message.content";
  let json: string;
  try {
    json = JSON.stringify(message) ?? "{}";
  } catch (error) {
    try {
      JSON.stringify(message.content);
      field = "message";
    } catch {
      // It is the content that no JSON can hold, or that cannot be read.
    }
    throw unreadable(MACHINE, field, error);
  }
  if (json.length <= MOST_OF_MESSAGE) return json;
  const must = `must have at most ${MOST_OF_MESSAGE} UTF-16 code units as JSON`;
  throw refusal("limit_exceeded", MACHINE, "message", must);
}

/** @throws `invalid_argument`, naming the first field that is not among those. */
export function checkFields(of: object, known: readonly string[], place: string): void {
  let fields: string[];
  try {
    fields = Object.keys(of).filter(
      (field) => !known.includes(field) && (of as Record<string, unknown>)[field] !== undefined,
    );
  } catch (error) {
    throw unreadable(MACHINE, place, error);
  }
  const [unknown] = fields;
  if (unknown === undefined) return;
  const must = `is not a field; there are ${known.join(", ")}`;
  throw invalidArgument(MACHINE, `${place}.${unknown}`, must);
}

/** One of the two phases. @throws `invalid_argument` */
export function phaseOf(phase: unknown, field: string): Phase {
  if (phase === "thinking" || phase === "action") return phase;
  throw invalidArgument(MACHINE, field, "must be thinking or action");
}

/** A model's answer as plain data; `null` for what is none, since a model may answer anything. */
export function answerOf(answer: unknown): PlainValue {
  try {
    return answer === undefined ? null : plainValue(MACHINE, "answer", answer);
  } catch {
    return null;
  }
}
