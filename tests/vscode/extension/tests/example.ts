// The example's extension, asked as its user would ask it, before and after a restart.

import * as vscode from "vscode";

import { observe } from "./observations";

interface Api {
  model: { requests: string[] };
  session: { terminals: { log: readonly { action: string }[] } };
}

const PROMPTS = [
  "List the files.",
  "Tell me what changes in it: @[notes.md]",
  "What is in @[notes.md]?",
];
const LATER = ["List the files again."];

export async function run(): Promise<void> {
  const isLater = await exists("before-reload.json");
  await observe(isLater ? "after-reload" : "before-reload", async () => {
    const answers = [];
    for (const prompt of isLater ? LATER : PROMPTS) {
      answers.push(await vscode.commands.executeCommand("keptAgent.ask", prompt));
    }
    const extension = vscode.extensions.getExtension<Api>(
      "turnkeeper-examples.turnkeeper-example-agent",
    );
    const { model, session } = extension!.exports;
    return {
      answers,
      requests: model.requests,
      choices: session.terminals.log.map(({ action }) => action),
      terminals: vscode.window.terminals.length,
    };
  });
}

async function exists(name: string): Promise<boolean> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const file = vscode.Uri.joinPath(folder!.uri, name);
  return vscode.workspace.fs.stat(file).then(
    () => true,
    () => false,
  );
}
