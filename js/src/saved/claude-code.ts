import { modelOf } from "./claude-stream.js";
import { fields, text } from "./fields.js";
import { MessageReader } from "./messages.js";
import { Unreadable, type ReadRecord, type RecordReader } from "./saved-session.js";

/** Lines that are no messages, by what else they have. */
const OTHERS: Record<string, string> = {
  summary: "leafUuid",
  "file-history-snapshot": "messageId",
  "queue-operation": "operation",
  progress: "uuid",
  system: "uuid",
  attachment: "uuid",
  "custom-title": "sessionId",
  "ai-title": "sessionId",
  "last-prompt": "sessionId",
  "permission-mode": "sessionId",
  "agent-name": "sessionId",
  "pr-link": "sessionId",
};

const CONTENT = ["message", "content"] as const;

/** Whether it is a line of a session of Claude Code (`~/.claude/projects/…/*.jsonl`). */
export function isClaudeLine(value: unknown): boolean {
  const line = fields(value);
  if (line.type === "user" || line.type === "assistant") {
    return typeof line.uuid === "string" && typeof fields(line.message).role === "string";
  }
  const field = typeof line.type === "string" ? OTHERS[line.type] : undefined;
  return field !== undefined && line[field] !== undefined;
}

/**
 * Reads a session of Claude Code. What subagents did (`isSidechain`) is left out, except in a file that
 * begins with it: newer versions keep each subagent in a file of its own.
 */
export class ClaudeCodeReader implements RecordReader {
  readonly format = "claude-code";
  readonly #messages = new MessageReader("claude-code");
  #turn: string | undefined;
  #hasGivenTitle = false;
  /** The file is a subagent's; known with its first message. */
  #isSubagents: boolean | undefined;

  read(value: unknown): ReadRecord {
    const line = fields(value);
    if (typeof line.type !== "string") throw new Unreadable("is no line of a session: no type");
    const cwd = text(line.cwd);
    const common = cwd === undefined ? {} : { workingDirectory: cwd };
    if (line.type === "system" && line.subtype === "compact_boundary") {
      return { items: [{ event: { type: "condensation" } }], ...common };
    }
    if (line.type !== "user" && line.type !== "assistant") {
      return { items: [], ...this.#title(line), ...common };
    }
    const isSidechain = line.isSidechain === true;
    this.#isSubagents ??= isSidechain;
    if (isSidechain && !this.#isSubagents) return { items: [], leftOut: true };
    const message = fields(line.message);
    if (typeof message.role !== "string") throw new Unreadable("has no message with a role");
    // Each block of an answer is a line of its own, with the id of the answer.
    const id = text(message.id);
    const isNewTurn = message.role !== "assistant" || id === undefined || id !== this.#turn;
    if (message.role === "assistant") this.#turn = id;
    let items = this.#messages.message(message, isNewTurn);
    if (line.isMeta === true || line.isCompactSummary === true) {
      items = items.map((item) =>
        item.event.type === "user_message" ? { ...item, event: { type: "other" } } : item,
      );
    }
    const { role, content, model } = message;
    const record: ReadRecord = { items, original: message, ...common };
    if (typeof content === "string" || Array.isArray(content)) {
      record.message = { role, content, path: CONTENT };
    }
    return Object.assign(record, modelOf(model));
  }

  /** The name that the user gave counts more than those that were made up. */
  #title({ customTitle, aiTitle, summary }: Record<string, unknown>): { title?: string } {
    const given = text(customTitle);
    if (given !== undefined) this.#hasGivenTitle = true;
    const title = given ?? (this.#hasGivenTitle ? undefined : (text(aiTitle) ?? text(summary)));
    return title === undefined ? {} : { title };
  }
}
