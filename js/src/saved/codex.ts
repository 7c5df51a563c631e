import { fields } from "../messages/fields.js";
import { condensed, facts } from "./items.js";
import { MessageReader } from "./messages.js";
import { Unreadable, type ReadRecord, type RecordReader } from "./saved-session.js";

const WRAPPED = new Set([
  "session_meta",
  "response_item",
  "event_msg",
  "turn_context",
  "compacted",
  "world_state",
]);

/** Whether it is a line of a rollout of Codex (`~/.codex/sessions/…/rollout-*.jsonl`). */
export function isCodexLine(value: unknown): boolean {
  const line = fields(value);
  if (typeof line.type === "string") return WRAPPED.has(line.type) && line.payload !== undefined;
  // Before September 2025 the first line was bare, and so were the items.
  return (
    typeof line.id === "string" && typeof line.timestamp === "string" && "instructions" in line
  );
}

/** Reads a rollout of Codex. Its `event_msg` lines say again what the items say. */
export class CodexReader implements RecordReader {
  readonly format = "codex";
  readonly #messages = new MessageReader("codex");

  read(value: unknown): ReadRecord {
    const line = fields(value);
    const payload = fields(line.payload);
    switch (line.type) {
      case "session_meta":
      case "turn_context":
        return { items: [], ...facts({ workingDirectory: payload.cwd, model: payload.model }) };
      case "response_item":
        return { items: this.#messages.responseItem(payload), original: payload };
      case "compacted":
        return { items: [condensed()] };
      case "event_msg":
      case "world_state":
        return { items: [] };
    }
    // The bare lines of old.
    if (line.record_type !== undefined || "instructions" in line) return { items: [] };
    if (typeof line.type !== "string") throw new Unreadable("is no line of a rollout: no type");
    return { items: this.#messages.responseItem(line), original: line };
  }
}
