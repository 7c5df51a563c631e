// A session for each chat. It lives as long as the extension host, and goes on from what VS Code has kept with
// the chat after a restart, or when the user goes back to an earlier request.

import { AgentSession } from "turnkeeper";
import type { Message } from "turnkeeper/adapters/vscode";
import type { LanguageModelChatMessage, Uri } from "vscode";

import { Tools } from "./tools";

/** More live sessions than these are not kept: the oldest can be restored. */
const MOST = 10;

/** A message of the chat in Anthropic's shape: JSON, and VS Code's own again when it is sent. */
export type ChatMessage = Message<LanguageModelChatMessage>;

/** The metadata of a response: JSON. */
export interface Saved {
  conversation: string;
  turn: number;
  /** The session's snapshot in base64. */
  session: string;
  /** The messages of the turn; earlier turns are in the session's summaries. */
  messages: readonly ChatMessage[];
}

export class Conversation {
  readonly tools: Tools;
  turn = 0;

  constructor(
    readonly id: string,
    readonly session: AgentSession,
    readonly folder: Uri,
  ) {
    this.tools = new Tools(folder, session.terminals, id);
  }

  save(messages: readonly ChatMessage[]): Saved {
    const { id, turn, session } = this;
    return { conversation: id, turn, session: toBase64(session.snapshot()), messages };
  }

  dispose(): void {
    this.tools.dispose();
    this.session.dispose();
  }
}

export class Conversations {
  readonly #live = new Map<string, Conversation>();

  constructor(readonly folder: Uri) {}

  /** The conversation as it was when `saved` was saved, or a new one. */
  open(saved: Saved | undefined): Conversation {
    const id = saved?.conversation ?? crypto.randomUUID();
    const live = this.#live.get(id);
    if (live && live.turn === saved?.turn) return live;
    live?.dispose();
    const session = saved
      ? AgentSession.restore(fromBase64(saved.session))
      : newSession(this.folder.fsPath);
    const conversation = new Conversation(id, session, this.folder);
    conversation.turn = saved?.turn ?? 0;
    this.#live.set(id, conversation);
    const [oldest] = this.#live.values();
    if (this.#live.size > MOST) this.#close(oldest!);
    return conversation;
  }

  dispose(): void {
    for (const conversation of this.#live.values()) this.#close(conversation);
  }

  #close(conversation: Conversation): void {
    conversation.dispose();
    this.#live.delete(conversation.id);
  }
}

function newSession(root: string): AgentSession {
  const platform = root.startsWith("/") ? "posix" : "win32";
  return new AgentSession({ assembler: { root, platform }, terminals: { platform } });
}

// `Buffer` is not there in a web worker; these are everywhere.
function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
