// Sessions of Kimi CLI (`~/.kimi/sessions/<md5 of the folder>/<session>/wire.jsonl`), a message of its wire
// protocol a line: `timestamp` and `message` with `type` and `payload`. Read are `TurnBegin` (`user_input`),
// `StepBegin`, `ContentPart` (`type`, `text`, `think`), `ToolCall` (`id`, `function`), `ToolCallPart`
// (`arguments_part`), `ToolResult` (`tool_call_id`, `return_value` with `is_error` and `output`) and
// `CompactionBegin`. What subagents did (`SubagentEvent`) is left out; what they used is counted.

import { answered, called, said } from "../messages/events.js";
import { fields, text, type Fields } from "../messages/fields.js";
import { condensed, events, plain, userSaid } from "./items.js";
import {
  Unreadable,
  type ReadRecord,
  type RecordReader,
  type SavedItem,
  type SavedRecord,
} from "./saved-session.js";

const TYPES = new Set([
  "TurnBegin",
  "TurnEnd",
  "StepBegin",
  "StepInterrupted",
  "ContentPart",
  "ToolCall",
  "ToolCallPart",
  "ToolResult",
  "StatusUpdate",
  "SubagentEvent",
  "CompactionBegin",
  "CompactionEnd",
  "ApprovalRequest",
  "ApprovalResponse",
]);

/** Whether it is a line of a session of Kimi CLI. */
export function isKimiLine(value: unknown): boolean {
  const { timestamp, message } = fields(value);
  const { type } = fields(message);
  return typeof timestamp === "number" && typeof type === "string" && TYPES.has(type);
}

/** Reads a session of Kimi CLI. A call's arguments come in parts; it is given out when they are whole. */
export class KimiReader implements RecordReader {
  readonly format = "kimi";
  #call: { id: unknown; name: unknown; args: string; place: number } | undefined;

  read(value: unknown, place: number): ReadRecord {
    const line = fields(value);
    const { type, payload } = fields(line.message);
    const told = fields(payload);
    if (type === "ToolCallPart") {
      if (this.#call) this.#call.args += text(told.arguments_part) ?? "";
      return { items: [] };
    }
    if (type === undefined && line.type === undefined) throw new Unreadable("has no message");
    const items = this.end()?.items ?? [];
    if (type === "SubagentEvent") return { items, leftOut: true };
    if (type === "ToolCall") {
      const { name, arguments: args } = fields(told.function);
      this.#call = { id: told.id, name, args: text(args) ?? "", place };
      return { items };
    }
    return { items: [...items, ...itemsOf(type, told)] };
  }

  end(): SavedRecord | undefined {
    const call = this.#call;
    if (!call) return undefined;
    this.#call = undefined;
    return { place: call.place, items: events([called(call.id, call.name, call.args)]) };
  }
}

function itemsOf(type: unknown, told: Fields): SavedItem[] {
  switch (type) {
    case "TurnBegin":
      return [userSaid(plain(told.user_input))];
    case "StepBegin":
      return events([{ type: "turn_started" }]);
    case "ContentPart":
      return events(
        told.type === "think" ? said("reasoning", told.think) : said("text", told.text),
      );
    case "ToolResult": {
      const { is_error, output, message } = fields(told.return_value ?? told.result);
      const words = plain(output) || plain(message);
      return events([answered(told.tool_call_id, words, { isError: is_error === true })]);
    }
    case "CompactionBegin":
      return [condensed()];
    default:
      return [];
  }
}
