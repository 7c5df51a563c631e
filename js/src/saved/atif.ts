// Trajectories in ATIF, the format that benchmark runs are exchanged in: one object with `schema_version`
// ("ATIF-v1.x"), `agent` (`model_name`) and `steps`. Read are of a step `source`, `message`,
// `reasoning_content`, `model_name`, `tool_calls` (`tool_call_id`, `function_name`, `arguments`) and
// `observation.results` (`source_call_id`, `content`). What subagents did is in trajectories of their own.

import { answered, called, said } from "../messages/events.js";
import { fields, objects, type Fields } from "../messages/fields.js";
import { events, facts, hostSaid, plain, turn, userSaid } from "./items.js";
import { Unreadable, type RecordReader, type SavedItem } from "./saved-session.js";

/** Whether it is a step of such a trajectory. */
export function isAtifStep(value: unknown): boolean {
  const { step_id, source } = fields(value);
  const isSource = source === "user" || source === "agent" || source === "system";
  return typeof step_id === "number" && isSource;
}

/** Reads a trajectory in ATIF. */
export const ATIF: RecordReader = {
  format: "atif",

  read(value) {
    if (!isAtifStep(value)) throw new Unreadable("is no step: no step_id and source");
    const step = fields(value);
    return { items: itemsOf(step), ...facts({ model: step.model_name }) };
  },

  property: (key, value) => (key === "agent" ? facts({ model: fields(value).model_name }) : {}),
};

function itemsOf(step: Fields): SavedItem[] {
  const words = plain(step.message);
  const results = objects(fields(step.observation).results).map(({ source_call_id, content }) =>
    answered(source_call_id, plain(content)),
  );
  if (step.source === "user") return [userSaid(words), ...events(results)];
  if (step.source === "system") return [hostSaid(words), ...events(results)];
  const calls = objects(step.tool_calls).map((call) =>
    called(call.tool_call_id, call.function_name, call.arguments),
  );
  const answer = [...said("reasoning", step.reasoning_content), ...said("text", words)];
  return turn([...answer, ...calls, ...results]);
}
