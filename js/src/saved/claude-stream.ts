// What `claude -p --output-format stream-json` prints, and the array of the same messages that
// `--output-format json --verbose` does. Read are: of every message `type`, `session_id` and
// `parent_tool_use_id`; of `system` its `subtype` (`init` with `cwd` and `model`, `compact_boundary`);
// of `assistant` and `user` their `message`, which is Anthropic's, and `isSynthetic`; and that there
// is a `result`. The parts of a message that `--include-partial-messages` adds (`stream_event`) come
// again as the whole message and are passed over.

import { fields, text } from "./fields.js";
import { MessageReader } from "./messages.js";
import { Unreadable, type ReadRecord, type RecordReader } from "./saved-session.js";

const TYPES = new Set(["system", "assistant", "user", "result", "stream_event"]);

/** Whether it is a message of Claude Code's stream. Its sessions write `sessionId` instead. */
export function isClaudeStreamMessage(value: unknown): boolean {
  const { type, session_id, message, subtype, event } = fields(value);
  if (typeof session_id !== "string" || typeof type !== "string" || !TYPES.has(type)) return false;
  return message !== undefined || event !== undefined || typeof subtype === "string";
}

/** Reads the stream of Claude Code. What subagents did (`parent_tool_use_id`) is left out. */
export class ClaudeStreamReader implements RecordReader {
  readonly format = "claude-stream";
  readonly #messages = new MessageReader("claude-stream");
  #answer: string | undefined;

  read(value: unknown): ReadRecord {
    const line = fields(value);
    if (typeof line.type !== "string") throw new Unreadable("is no message of a stream: no type");
    if (typeof line.parent_tool_use_id === "string") return { items: [], leftOut: true };
    switch (line.type) {
      case "system":
        return systemRecord(line);
      case "assistant":
      case "user":
        return this.#message(line);
      case "result":
        return { items: [{ event: { type: "finished" } }] };
      default:
        return { items: [] };
    }
  }

  #message(line: Record<string, unknown>): ReadRecord {
    const message = fields(line.message);
    if (message.role !== line.type) throw new Unreadable("has no message with its role");
    // Each block of an answer is printed by itself, with the id of the answer.
    const id = text(message.id);
    const isModels = line.type === "assistant";
    const isNewTurn = !isModels || id === undefined || id !== this.#answer;
    if (isModels) this.#answer = id;
    const items = this.#messages.message(message, isNewTurn).map((item) =>
      // A summary, for example, which Claude Code itself says in the user's name.
      line.isSynthetic === true && item.event.type === "user_message"
        ? { ...item, event: { type: "other" } as const }
        : item,
    );
    return { items, original: message, ...modelOf(message.model) };
  }
}

function systemRecord({ subtype, cwd, model }: Record<string, unknown>): ReadRecord {
  if (subtype === "compact_boundary") return { items: [{ event: { type: "condensation" } }] };
  if (subtype !== "init") return { items: [] };
  const workingDirectory = text(cwd);
  return {
    items: [],
    ...(workingDirectory !== undefined && { workingDirectory }),
    ...modelOf(model),
  };
}

/** Errors of the API are written as answers of a model with a name in brackets. */
export function modelOf(name: unknown): { model?: string } {
  return typeof name === "string" && !name.startsWith("<") ? { model: name } : {};
}
