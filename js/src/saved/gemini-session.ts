import { loopFoundIn, resultOfParts, thoughtOf } from "../messages/gemini/parts.js";
import type { AgentEvent } from "../boundary/generated/shapes.js";

import { fields, list, text, type Fields } from "./fields.js";
import { callEvent, plain } from "./messages.js";
import {
  type ReadRecord,
  type RecordReader,
  type SavedItem,
  type SavedRecord,
  Unreadable,
} from "./saved-session.js";

const TYPES = new Set(["user", "gemini", "info", "error", "warning"]);

/** Whether it is a message of a session of gemini-cli (`~/.gemini/tmp/…/chats/session-*.json`). */
export function isGeminiMessage(value: unknown): boolean {
  const { id, type, timestamp } = fields(value);
  return (
    typeof id === "string" &&
    typeof timestamp === "string" &&
    typeof type === "string" &&
    TYPES.has(type)
  );
}

/** Whether it is a line of a session of gemini-cli (`session-*.jsonl`). */
export function isGeminiLine(value: unknown): boolean {
  const { sessionId, projectHash } = fields(value);
  return typeof sessionId === "string" && typeof projectHash === "string";
}

/**
 * Reads a session of gemini-cli. In the newer files, of lines, a message is written again when it
 * grows: the last version counts, of those that follow each other. What was rewound stays.
 */
export class GeminiSessionReader implements RecordReader {
  readonly format = "gemini-cli";
  #waiting: { message: Fields; place: number } | undefined;

  read(value: unknown, place: number): ReadRecord {
    const message = fields(value);
    if (typeof message.$rewindTo === "string") {
      return { items: [...(this.end()?.items ?? []), { event: { type: "condensation" } }] };
    }
    if (!isGeminiMessage(message)) {
      const isKnown = isGeminiLine(message) || typeof message.$set === "object";
      if (!isKnown) throw new Unreadable("is no message: it has no id, type and timestamp");
      return { items: [] };
    }
    const isNewer = this.#waiting?.message.id === message.id;
    const before = isNewer ? undefined : this.end();
    this.#waiting = { message, place };
    return before ?? { items: [] };
  }

  end(): SavedRecord | undefined {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (!waiting) return undefined;
    const { message, place } = waiting;
    const model = text(message.model);
    return { place, items: itemsOf(message), ...(model !== undefined && { model }) };
  }
}

function itemsOf(message: Fields): SavedItem[] {
  const content = plain(message.content);
  if (message.type === "user") {
    return [{ event: { type: "user_message" }, said: { kind: "user", text: content } }];
  }
  if (message.type !== "gemini") {
    const event = loopFoundIn(content) ?? ({ type: "other" } as const);
    return [{ event, said: { kind: "system", text: content } }];
  }
  const events: AgentEvent[] = [{ type: "turn_started" }];
  for (const thought of list(message.thoughts)) events.push(...thoughtOf(fields(thought)));
  if (content !== "") events.push({ type: "text", text: content });
  for (const call of list(message.toolCalls).map(fields)) {
    events.push(callEvent(call.id, call.name, call.args));
    const result = resultOf(call);
    if (result) events.push(result);
  }
  return events.map((event) => ({ event }));
}

function resultOf({ id, result, status, resultDisplay }: Fields): AgentEvent | undefined {
  const isError = status === "error";
  const parts = Array.isArray(result) ? result : result ? [result] : [];
  return resultOfParts(id, parts, resultDisplay ?? (isError ? "" : undefined), isError);
}
