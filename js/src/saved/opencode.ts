// Sessions of opencode: the JSON of `opencode export`, and the files of its storage (`session/`,
// `message/` and `part/` below `~/.local/share/opencode/storage`), each of them a line here: a session,
// then its messages, each with its parts after it. Since version 1.2 opencode keeps them in an SQLite
// database instead, which is not read, but `opencode export` is. Read are, as
// `packages/opencode/src/session/message-v2.ts` has them: of the session `title` and `directory`; of a
// message `role`, `modelID` and `path.cwd`; of parts `type` and `text`, `synthetic`, `ignored`,
// `callID`, `tool`, and of its `state` `status`, `input`, `output`, `error` and `metadata.exit`.

import type { AgentEvent } from "../boundary/generated/shapes.js";
import { answered, called, said } from "../messages/events.js";
import { fields, objects, text, type Fields } from "../messages/fields.js";
import { condensed, events, facts, hostSaid, turn, userSaid } from "./items.js";
import {
  Unreadable,
  type ReadRecord,
  type RecordReader,
  type SavedItem,
  type SessionFacts,
} from "./saved-session.js";

/** Whether it is a session's file of opencode's storage. */
export function isOpencodeSession(value: unknown): boolean {
  const { id, directory, title, version, time } = fields(value);
  const hasTexts = [id, title, version].every((field) => typeof field === "string");
  return hasTexts && fields(time).created !== undefined && typeof (directory ?? "") === "string";
}

/** Whether it is a message of an export of opencode. */
export function isOpencodeMessage(value: unknown): boolean {
  const { info, parts } = fields(value);
  return isInfo(fields(info)) && Array.isArray(parts);
}

function isInfo({ id, role, sessionID }: Fields): boolean {
  return typeof id === "string" && typeof sessionID === "string" && typeof role === "string";
}

/** Reads a session of opencode. What subagents do is in sessions of their own. */
export class OpencodeReader implements RecordReader {
  readonly format = "opencode";
  #isModels = false;
  /** The message has started its turn. */
  #hasTurn = false;

  read(value: unknown): ReadRecord {
    const line = fields(value);
    if (isOpencodeMessage(line)) {
      const message = this.#message(fields(line.info));
      return { items: objects(line.parts).flatMap((part) => this.#part(part)), ...message };
    }
    if (isInfo(line)) return { items: [], ...this.#message(line) };
    if (typeof line.messageID === "string") return { items: this.#part(line) };
    if (isOpencodeSession(line)) return { items: [], ...sessionFacts(line) };
    throw new Unreadable("is no session, message or part of opencode");
  }

  property(key: string, value: unknown): SessionFacts {
    return key === "info" ? sessionFacts(fields(value)) : {};
  }

  #message({ role, modelID, path }: Fields): SessionFacts {
    if (role !== "user" && role !== "assistant") {
      throw new Unreadable(`has the role ${JSON.stringify(role)}, which no message has`);
    }
    this.#isModels = role === "assistant";
    this.#hasTurn = false;
    return facts({ model: modelID, workingDirectory: fields(path).cwd });
  }

  #part(part: Fields): SavedItem[] {
    if (part.type === "compaction") return [condensed()];
    if (!this.#isModels) return userItems(part);
    const answer = answerEvents(part);
    const isStart = part.type === "step-start" || (answer.length > 0 && !this.#hasTurn);
    this.#hasTurn ||= isStart;
    return isStart ? turn(answer) : events(answer);
  }
}

function answerEvents(part: Fields): AgentEvent[] {
  switch (part.type) {
    case "text":
    case "reasoning":
      return said(part.type, part.text);
    case "tool": {
      const state = fields(part.state);
      return [called(part.callID, part.tool, state.input), ...resultEvents(part.callID, state)];
    }
    default:
      return [];
  }
}

function resultEvents(id: unknown, { status, output, error, metadata }: Fields): AgentEvent[] {
  if (status === "error") return [answered(id, text(error), { isError: true })];
  if (status !== "completed") return [];
  return [answered(id, text(output), { exitCode: fields(metadata).exit })];
}

/** Parts that opencode adds itself (`synthetic`) start no prompt. */
function userItems({ type, text: words, synthetic, ignored }: Fields): SavedItem[] {
  if (type !== "text" || typeof words !== "string" || ignored === true) return [];
  return [synthetic === true ? hostSaid(words) : userSaid(words)];
}

function sessionFacts({ title, directory }: Fields): SessionFacts {
  return facts({ title, workingDirectory: directory });
}
