// Sessions of crush, as its database holds them, a row a line: `{"session": …}` with the columns of the table
// `sessions`, then `{"message": …}` with those of `messages`. Read are `title`, `data_directory` (the
// project's folder, which the database's place tells), `role`, `model`, `is_summary_message`, and of `parts`
// `type` and `data`: `text`, `reasoning` (`thinking`), `tool_call` (`id`, `name`, `input`) and `tool_result`
// (`tool_call_id`, `content`, `is_error`).

import type { AgentEvent } from "../boundary/generated/shapes.js";

import { fields, list, parsed, text, type Fields } from "./fields.js";
import { callEvent, events, plain, resultEvent } from "./messages.js";
import { Unreadable, type ReadRecord, type RecordReader, type SavedItem } from "./saved-session.js";

/** Whether it is a row of a session of crush. */
export function isCrushRow(value: unknown): boolean {
  const { session, message } = fields(value);
  const { prompt_tokens, title } = fields(session);
  const { session_id, parts, role } = fields(message);
  return (
    (prompt_tokens !== undefined && typeof title === "string") ||
    (typeof session_id === "string" && parts !== undefined && typeof role === "string")
  );
}

/** Reads a session of crush. */
export class CrushReader implements RecordReader {
  readonly format = "crush";

  read(value: unknown): ReadRecord {
    const { session, message } = fields(value);
    if (session !== undefined) {
      const { title, directory } = fields(session);
      return {
        items: [],
        ...(typeof title === "string" && title !== "" && { title }),
        ...(typeof directory === "string" && { workingDirectory: directory }),
      };
    }
    const { role, parts, model, is_summary_message } = fields(message);
    if (typeof role !== "string") throw new Unreadable("is no session or message of crush");
    const all = list(typeof parts === "string" ? parsed(parts) : parts).map(fields);
    // A summary goes on in the user's place.
    const summary: SavedItem[] = is_summary_message === 1 ? events({ type: "condensation" }) : [];
    const items = [...summary, ...itemsOf(role, all)];
    return { items, ...(typeof model === "string" && model !== "" && { model }) };
  }
}

function itemsOf(role: string, parts: readonly Fields[]): SavedItem[] {
  const all = parts.flatMap(({ type, data }) => eventsOf(type, fields(data)));
  if (role === "assistant") return events({ type: "turn_started" }, ...all);
  if (role === "tool") return events(...all);
  const words = all.map((event) => (event.type === "text" ? event.text : "")).join("\n");
  return role === "user"
    ? [{ event: { type: "user_message" }, said: { kind: "user", text: words } }]
    : [{ event: { type: "other" }, said: { kind: "system", text: words } }];
}

function eventsOf(type: unknown, data: Fields): AgentEvent[] {
  switch (type) {
    case "text":
      return text(data.text) ? [{ type: "text", text: data.text as string }] : [];
    case "reasoning":
      return text(data.thinking) ? [{ type: "reasoning", text: data.thinking as string }] : [];
    case "tool_call":
      return [callEvent(data.id, data.name, data.input)];
    case "tool_result":
      return [resultEvent(data.tool_call_id, plain(data.content), data.is_error === true)];
    default:
      return [];
  }
}
