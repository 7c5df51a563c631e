import type { AgentEvent } from "../boundary/generated/shapes.js";
import { usersWordsIn } from "../messages/authors.js";
import { called, said } from "../messages/events.js";
import { fields, list, objects, type Fields } from "../messages/fields.js";
import { loopFoundIn, resultOfParts, thoughtOf } from "../messages/gemini/parts.js";
import { condensed, facts, hostSaid, plain, turn, userSaid } from "./items.js";
import {
  Unreadable,
  type ReadRecord,
  type RecordReader,
  type SavedItem,
  type SavedRecord,
} from "./saved-session.js";

const TYPES = new Set<unknown>(["user", "gemini", "info", "error", "warning"]);

/** Whether it is a message of a session of gemini-cli (`~/.gemini/tmp/…/chats/session-*.json`). */
export function isGeminiMessage(value: unknown): boolean {
  const { id, type, timestamp } = fields(value);
  return typeof id === "string" && typeof timestamp === "string" && TYPES.has(type);
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
      return { items: [...(this.end()?.items ?? []), condensed()] };
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
    return { place, items: itemsOf(message), ...facts({ model: message.model }) };
  }
}

function itemsOf(message: Fields): SavedItem[] {
  const content = plain(message.content);
  if (message.type === "user") return [userSaid(content, usersWordsIn(message) !== undefined)];
  if (message.type !== "gemini") {
    const verdict = loopFoundIn(content);
    return [{ ...hostSaid(content), ...(verdict && { event: verdict }) }];
  }
  const answer = [...objects(message.thoughts).flatMap(thoughtOf), ...said("text", content)];
  for (const call of objects(message.toolCalls)) {
    answer.push(called(call.id, call.name, call.args), ...resultOf(call));
  }
  return turn(answer);
}

function resultOf({ id, result, status, resultDisplay }: Fields): AgentEvent[] {
  const isError = status === "error";
  const parts = result && !Array.isArray(result) ? [result] : list(result);
  return resultOfParts(id, parts, resultDisplay ?? (isError ? "" : undefined), isError);
}
