// Sessions of Kimi CLI (`~/.kimi/sessions/<md5 of the folder>/<session>/wire.jsonl`), a message of its wire
// protocol a line: `timestamp` and `message` with `type` and `payload`. Read are `TurnBegin` (`user_input`),
// `StepBegin`, `ContentPart` (`type`, `text`, `think`), `ToolCall` (`id`, `function`), `ToolCallPart`
// (`arguments_part`), `ToolResult` (`tool_call_id`, `return_value` with `is_error` and `output`) and
// `CompactionBegin`. What subagents did (`SubagentEvent`) is left out; what they used is counted.

import { fields, text, type Fields } from "./fields.js";
import { callEvent, events, plain, resultEvent } from "./messages.js";
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
    const said = fields(payload);
    if (type === "ToolCallPart") {
      if (this.#call) this.#call.args += text(said.arguments_part) ?? "";
      return { items: [] };
    }
    if (type === undefined && line.type === undefined) throw new Unreadable("has no message");
    const items = this.end()?.items ?? [];
    if (type === "SubagentEvent") return { items, leftOut: true };
    if (type === "ToolCall") {
      const { name, arguments: args } = fields(said.function);
      this.#call = { id: said.id, name, args: text(args) ?? "", place };
      return { items };
    }
    return { items: [...items, ...itemsOf(type, said)] };
  }

  end(): SavedRecord | undefined {
    const call = this.#call;
    if (!call) return undefined;
    this.#call = undefined;
    return { place: call.place, items: events(callEvent(call.id, call.name, call.args)) };
  }
}

function itemsOf(type: unknown, said: Fields): SavedItem[] {
  switch (type) {
    case "TurnBegin": {
      const words = plain(said.user_input);
      return [{ event: { type: "user_message" }, said: { kind: "user", text: words } }];
    }
    case "StepBegin":
      return events({ type: "turn_started" });
    case "ContentPart": {
      const thought = text(said.think);
      if (said.type === "think") return thought ? events({ type: "reasoning", text: thought }) : [];
      const words = text(said.text);
      return words ? events({ type: "text", text: words }) : [];
    }
    case "ToolResult": {
      const { is_error, output, message } = fields(said.return_value ?? said.result);
      const words = plain(output) || plain(message);
      return events(resultEvent(said.tool_call_id, words, is_error === true));
    }
    case "CompactionBegin":
      return events({ type: "condensation" });
    default:
      return [];
  }
}
