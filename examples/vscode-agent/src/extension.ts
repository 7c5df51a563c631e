// The extension, on the desktop and on the web: a chat participant, a view of what the machines did, and a
// scripted model to try both with.

import * as vscode from "vscode";

import { Conversations } from "./conversations";
import { answering } from "./participant";
import { ScriptedModel } from "./scripted-model";
import { Terminals } from "./terminals";
import { WorkView } from "./work-view";

export function activate(context: vscode.ExtensionContext) {
  const terminals = new Terminals(context.workspaceState);
  const conversations = new Conversations(terminals.selector);
  const view = new WorkView(context.extensionUri);
  const model = new ScriptedModel();
  context.subscriptions.push(
    conversations,
    terminals,
    vscode.chat.createChatParticipant("keptAgent", answering(conversations, terminals, view)),
    vscode.window.registerWebviewViewProvider("keptAgent.work", view),
    // Without it the participant is asked with the models that the user has.
    vscode.lm.registerLanguageModelChatProvider("kept-agent", model),
  );
  return { model };
}
