// The events of a conversation as a host gives them: their fields, read once, and what is wrong with them.

import {
  checkLength,
  invalidArgument,
  oneOf,
  read,
  readOptional,
  unreadable,
} from "../boundary/arguments.js";
import { TurnkeeperError, isA } from "../boundary/errors.js";
import type { AgentEvent } from "../boundary/generated/shapes.js";
import { textOf } from "../messages/tool-output.js";

const MACHINE = "loop_detector";

/** A result. */
export interface ResultFields {
  readonly id: string | undefined;
  /** What the tool said, not put together yet: a string or parts. */
  readonly output: string | readonly unknown[];
  readonly isError: boolean;
  readonly exitCode: number | undefined;
}

/** @throws `invalid_argument` */
export function resultFields(event: object): ResultFields {
  const output = read(MACHINE, event, "output", "event");
  if (typeof output !== "string" && !isArray(output)) {
    throw invalidArgument(MACHINE, "event.output", "must be a string or an array of parts");
  }
  if (typeof output !== "string") checkLength(MACHINE, output, "event.output");
  return {
    output,
    id: readOptional(MACHINE, event, "id", "string", "event"),
    isError: readOptional(MACHINE, event, "isError", "boolean", "event") ?? false,
    exitCode: readOptional(MACHINE, event, "exitCode", "number", "event"),
  };
}

/** The text of a result's output. */
export function outputText(output: ResultFields["output"]): string {
  return typeof output === "string" ? output : textOf(output);
}

/** What the host's own detector said. @throws `invalid_argument` */
export function loopReportFields(event: object): { by?: string; detail?: string } {
  return {
    by: readOptional(MACHINE, event, "by", "string", "event"),
    detail: readOptional(MACHINE, event, "detail", "string", "event"),
  };
}

/** The error of an event whose `type` is none, which says what it may be. */
export function unknownType(): TurnkeeperError {
  const types: Record<AgentEvent["type"], true> = {
    text: true,
    reasoning: true,
    tool_call: true,
    tool_result: true,
    turn_started: true,
    user_message: true,
    finished: true,
    condensation: true,
    retry: true,
    loop_reported: true,
    other: true,
  };
  return invalidArgument(MACHINE, "event.type", `must be ${oneOf(Object.keys(types))}`);
}

/** The error of an event as that of a list's item: `event.text` becomes `events[3].text`. */
export function ofItem(error: unknown, at: number): unknown {
  const field = isA(error, TurnkeeperError) ? error.detail?.field : undefined;
  if (!isA(error, TurnkeeperError) || field === undefined || !/^event\b/.test(field)) {
    return error;
  }
  const named = field.replace(/^event/, `events[${at}]`);
  return new TurnkeeperError({
    ...error,
    message: error.message.replace(field, named),
    detail: { ...error.detail, field: named },
    cause: error.cause,
  });
}

/** An array that a proxy stands for may have been revoked. */
function isArray(value: unknown): value is readonly unknown[] {
  try {
    return Array.isArray(value);
  } catch (error) {
    throw unreadable(MACHINE, "event.output", error);
  }
}
