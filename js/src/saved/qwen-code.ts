// Sessions of Qwen Code (`~/.qwen/projects/<folder>/chats/*.jsonl`), a record a line. Read are `uuid`,
// `sessionId`, `type`, `cwd`, `model`, `message` (Gemini's, with `role` and `parts`), and of `system`
// records `subtype` (`chat_compression`, `custom_title`) and `systemPayload.customTitle`. A branch copies
// records with their `uuid`; `ui_telemetry` records say again what the others do.

import { fields } from "../messages/fields.js";
import { condensed, facts } from "./items.js";
import { MessageReader } from "./messages.js";
import { Unreadable, type ReadRecord, type RecordReader } from "./saved-session.js";

const TYPES = new Set<unknown>(["user", "assistant", "tool_result", "system"]);

/** Whether it is a record of Qwen Code. Claude Code's lines have `content` in the place of `parts`. */
export function isQwenRecord(value: unknown): boolean {
  const { uuid, sessionId, type, message, subtype, systemPayload } = fields(value);
  if (typeof uuid !== "string" || typeof sessionId !== "string") return false;
  if (!TYPES.has(type)) return false;
  if (type === "system") return typeof subtype === "string" && systemPayload !== undefined;
  return Array.isArray(fields(message).parts);
}

/** Reads a session of Qwen Code. */
export class QwenCodeReader implements RecordReader {
  readonly format = "qwen-code";
  readonly #messages = new MessageReader("gemini");

  read(value: unknown): ReadRecord {
    const line = fields(value);
    if (typeof line.type !== "string") throw new Unreadable("is no record of a session: no type");
    const common = facts({ workingDirectory: line.cwd, model: line.model });
    if (line.type === "system") {
      const isTitle = line.subtype === "custom_title";
      const isCompression = line.subtype === "chat_compression";
      return {
        items: isCompression ? [condensed()] : [],
        ...(isTitle && facts({ title: fields(line.systemPayload).customTitle })),
        ...common,
      };
    }
    const message = fields(line.message);
    if (!Array.isArray(message.parts)) return { items: [], ...common };
    // The role is the record's: results are told in the user's name.
    const role = line.type === "assistant" ? "model" : "user";
    return {
      items: this.#messages.message({ ...message, role }),
      original: message,
      path: ["message", "parts"],
      ...common,
    };
  }
}
