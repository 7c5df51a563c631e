// Trajectories in ATIF, the format that benchmark runs are exchanged in: one object with `schema_version`
// ("ATIF-v1.x"), `agent` (`model_name`) and `steps`. Read are of a step `source`, `message`,
// `reasoning_content`, `model_name`, `tool_calls` (`tool_call_id`, `function_name`, `arguments`) and
// `observation.results` (`source_call_id`, `content`). What subagents did is in trajectories of their own.

import type { AgentEvent } from "../boundary/generated/shapes.js";

import { fields, list, text, type Fields } from "./fields.js";
import { callEvent, events, plain, resultEvent } from "./messages.js";
import {
  Unreadable,
  type ReadRecord,
  type RecordReader,
  type SavedItem,
  type SessionFacts,
} from "./saved-session.js";

/** Whether it is a step of such a trajectory. */
export function isAtifStep(value: unknown): boolean {
  const { step_id, source } = fields(value);
  const isSource = source === "user" || source === "agent" || source === "system";
  return typeof step_id === "number" && isSource;
}

/** Reads a trajectory in ATIF. */
export class AtifReader implements RecordReader {
  readonly format = "atif";

  read(value: unknown): ReadRecord {
    if (!isAtifStep(value)) throw new Unreadable("is no step: no step_id and source");
    const step = fields(value);
    const model = text(step.model_name);
    return { items: itemsOf(step), ...(model !== undefined && { model }) };
  }

  property(key: string, value: unknown): SessionFacts {
    const model = key === "agent" ? text(fields(value).model_name) : undefined;
    return model === undefined ? {} : { model };
  }
}

function itemsOf(step: Fields): SavedItem[] {
  const words = plain(step.message);
  const results = list(fields(step.observation).results).map(fields).map(resultOf);
  if (step.source === "agent") {
    const thought = text(step.reasoning_content) ?? "";
    const calls = list(step.tool_calls)
      .map(fields)
      .map((call) => callEvent(call.tool_call_id, call.function_name, call.arguments));
    return events(
      { type: "turn_started" },
      ...(thought === "" ? [] : [{ type: "reasoning", text: thought } as const]),
      ...(words === "" ? [] : [{ type: "text", text: words } as const]),
      ...calls,
      ...results,
    );
  }
  const said: SavedItem =
    step.source === "user"
      ? { event: { type: "user_message" }, said: { kind: "user", text: words } }
      : { event: { type: "other" }, said: { kind: "system", text: words } };
  return [said, ...events(...results)];
}

function resultOf({ source_call_id, content }: Fields): AgentEvent {
  return resultEvent(source_call_id, plain(content));
}
