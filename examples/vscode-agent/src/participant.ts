// The chat participant: a request of VS Code's chat becomes a turn of the agent.

import * as vscode from "vscode";

import { Agent } from "./agent";
import type { Conversations, Saved } from "./conversations";
import type { WorkView } from "./work-view";

export function answering(conversations: Conversations, view: WorkView): vscode.ChatRequestHandler {
  return async (request, { history }, response, token) => {
    const saved = newest(history);
    const conversation = conversations.open(saved);
    const agent = new Agent(conversation, request.model, response, token, (work) =>
      view.show(work),
    );
    const { messages, stopped } = await agent.answer(request.prompt, saved?.messages ?? []);
    return {
      metadata: { ...conversation.save(messages) },
      ...(stopped !== undefined && { errorDetails: { message: stopped } }),
    };
  };
}

/** The trace of the last turn that came to its end. VS Code keeps it with the chat, over restarts. */
function newest(history: vscode.ChatContext["history"]): Saved | undefined {
  return history
    .map((turn) => ("result" in turn ? (turn.result.metadata as Saved | undefined) : undefined))
    .findLast((metadata) => metadata !== undefined);
}
