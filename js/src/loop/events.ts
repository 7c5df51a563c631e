// Errors about the events of a conversation that a host gives.

import { invalidArgument, oneOf } from "../boundary/arguments.js";
import { TurnkeeperError } from "../boundary/errors.js";
import { EVENT_TYPES } from "../messages/events.js";

const MACHINE = "loop_detector";

/** The error of an event whose `type` is none, which says what it may be. */
export function unknownType(): TurnkeeperError {
  return invalidArgument(MACHINE, "event.type", `must be ${oneOf(EVENT_TYPES)}`);
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
