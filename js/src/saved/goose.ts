// Sessions of goose: the `.jsonl` files of versions before 1.10 (`crates/goose/src/session/legacy.rs`),
// and the JSON of `goose session export --format json` and of the desktop's export. What later
// versions keep themselves is an SQLite database, which is not read. Read are the first line and the
// export's properties (`working_dir`, `description` or `name`, `model_config.model_name`) and of every
// message (`crates/goose/src/conversation/message.rs`) `id`, `role`, `created`, `metadata`
// (`userVisible`, `agentVisible`) and in its `content` `text`, `thinking`, `toolRequest` and
// `frontendToolRequest` (`toolCall`), and `toolResponse` (`toolResult`).

import type { AgentEvent } from "../boundary/generated/shapes.js";
import { answered, called, said } from "../messages/events.js";
import { fields, list, objects, text, type Fields } from "../messages/fields.js";
import { condensed, events, facts, hostSaid, plain, shown, turn, userSaid } from "./items.js";
import {
  Unreadable,
  type ReadRecord,
  type RecordReader,
  type SavedItem,
  type SessionFacts,
} from "./saved-session.js";

/** Whether it is the first line of a session of goose. */
export function isGooseHeader(value: unknown): boolean {
  const { working_dir, description, message_count, role } = fields(value);
  const isCounted = typeof message_count === "number" || typeof working_dir === "string";
  return role === undefined && typeof description === "string" && isCounted;
}

/** Whether it is a message of goose: only its messages have the second that they were made in. */
export function isGooseMessage(value: unknown): boolean {
  const { role, created, content } = fields(value);
  return (
    (role === "user" || role === "assistant") &&
    typeof created === "number" &&
    Array.isArray(content)
  );
}

/** Reads a session of goose. */
export class GooseReader implements RecordReader {
  readonly format = "goose";
  #answer: string | undefined;
  /** Calls that the model got wrong, whose results say so again. */
  readonly #wrongCalls = new Set<unknown>();
  /** Messages have been taken out of the model's sight, and no summary has come since. */
  #awaitsSummary = false;

  read(value: unknown): ReadRecord {
    if (isGooseHeader(value)) return { items: [], ...factsOf(fields(value)) };
    if (!isGooseMessage(value)) throw new Unreadable("is no message: no role, created and content");
    const message = fields(value);
    const { userVisible, agentVisible } = fields(message.metadata);
    const isForAgentAlone = userVisible === false && agentVisible === true;
    if (agentVisible === false) this.#awaitsSummary = true;
    const parts = objects(message.content).filter(
      ({ type, id }) => type !== "toolResponse" || !this.#wrongCalls.delete(id),
    );
    for (const { type, id, toolCall } of parts) {
      if (type === "toolRequest" && fields(toolCall).status === "error") this.#wrongCalls.add(id);
    }
    if (message.role === "assistant" && !isForAgentAlone) {
      return { items: this.#answerItems(text(message.id), parts.flatMap(answerEvents)) };
    }
    this.#answer = undefined;
    const items = parts.flatMap((part) => userItems(part, isForAgentAlone));
    // The summary that takes the place of those messages.
    const isSummary = isForAgentAlone && this.#awaitsSummary;
    if (isSummary) this.#awaitsSummary = false;
    return { items: isSummary ? [condensed(), ...items] : items };
  }

  property(key: string, value: unknown): SessionFacts {
    return factsOf({ [key]: value });
  }

  /** A message is saved in the pieces in which it was streamed, all with its id. */
  #answerItems(id: string | undefined, answer: AgentEvent[]): SavedItem[] {
    const isModels = answer.some(({ type }) => type !== "other");
    const isNewTurn = isModels && (id === undefined || id !== this.#answer);
    if (isModels) this.#answer = id;
    return isNewTurn ? turn(answer) : events(answer);
  }
}

function answerEvents(part: Fields): AgentEvent[] {
  switch (part.type) {
    case "text":
      return said("text", part.text);
    case "thinking":
      return said("reasoning", part.thinking);
    case "toolRequest":
    case "frontendToolRequest": {
      const { status, value } = fields(part.toolCall);
      // A call that the model got wrong has no name, only an error.
      if (status === "error") return [{ type: "other" }];
      const { name, arguments: args } = fields(value);
      return [called(part.id, name, args)];
    }
    case "toolResponse":
      return [resultOf(part)];
    default:
      return [{ type: "other" }];
  }
}

/** What only the model sees is the host's, whoever it is said to be from. */
function userItems(part: Fields, isForAgentAlone: boolean): SavedItem[] {
  if (part.type === "toolResponse") return events([resultOf(part)]);
  if (part.type !== "text") return [];
  return [(isForAgentAlone ? hostSaid : userSaid)(text(part.text) ?? "")];
}

/** A result is MCP's, or in older files its content alone. */
function resultOf({ id, toolResult }: Fields): AgentEvent {
  const { status, value, error } = fields(toolResult);
  if (status === "error") return answered(id, shown(error ?? ""), { isError: true });
  const result = fields(value);
  const content = Array.isArray(value) ? value : list(result.content);
  return answered(id, plain(content), { isError: result.isError === true });
}

function factsOf({ working_dir, description, name, model_config }: Fields): SessionFacts {
  return facts({
    title: text(name) || description,
    workingDirectory: working_dir,
    model: fields(model_config).model_name,
  });
}
