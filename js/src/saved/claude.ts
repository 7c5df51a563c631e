// Sessions of Claude Code, and its streams. Of both, each block of an answer is a value of its own, with
// the id of the answer.

import { fields, text, type Fields } from "../messages/fields.js";
import { condensed, facts } from "./items.js";
import { MessageReader } from "./messages.js";
import {
  Unreadable,
  type ReadRecord,
  type RecordReader,
  type SavedItem,
  type SessionFacts,
} from "./saved-session.js";

/** Reads the messages of both. */
class AnswerBlocks {
  readonly #messages: MessageReader;
  #answer: string | undefined;

  constructor(format: "claude-code" | "claude-stream") {
    this.#messages = new MessageReader(format);
  }

  /** @param isAgents whether Claude Code itself says it in the user's name, such as a summary */
  read(message: Fields, isAgents: boolean): ReadRecord {
    const id = text(message.id);
    const isModels = message.role === "assistant";
    const isNewTurn = !isModels || id === undefined || id !== this.#answer;
    if (isModels) this.#answer = id;
    const items = this.#messages.message(message, isNewTurn);
    return {
      items: isAgents ? items.map(asAgents) : items,
      original: message,
      ...modelOf(message.model),
    };
  }
}

function asAgents(item: SavedItem): SavedItem {
  return item.event.type === "user_message" ? { ...item, event: { type: "other" } } : item;
}

/** Errors of the API are written as answers of a model with a name in brackets. */
function modelOf(name: unknown): SessionFacts {
  return typeof name === "string" && !name.startsWith("<") ? { model: name } : {};
}

/** Lines of a session that are no messages, by what else they have. */
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
  readonly #blocks = new AnswerBlocks("claude-code");
  #hasGivenTitle = false;
  /** The file is a subagent's; known with its first message. */
  #isSubagents: boolean | undefined;

  read(value: unknown): ReadRecord {
    const line = fields(value);
    if (typeof line.type !== "string") throw new Unreadable("is no line of a session: no type");
    const common = facts({ workingDirectory: line.cwd });
    if (line.type === "system" && line.subtype === "compact_boundary") {
      return { items: [condensed()], ...common };
    }
    if (line.type !== "user" && line.type !== "assistant") {
      return { items: [], ...this.#title(line), ...common };
    }
    const isSidechain = line.isSidechain === true;
    this.#isSubagents ??= isSidechain;
    if (isSidechain && !this.#isSubagents) return { items: [], leftOut: true };
    const message = fields(line.message);
    if (typeof message.role !== "string") throw new Unreadable("has no message with a role");
    const isAgents = line.isMeta === true || line.isCompactSummary === true;
    const { content } = message;
    const hasContent = typeof content === "string" || Array.isArray(content);
    return {
      ...this.#blocks.read(message, isAgents),
      ...common,
      ...(hasContent && { path: ["message", "content"] }),
    };
  }

  /** The name that the user gave counts more than those that were made up. */
  #title({ customTitle, aiTitle, summary }: Fields): SessionFacts {
    if (typeof customTitle === "string") this.#hasGivenTitle = true;
    else if (this.#hasGivenTitle) return {};
    return facts({ title: text(customTitle) ?? text(aiTitle) ?? summary });
  }
}

// What `claude -p --output-format stream-json` prints, and the array of the same messages that
// `--output-format json --verbose` does. Read are: of every message `type`, `session_id` and
// `parent_tool_use_id`; of `system` its `subtype` (`init` with `cwd` and `model`, `compact_boundary`);
// of `assistant` and `user` their `message`, which is Anthropic's, and `isSynthetic`; and that there
// is a `result`. The parts of a message that `--include-partial-messages` adds (`stream_event`) come
// again as the whole message and are passed over.

const STREAM_TYPES = new Set(["system", "assistant", "user", "result", "stream_event"]);

/** Whether it is a message of Claude Code's stream. Its sessions write `sessionId` instead. */
export function isClaudeStreamMessage(value: unknown): boolean {
  const { type, session_id, message, subtype, event } = fields(value);
  if (typeof session_id !== "string" || !STREAM_TYPES.has(text(type) ?? "")) return false;
  return message !== undefined || event !== undefined || typeof subtype === "string";
}

/** Reads the stream of Claude Code. What subagents did (`parent_tool_use_id`) is left out. */
export class ClaudeStreamReader implements RecordReader {
  readonly format = "claude-stream";
  readonly #blocks = new AnswerBlocks("claude-stream");

  read(value: unknown): ReadRecord {
    const line = fields(value);
    if (typeof line.type !== "string") throw new Unreadable("is no message of a stream: no type");
    if (typeof line.parent_tool_use_id === "string") return { items: [], leftOut: true };
    switch (line.type) {
      case "system": {
        if (line.subtype === "compact_boundary") return { items: [condensed()] };
        if (line.subtype !== "init") return { items: [] };
        return { items: [], ...facts({ workingDirectory: line.cwd }), ...modelOf(line.model) };
      }
      case "assistant":
      case "user": {
        const message = fields(line.message);
        if (message.role !== line.type) throw new Unreadable("has no message with its role");
        return this.#blocks.read(message, line.isSynthetic === true);
      }
      case "result":
        return { items: [{ event: { type: "finished" } }] };
      default:
        return { items: [] };
    }
  }
}
