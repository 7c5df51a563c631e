// The extension: one command, an output channel, and a session that outlives the extension host.

import { AgentSession } from "turnkeeper";
import * as vscode from "vscode";

import { Agent, type Answer } from "./agent";
import { ScriptedModel } from "./scripted-model";

export async function activate(context: vscode.ExtensionContext) {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (!folder) return undefined;
  const channel = vscode.window.createOutputChannel("Kept agent");
  const state = vscode.Uri.joinPath(context.storageUri ?? context.globalStorageUri, "session");
  const session = (await restored(state)) ?? fresh(folder.uri.fsPath);
  // With a real one: const [model] = await vscode.lm.selectChatModels();
  const model = new ScriptedModel();
  const save = () => vscode.workspace.fs.writeFile(state, session.snapshot());
  const agent = new Agent(session, model, folder.uri, channel, save);
  context.subscriptions.push(channel, session, agent);

  const ask = async (given?: string): Promise<Answer | undefined> => {
    const prompt = given ?? (await vscode.window.showInputBox({ prompt: "What is to be done?" }));
    return prompt === undefined ? undefined : agent.ask(prompt);
  };
  context.subscriptions.push(vscode.commands.registerCommand("keptAgent.ask", ask));
  return { model, session };
}

function fresh(root: string): AgentSession {
  const platform = root.startsWith("/") ? "posix" : "win32";
  return new AgentSession({ assembler: { root, platform }, terminals: { platform } });
}

/** The session that was saved, unless there is none, or it cannot be read. */
async function restored(state: vscode.Uri): Promise<AgentSession | undefined> {
  try {
    return AgentSession.restore(await vscode.workspace.fs.readFile(state));
  } catch {
    return undefined;
  }
}
