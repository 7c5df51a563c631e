// What a host hands to a summary injector, looked at before it is believed.

import {
  checkArray,
  checkObject,
  checkString,
  invalidArgument,
  refusal,
} from "../boundary/arguments.js";
import { type PlainValue, plainValue } from "../boundary/plain-value.js";
import type { Phase } from "./turn-prompt.js";

const MACHINE = "summary_injector";
/** Arguments of one call that have more UTF-16 code units than this are refused. */
const MOST_UNITS = 128 * 1024 * 1024;
/** The same for a message as JSON, which the module parses: that takes several times its memory. */
const MOST_OF_MESSAGE = 32 * 1024 * 1024;

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

/** A text that a part of a prompt must be. @throws `limit_exceeded` for one as long as no message may be. */
export function partOf(value: unknown, field: string): string {
  checkString(MACHINE, value, field);
  if (value.length <= MOST_OF_MESSAGE) return value;
  const must = `must have at most ${MOST_OF_MESSAGE} UTF-16 code units`;
  throw refusal("limit_exceeded", MACHINE, field, must);
}

/** A list that may be left out, of texts or of numbers. */
export function list(given: unknown, type: "string", field: string): string[];
export function list(given: unknown, type: "number", field: string): number[];
export function list(given: unknown, type: string, field: string): unknown[] {
  const items = given ?? [];
  checkArray(MACHINE, items, field);
  const at = items.findIndex((item) => typeof item !== type);
  if (at >= 0) throw invalidArgument(MACHINE, `${field}[${at}]`, `must be a ${type}`);
  return [...items];
}

/** A summary and its insights. */
export function entryOf(given: object, place: string): { summary: string; insights: string[] } {
  checkObject(MACHINE, given, place);
  const { summary, insights: listed } = given as { summary?: unknown; insights?: unknown };
  checkString(MACHINE, summary, `${place}.summary`);
  const insights = list(listed, "string", `${place}.insights`);
  checkSize([summary, ...insights]);
  return { summary, insights };
}

/** A message or a call as JSON. */
export function stringified(message: object, place = "message"): string {
  checkObject(MACHINE, message, place);
  let json: string;
  try {
    json = JSON.stringify(message) ?? "{}";
  } catch (error) {
    throw invalidArgument(MACHINE, place, "must be what JSON can hold", error);
  }
  if (json.length <= MOST_OF_MESSAGE) return json;
  const must = `must have at most ${MOST_OF_MESSAGE} UTF-16 code units as JSON`;
  throw refusal("limit_exceeded", MACHINE, place, must);
}

/** @throws `invalid_argument`, naming the first field that is not among those. */
export function checkFields(of: object, known: readonly string[], place: string): void {
  for (const [field, value] of Object.entries(of)) {
    if (value === undefined || known.includes(field)) continue;
    const must = `is not a field; there are ${known.join(", ")}`;
    throw invalidArgument(MACHINE, `${place}.${field}`, must);
  }
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
