// Errors about the events of a conversation that a host gives.

import { invalidArgument, oneOf } from "../boundary/arguments.js";
import { TurnkeeperError } from "../boundary/errors.js";
import type { AgentEvent } from "../boundary/generated/shapes.js";
import { EVENT_TYPES } from "../messages/events.js";

const MACHINE = "loop_detector";

/** The fields that an event may have. */
const FIELDS: ReadonlySet<string> = new Set([
  "type",
  "text",
  "id",
  "name",
  "args",
  "key",
  "output",
  "isError",
  "exitCode",
  "by",
  "detail",
] satisfies (AgentEvent extends infer Event
  ? Event extends Event
    ? keyof Event
    : never
  : never)[]);

/** @throws `invalid_argument` for a field that no event has; of something that is no event at all, that is the type */
export function checkFields(event: object): void {
  for (const name in event) {
    if (FIELDS.has(name)) continue;
    const isEvent = (EVENT_TYPES as readonly unknown[]).includes(
      (event as { type?: unknown }).type,
    );
    if (!isEvent) throw unknownType();
    const must = `is no field of an event; ${oneOf([...FIELDS])} are`;
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
