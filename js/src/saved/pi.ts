// Sessions of pi (`~/.pi/agent/sessions/--<folder>--/*.jsonl`), as `docs/session.md` of its package
// `coding-agent` describes them, versions 1 to 3. Read are the header (`cwd`, and in version 1
// `modelId`), of every entry `type`, `id` and `parentId`, and of entries `message` (`role`, `content`
// with `text`, `thinking` and `toolCall`, `model`, `toolCallId`, `isError`), `model_change`
// (`modelId`), `compaction`, `branch_summary`, `custom_message` (`content`) and `session_info` (`name`).

import { isEvent, partsOf } from "../messages/parts.js";

import { fields, text, type Fields } from "./fields.js";
import { events, named, plain, refuseDeep } from "./messages.js";
import { Unreadable, type ReadRecord, type RecordReader, type SavedItem } from "./saved-session.js";

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
    return { ...record, items: [{ event: { type: "condensation" } }, ...record.items] };
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
      return {
        items: [],
        ...fact("workingDirectory", entry.cwd),
        ...fact("model", entry.modelId),
      };
    case "message":
      return messageRecord(fields(entry.message));
    case "model_change":
      return { items: [], ...fact("model", entry.modelId) };
    case "session_info":
      return { items: [], ...fact("title", entry.name) };
    case "compaction":
    case "branch_summary":
      return { items: [{ event: { type: "condensation" } }, host(text(entry.summary) ?? "")] };
    case "custom_message":
      return { items: [host(plain(entry.content))] };
    default:
      // Labels, levels of thinking, and what extensions keep for themselves.
      return { items: [] };
  }
}

function messageRecord(message: Fields): ReadRecord {
  switch (message.role) {
    case "user": {
      const said = { kind: "user", text: plain(message.content) } as const;
      return { items: [{ event: { type: "user_message" }, said }] };
    }
    case "assistant":
      return {
        items: [...events({ type: "turn_started" }), ...said(message)],
        ...fact("model", message.model),
      };
    case "toolResult":
      return { items: said(message) };
    case "bashExecution":
      // The user ran it, not the model.
      return { items: [host(`$ ${plain(message.command)}\n${plain(message.output)}`)] };
    case "custom":
    case "hookMessage":
      return { items: [host(plain(message.content))] };
    case "branchSummary":
    case "compactionSummary":
      return { items: [host(plain(message.summary))] };
    default:
      if (typeof message.role !== "string") throw new Unreadable("has a message without a role");
      // Extensions have roles of their own.
      return { items: [{ event: { type: "other" } }] };
  }
}

function said(message: Fields): SavedItem[] {
  refuseDeep(message);
  return named(partsOf(message).filter(isEvent));
}

/** What the agent or the user puts into the conversation that starts no prompt. */
function host(words: string): SavedItem {
  return { event: { type: "other" }, said: { kind: "system", text: words } };
}

function fact<Key extends string>(key: Key, value: unknown): { [name in Key]?: string } {
  return (typeof value === "string" && value !== "" ? { [key]: value } : {}) as {
    [name in Key]?: string;
  };
}
