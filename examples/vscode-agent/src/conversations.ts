// A session for each chat. It lives as long as the extension host, and goes on from what VS Code has kept with
// the chat after a restart, or when the user goes back to an earlier request.

import { AgentSession, type TerminalSelector } from "turnkeeper";
import type { Message } from "turnkeeper/adapters/vscode";
import type { LanguageModelChatMessage, WorkspaceFolder } from "vscode";

/** More live sessions than these are not kept: the oldest can be restored. */
const MOST = 10;
/** Messages of a turn that take more characters are not kept: its summary is. */
const MOST_KEPT = 50_000;

/** A message of the chat in Anthropic's shape: JSON, and VS Code's own again when it is sent. */
export type ChatMessage = Message<LanguageModelChatMessage>;

/** The metadata of a response: JSON. */
export interface Saved {
  conversation: string;
  turn: number;
  /** The session's snapshot in base64. */
  session: string;
  /** The folders that the session reads. */
  folders: string;
  /** The messages of the turn; earlier turns are in the session's summaries. */
  messages: readonly ChatMessage[];
}

export class Conversation {
  turn = 0;

  constructor(
    readonly id: string,
    readonly session: AgentSession,
    readonly folders: string,
  ) {}

  save(messages: readonly ChatMessage[]): Saved {
    const { id, turn, session, folders } = this;
    const kept = JSON.stringify(messages).length > MOST_KEPT ? [] : messages;
    return {
      conversation: id,
      turn,
      session: toBase64(session.snapshot()),
      folders,
      messages: kept,
    };
  }
}

export class Conversations {
  readonly #live = new Map<string, Conversation>();

  constructor(readonly terminals: TerminalSelector) {}

  /** The conversation as it was when `saved` was saved, or a new one, in the folders that are open now. */
  open(saved: Saved | undefined, folders: readonly WorkspaceFolder[]): Conversation {
    const id = saved?.conversation ?? crypto.randomUUID();
    const paths = folders.map(({ uri }) => uri.fsPath).join("\n");
    const live = this.#live.get(id);
    if (live && live.turn === saved?.turn && live.folders === paths) return live;
    if (live) this.#close(live);
    const conversation = new Conversation(id, this.#session(saved, id, paths), paths);
    conversation.turn = saved?.turn ?? 0;
    this.#live.set(id, conversation);
    const [oldest] = this.#live.values();
    if (this.#live.size > MOST) this.#close(oldest!);
    return conversation;
  }

  dispose(): void {
    for (const conversation of this.#live.values()) this.#close(conversation);
  }

  #session(saved: Saved | undefined, taskId: string, paths: string): AgentSession {
    const { terminals } = this;
    const before = saved && AgentSession.restore(fromBase64(saved.session), { terminals });
    if (before && saved.folders === paths) return before;
    const [root, ...allowedRoots] = paths.split("\n");
    const session = new AgentSession({
      // What it remembers is in each snapshot.
      assembler: { root: root!, allowedRoots, maxItemBytes: 50_000, maxTotalBytes: 100_000 },
      terminals,
      taskId,
      // A turn has two messages, which only its own summary needs.
      summaries: { maxTokens: 2_000, maxMessages: 2 },
    });
    // A session's folders stay, so another one goes on with what the summaries say.
    for (const { task, summary, insights } of before?.summaries.turns() ?? []) {
      session.summaries.startTurn({ task: task ?? null });
      session.summaries.storeSummary({ summary: summary ?? "", insights });
      session.summaries.completeTurn();
    }
    before?.dispose();
    return session;
  }

  #close(conversation: Conversation): void {
    conversation.session.dispose();
    this.#live.delete(conversation.id);
  }
}

// `Buffer` is not there in a web worker; these are everywhere.
export function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
