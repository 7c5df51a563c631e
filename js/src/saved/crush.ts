// Sessions of crush, as its database holds them, a row a line: `{"session": …}` with the columns of the table
// `sessions`, then `{"message": …}` with those of `messages`. Read are `title`, `data_directory` (the
// project's folder, which the database's place tells), `role`, `model`, `is_summary_message`, and of `parts`
// `type` and `data`: `text`, `reasoning` (`thinking`), `tool_call` (`id`, `name`, `input`) and `tool_result`
// (`tool_call_id`, `content`, `is_error`).

import type { AgentEvent } from "../boundary/generated/shapes.js";
import { answered, called, said } from "../messages/events.js";
import { fields, objects, parsed, type Fields } from "../messages/fields.js";
import { condensed, events, facts, hostSaid, plain, turn, userSaid } from "./items.js";
import { Unreadable, type RecordReader, type SavedItem } from "./saved-session.js";

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
export const CRUSH: RecordReader = {
  format: "crush",

  read(value) {
    const { session, message } = fields(value);
    if (session !== undefined) {
      const { title, directory } = fields(session);
      return { items: [], ...facts({ title, workingDirectory: directory }) };
    }
    const { role, parts, model, is_summary_message } = fields(message);
    if (typeof role !== "string") throw new Unreadable("is no session or message of crush");
    const items = itemsOf(role, objects(parsed(parts)).flatMap(eventsOf));
    // A summary goes on in the user's place.
    const summary = is_summary_message === 1 ? [condensed()] : [];
    return { items: [...summary, ...items], ...facts({ model }) };
  },
};

function itemsOf(role: string, all: readonly AgentEvent[]): SavedItem[] {
  if (role === "assistant") return turn(all);
  if (role === "tool") return events(all);
  const words = all.map((event) => (event.type === "text" ? event.text : "")).join("\n");
  return [role === "user" ? userSaid(words) : hostSaid(words)];
}

function eventsOf({ type, data }: Fields): AgentEvent[] {
  const { text, thinking, id, name, input, tool_call_id, content, is_error } = fields(data);
  switch (type) {
    case "text":
      return said("text", text);
    case "reasoning":
      return said("reasoning", thinking);
    case "tool_call":
      return [called(id, name, input)];
    case "tool_result":
      return [answered(tool_call_id, plain(content), { isError: is_error === true })];
    default:
      return [];
  }
}
