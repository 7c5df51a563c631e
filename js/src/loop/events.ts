// The events of a conversation as a host gives them: their fields, and what is wrong with them.

import { invalidArgument, oneOf, optional } from "../boundary/arguments.js";
import { TurnkeeperError } from "../boundary/errors.js";
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
export function resultFields(event: { [Name in keyof ResultFields]?: unknown }): ResultFields {
  const { output, id, isError, exitCode } = event;
  if (typeof output !== "string" && !Array.isArray(output)) {
    throw invalidArgument(MACHINE, "event.output", "must be a string or an array of parts");
  }
  return {
    output,
    id: optional(MACHINE, id, "string", "event.id"),
    isError: optional(MACHINE, isError, "boolean", "event.isError") ?? false,
    exitCode: optional(MACHINE, exitCode, "number", "event.exitCode"),
  };
}

/** The text of a result's output. */
export function outputText(output: ResultFields["output"]): string {
  return typeof output === "string" ? output : textOf(output);
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
  if (!(error instanceof TurnkeeperError)) return error;
  const { field } = error.detail ?? {};
  if (field === undefined || !/^event\b/.test(field)) return error;
  const named = field.replace(/^event/, `events[${at}]`);
  return new TurnkeeperError({
    ...error,
    message: error.message.replace(field, named),
    detail: { ...error.detail, field: named },
    cause: error.cause,
  });
}
