// The extension, on the desktop and on the web: a chat participant, a view of what the machines did, and a
// scripted model to try both with.

import * as vscode from "vscode";

import { Conversations } from "./conversations";
import { answering } from "./participant";
import { ScriptedModel } from "./scripted-model";
import { WorkView } from "./work-view";

export function activate(context: vscode.ExtensionContext) {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (!folder) return undefined;
  const conversations = new Conversations(folder.uri);
  const view = new WorkView(context.extensionUri, folder.uri);
  const model = new ScriptedModel();
  context.subscriptions.push(
    conversations,
    vscode.chat.createChatParticipant("keptAgent", answering(conversations, view)),
    vscode.window.registerWebviewViewProvider("keptAgent.work", view),
    // Without it the participant is asked with the models that the user has.
    vscode.lm.registerLanguageModelChatProvider("kept-agent", model),
  );
  return { model };
}
