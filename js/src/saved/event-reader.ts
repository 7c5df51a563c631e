import type { AgentEvent } from "../boundary/generated/shapes.js";
import { EVENT_TYPES } from "../messages/events.js";

import { fields } from "./fields.js";
import { refuseDeep } from "./messages.js";
import { type RecordReader, type SavedRecord, Unreadable } from "./saved-session.js";

const TYPES = new Set<string>(EVENT_TYPES);

/** Whether it is an event as the detector takes it, or the line that starts a prompt. */
export function isEventLine(value: unknown): boolean {
  const { type } = fields(value);
  return typeof type === "string" && (TYPES.has(type) || type === "prompt_started");
}

/** Takes lines as they are: whether each is an event is for the detector to say. */
export class EventReader implements RecordReader {
  readonly format = "events";

  read(value: unknown): Omit<SavedRecord, "place"> {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw new Unreadable("is not an event: a JSON object with a type is needed");
    }
    refuseDeep(value);
    return { items: [{ event: value as AgentEvent }] };
  }
}
