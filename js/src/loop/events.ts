// Errors about the events of a conversation that a host gives.

import { invalidArgument, oneOf } from "../boundary/arguments.js";
import { TurnkeeperError } from "../boundary/errors.js";
import { EVENT_FIELDS, EVENT_TYPES } from "../boundary/generated/shapes.js";

const MACHINE = "loop_detector";

/** @throws `invalid_argument` for a field that no event has; of something that is no event at all, that is the type */
export function checkFields(event: object): void {
  for (const name in event) {
    if (EVENT_FIELDS.includes(name)) continue;
    const { type } = event as { type?: unknown };
    if (!(EVENT_TYPES as readonly unknown[]).includes(type)) throw unknownType();
    const must = `is no field of an event; ${oneOf(EVENT_FIELDS)} are`;
    throw invalidArgument(MACHINE, `event.${name}`, must);
  }
}

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
