// Sessions of pi (`~/.pi/agent/sessions/--<folder>--/*.jsonl`), as `docs/session.md` of its package
// `coding-agent` describes them, versions 1 to 3. Read are the header (`cwd`, and in version 1
// `modelId`), of every entry `type`, `id` and `parentId`, and of entries `message` (`role`, `content`
// with `text`, `thinking` and `toolCall`, `model`, `toolCallId`, `isError`), `model_change`
// (`modelId`), `compaction`, `branch_summary`, `custom_message` (`content`) and `session_info` (`name`).

import type { AgentEvent } from "../boundary/generated/shapes.js";
import { fields, text, type Fields } from "../messages/fields.js";
import { isEvent, partsOf } from "../messages/parts.js";
import { condensed, events, facts, hostSaid, plain, refuseDeep, turn, userSaid } from "./items.js";
import { Unreadable, type ReadRecord, type RecordReader } from "./saved-session.js";

/** Whether it is the first line of a session of pi. */
export function isPiHeader(value: unknown): boolean {
  const { type, id, timestamp, cwd } = fields(value);
  return type === "session" && [id, timestamp, cwd].every((field) => typeof field === "string");
}

/**
 * Reads a session of pi. Its entries are a tree in the order in which they were written; when the user
 * went back to an earlier one, what came after that stays, and a condensation marks the place, since
 * the model no longer sees it.
 */
export class PiReader implements RecordReader {
  readonly format = "pi";
  #last: string | undefined;

  read(value: unknown): ReadRecord {
    const entry = fields(value);
    if (typeof entry.type !== "string") throw new Unreadable("is no entry of a session: no type");
    const wentBack = this.#wentBack(entry);
    const record = recordOf(entry);
    if (!wentBack || record.items[0]?.event.type === "condensation") return record;
    return { ...record, items: [condensed(), ...record.items] };
  }

  /** Whether the entry does not go on from the one before it. The first versions have no tree. */
  #wentBack({ id, parentId }: Fields): boolean {
    if (parentId === undefined) return false;
    const before = this.#last;
    this.#last = text(id) ?? before;
    return before !== undefined && parentId !== before;
  }
}

function recordOf(entry: Fields): ReadRecord {
  switch (entry.type) {
    case "session":
      return { items: [], ...facts({ workingDirectory: entry.cwd, model: entry.modelId }) };
    case "message":
      return messageRecord(fields(entry.message));
    case "model_change":
      return { items: [], ...facts({ model: entry.modelId }) };
    case "session_info":
      return { items: [], ...facts({ title: entry.name }) };
    case "compaction":
    case "branch_summary":
      return { items: [condensed(), hostSaid(text(entry.summary) ?? "")] };
    case "custom_message":
      return { items: [hostSaid(plain(entry.content))] };
    default:
      // Labels, levels of thinking, and what extensions keep for themselves.
      return { items: [] };
  }
}

function messageRecord(message: Fields): ReadRecord {
  switch (message.role) {
    case "user":
      return { items: [userSaid(plain(message.content))] };
    case "assistant":
      return { items: turn(eventsIn(message)), ...facts({ model: message.model }) };
    case "toolResult":
      return { items: events(eventsIn(message)) };
    case "bashExecution":
      // The user ran it, not the model.
      return { items: [hostSaid(`$ ${plain(message.command)}\n${plain(message.output)}`)] };
    case "custom":
    case "hookMessage":
      return { items: [hostSaid(plain(message.content))] };
    case "branchSummary":
    case "compactionSummary":
      return { items: [hostSaid(plain(message.summary))] };
    default:
      if (typeof message.role !== "string") throw new Unreadable("has a message without a role");
      // Extensions have roles of their own.
      return { items: [{ event: { type: "other" } }] };
  }
}

function eventsIn(message: Fields): AgentEvent[] {
  refuseDeep(message);
  return partsOf(message).filter(isEvent);
}
