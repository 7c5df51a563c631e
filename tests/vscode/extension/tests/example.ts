// The example's extension, asked in VS Code's chat as its user would ask it, before and after a reload.

import * as vscode from "vscode";

/** True if the window was reloaded. */
declare const IS_LATER: boolean;

interface Api {
  model: { requests: string[] };
}

const FILES = {
  "notes.md": Array.from({ length: 40 }, (_, n) => `Note ${n} is about the cart.\n`).join(""),
  "src/main.ts": "greet();\n",
};
const PROMPTS = [
  "List the files.",
  "What is in @[notes.md] and @[../secret.txt]?",
  "Tell me when it changes.",
];

export async function run(): Promise<void> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const extension = vscode.extensions.getExtension<Api>(
    "turnkeeper-examples.turnkeeper-example-agent",
  );
  const { model } = await extension!.activate();
  await vscode.commands.executeCommand("keptAgent.work.focus");
  // The chat offers a model when it has heard of it.
  await vscode.lm.selectChatModels();
  if (!IS_LATER) {
    for (const [file, text] of Object.entries(FILES)) {
      const uri = vscode.Uri.joinPath(folder!.uri, file);
      await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    }
  }
  for (const prompt of IS_LATER ? ["List the files again."] : PROMPTS) {
    const asked = model.requests.length;
    const open = { query: `@kept ${prompt}`, blockOnResponse: true };
    await vscode.commands.executeCommand("workbench.action.chat.open", open);
    note({ prompt, requests: model.requests.slice(asked) });
  }
  const { length: terminals } = vscode.window.terminals;
  note({ terminals, isWorker: "WorkerGlobalScope" in globalThis });
  if (IS_LATER) return;
  // The user's turn, in the view.
  const asked = model.requests.length;
  while (model.requests.length === asked) await new Promise((resolve) => setTimeout(resolve, 50));
  note({ fromView: model.requests.at(-1) });
}

/** For the part of the test outside, which hears the console: a folder in memory has no files for it. */
function note(seen: object): void {
  console.log(`noted ${JSON.stringify(seen)}`);
}
