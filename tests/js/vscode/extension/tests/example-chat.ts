// The example's chat and its scripted model, for tests inside VS Code.

import * as vscode from "vscode";

interface Model {
  requests: string[];
  summaries: string[];
}

/** Activates the extension, shows its view, and has the chat offer its model. */
export async function start(): Promise<Model> {
  const extension = vscode.extensions.getExtension<{ model: Model }>(
    "turnkeeper-examples.turnkeeper-example-agent",
  );
  const { model } = await extension!.activate();
  await vscode.commands.executeCommand("keptAgent.work.focus");
  // The chat offers a model when it has heard of it.
  await vscode.lm.selectChatModels();
  return model;
}

/** Asks in the chat. Resolves to the result that VS Code keeps. */
export async function ask(
  prompt: string,
  attachFiles: vscode.Uri[] = [],
): Promise<vscode.ChatResult> {
  const open = { query: `@kept ${prompt}`, blockOnResponse: true, attachFiles };
  return await vscode.commands.executeCommand("workbench.action.chat.open", open);
}

export async function write(uri: vscode.Uri, text: string): Promise<void> {
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
}

/** For the part of the test outside, which hears the console: a folder in memory has no files for it. */
export function note(seen: object): void {
  console.log(`noted ${JSON.stringify(seen)}`);
}
