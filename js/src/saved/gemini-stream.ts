// What `gemini -p … --output-format stream-json` prints: events of `packages/core/src/output/types.ts`
// of gemini-cli. Read are `init` (`model`), `message` (`role`, `content`), `tool_use` (`tool_name`,
// `tool_id`, `parameters`), `tool_result` (`tool_id`, `status`, `output`, `error`), `error` (`message`)
// and `result`. There is no thinking in it, and it does not say when the history was compressed.

import { loopFoundIn } from "../messages/gemini/parts.js";
import type { AgentEvent } from "../boundary/generated/shapes.js";

import { fields, text, type Fields } from "./fields.js";
import { callEvent, identified } from "./messages.js";
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
    switch (event.type) {
      case "init":
        return { items: [], model: event.model as string };
      case "message":
        return { items: this.#said(event.role as string, event.content as string) };
      case "tool_use":
        return {
          items: this.#models(callEvent(event.tool_id, event.tool_name, event.parameters)),
        };
      case "tool_result":
        this.#isModelsTurn = false;
        return { items: [{ event: resultOf(event) }] };
      case "error": {
        const text = event.message as string;
        const verdict = loopFoundIn(text) ?? ({ type: "other" } as const);
        const said = { kind: "system", text } as const;
        return { items: [{ event: verdict, said }] };
      }
      default:
        return { items: [{ event: { type: "finished" } }] };
    }
  }

  #said(role: string, content: string): SavedItem[] {
    if (role === "assistant") return this.#models({ type: "text", text: content });
    this.#isModelsTurn = false;
    return [{ event: { type: "user_message" }, said: { kind: "user", text: content } }];
  }

  /** A turn starts with the first thing that the model says after the user or a tool. */
  #models(event: AgentEvent): SavedItem[] {
    const isFirst = !this.#isModelsTurn;
    this.#isModelsTurn = true;
    return isFirst ? [{ event: { type: "turn_started" } }, { event }] : [{ event }];
  }
}

function resultOf({ tool_id, status, output, error }: Fields): AgentEvent {
  return {
    type: "tool_result",
    ...identified(tool_id),
    output: text(output) ?? text(fields(error).message) ?? "",
    ...(status === "error" && { isError: true }),
  };
}
