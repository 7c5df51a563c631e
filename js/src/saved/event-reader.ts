import type { AgentEvent } from "../boundary/generated/shapes.js";
import { EVENT_TYPES } from "../messages/events.js";
import { fields } from "../messages/fields.js";
import { refuseDeep } from "./items.js";
import { Unreadable, type RecordReader } from "./saved-session.js";

const TYPES = new Set<unknown>([...EVENT_TYPES, "prompt_started"]);

/** Whether it is an event as the detector takes it, or the line that starts a prompt. */
export function isEventLine(value: unknown): boolean {
  return TYPES.has(fields(value).type);
}

/** Takes lines as they are: whether each is an event is for the detector to say. */
export const EVENTS: RecordReader = {
  format: "events",

  read(value) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw new Unreadable("is not an event: a JSON object with a type is needed");
    }
    refuseDeep(value);
    return { items: [{ event: value as AgentEvent }] };
  },
};
