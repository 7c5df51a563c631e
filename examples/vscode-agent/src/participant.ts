// The chat participant: a request of VS Code's chat becomes a turn of the agent.

import * as vscode from "vscode";

import { Agent } from "./agent";
import type { Conversations, Saved } from "./conversations";
import type { Terminals } from "./terminals";
import { cut, Tools } from "./tools";
import type { WorkView } from "./work-view";

export function answering(
  conversations: Conversations,
  terminals: Terminals,
  view: WorkView,
): vscode.ChatRequestHandler {
  return async (request, { history }, response, token) => {
    // Asked each time, because folders are opened and closed.
    const folders = vscode.workspace.workspaceFolders ?? [];
    if (folders.length === 0) return { errorDetails: { message: "Open a folder, and ask again." } };
    const saved = newest(history);
    const conversation = conversations.open(saved, folders);
    const tools = new Tools(folders, terminals, conversation.id, request);
    const agent = new Agent(conversation, tools, request.model, response, token, (work) =>
      view.show(work),
    );
    const prompt = [request.prompt, ...(await named(request.references))].join("\n");
    try {
      const { messages, stopped } = await agent.answer(prompt, saved?.messages ?? []);
      return {
        metadata: { ...conversation.save(messages) },
        ...(stopped !== undefined && { errorDetails: { message: stopped } }),
      };
    } finally {
      await terminals.release(conversation.id);
    }
  };
}

/** What the user has attached: files and lines as the assembler reads them, other things as they are. */
function named(references: readonly vscode.ChatPromptReference[]): Promise<string[]> {
  const lines = references.map(async ({ id, modelDescription, value }) => {
    if (value instanceof vscode.Uri) {
      const stat = await vscode.workspace.fs.stat(value).then(undefined, () => undefined);
      const isFolder = ((stat?.type ?? 0) & vscode.FileType.Directory) !== 0;
      return `@[${value.fsPath}${isFolder ? "/" : ""}]`;
    }
    if (value instanceof vscode.Location) {
      const { start, end } = value.range;
      return `@[${value.uri.fsPath}:${start.line + 1}:${end.line + 1}]`;
    }
    return typeof value === "string" ? cut(`${modelDescription ?? id}: ${value}`) : "";
  });
  return Promise.all(lines).then((all) => all.filter(Boolean));
}

/** The trace of the last turn that came to its end. VS Code keeps it with the chat, over restarts. */
function newest(history: vscode.ChatContext["history"]): Saved | undefined {
  return history
    .map((turn) => ("result" in turn ? (turn.result.metadata as Saved | undefined) : undefined))
    .findLast((metadata) => metadata?.session !== undefined);
}
