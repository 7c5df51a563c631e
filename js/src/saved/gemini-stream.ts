// What `gemini -p … --output-format stream-json` prints: events of `packages/core/src/output/types.ts`
// of gemini-cli. Read are `init` (`model`), `message` (`role`, `content`), `tool_use` (`tool_name`,
// `tool_id`, `parameters`), `tool_result` (`tool_id`, `status`, `output`, `error`), `error` (`message`)
// and `result`. There is no thinking in it, and it does not say when the history was compressed.

import type { AgentEvent } from "../boundary/generated/shapes.js";
import { answered, called } from "../messages/events.js";
import { fields, text, type Fields } from "../messages/fields.js";
import { loopFoundIn } from "../messages/gemini/parts.js";
import { events, hostSaid, turn, userSaid } from "./items.js";
import { Unreadable, type ReadRecord, type RecordReader, type SavedItem } from "./saved-session.js";

/** What an event of each type has, and those of no other format have not. */
const FIELDS: Record<string, readonly string[]> = {
  init: ["session_id", "model"],
  message: ["role", "content"],
  tool_use: ["tool_name", "tool_id"],
  tool_result: ["tool_id", "status"],
  error: ["severity", "message"],
  result: ["status"],
};

/** Whether it is an event of gemini-cli's stream. */
export function isGeminiStreamEvent(value: unknown): boolean {
  const event = fields(value);
  const { type } = event;
  if (typeof type !== "string" || !Object.hasOwn(FIELDS, type)) return false;
  return ["timestamp", ...FIELDS[type]!].every((name) => typeof event[name] === "string");
}

/** Reads the stream of gemini-cli. */
export class GeminiStreamReader implements RecordReader {
  readonly format = "gemini-stream";
  #isModelsTurn = false;

  read(value: unknown): ReadRecord {
    const event = fields(value);
    // Later versions may say more; what they say already must be whole.
    const isNew = typeof event.type === "string" && !Object.hasOwn(FIELDS, event.type);
    if (isNew) return { items: [{ event: { type: "other" } }] };
    if (!isGeminiStreamEvent(event)) throw new Unreadable("is no event of a stream");
    return event.type === "init"
      ? { items: [], model: event.model as string }
      : { items: this.#items(event) };
  }

  #items(event: Fields): SavedItem[] {
    const { type, content, message } = event as Record<string, string>;
    if (type === "tool_use") {
      return this.#models(called(event.tool_id, event.tool_name, event.parameters));
    }
    if (type === "message" && event.role === "assistant") {
      return this.#models({ type: "text", text: content! });
    }
    if (type === "error") {
      const verdict = loopFoundIn(message);
      return [{ ...hostSaid(message!), ...(verdict && { event: verdict }) }];
    }
    if (type === "result") return [{ event: { type: "finished" } }];
    this.#isModelsTurn = false;
    return type === "message" ? [userSaid(content!)] : events([resultOf(event)]);
  }

  /** A turn starts with the first thing that the model says after the user or a tool. */
  #models(event: AgentEvent): SavedItem[] {
    const isFirst = !this.#isModelsTurn;
    this.#isModelsTurn = true;
    return isFirst ? turn([event]) : events([event]);
  }
}

function resultOf({ tool_id, status, output, error }: Fields): AgentEvent {
  const said = text(output) ?? text(fields(error).message);
  return answered(tool_id, said, { isError: status === "error" });
}
