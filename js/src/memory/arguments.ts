// The arguments of a summary injector on their way to the core, which says what is wrong with them.

import {
  checkObject,
  checkString,
  invalidArgument,
  optional,
  refusal,
} from "../boundary/arguments.js";
import { type PlainValue, plainValue } from "../boundary/plain-value.js";

const MACHINE = "summary_injector";
/** Arguments of one call that have more UTF-16 code units than this are refused. */
const MOST_UNITS = 128 * 1024 * 1024;
/** The same for a message as JSON, which the module parses: that takes several times its memory. */
const MOST_OF_MESSAGE = 32 * 1024 * 1024;

/** An argument as plain data. @throws `limit_exceeded` for texts that fill too much memory together */
export function argument(given: unknown, field: string): PlainValue {
  const plain = plainValue(MACHINE, field, given);
  if (unitsOf(plain) <= MOST_UNITS) return plain;
  throw refusal("limit_exceeded", MACHINE, undefined, "the text fills more than 256 MB");
}

function unitsOf(plain: PlainValue): number {
  if (typeof plain === "string") return plain.length;
  if (typeof plain !== "object" || plain === null) return 0;
  return Object.values(plain).reduce<number>((sum, inner) => sum + unitsOf(inner), 0);
}

/** The parts of a prompt. @throws `limit_exceeded` for one as long as no message may be */
export function promptParts(parts: unknown): PlainValue {
  const plain = plainValue(MACHINE, "parts", parts);
  for (const [name, text] of Object.entries(plain ?? {})) checkLength(text, `parts.${name}`);
  return plain;
}

/** A text that a prompt gets. */
export function promptText(text: unknown, field: string): string {
  checkString(MACHINE, text, field);
  checkLength(text, field);
  return text;
}

function checkLength(text: unknown, field: string, as = ""): void {
  if (typeof text !== "string" || text.length <= MOST_OF_MESSAGE) return;
  const must = `must have at most ${MOST_OF_MESSAGE} UTF-16 code units${as}`;
  throw refusal("limit_exceeded", MACHINE, field, must);
}

/** Without the numbers that no turn has: a model chose them. */
export function turnsAmong(numbers: unknown): unknown {
  if (!Array.isArray(numbers)) return numbers;
  return numbers.filter((number) => typeof number !== "number" || isTurn(number));
}

function isTurn(number: number): boolean {
  return number > 0 && Number.isSafeInteger(number);
}

/** The number of a turn, if one is given. */
export function turnNumber(given: unknown, field: string): number | undefined {
  const turn = optional(MACHINE, given, "number", field);
  if (turn === undefined || isTurn(turn)) return turn;
  throw invalidArgument(MACHINE, field, "must be the number of a turn");
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
  checkLength(json, place, " as JSON");
  return json;
}

/** A model's answer as plain data; `null` for what is none, since a model may answer anything. */
export function answerOf(answer: unknown): PlainValue {
  try {
    return answer === undefined ? null : plainValue(MACHINE, "answer", answer);
  } catch {
    return null;
  }
}
