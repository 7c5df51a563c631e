// The example's extension, asked in VS Code's chat as its user would ask it, before and after a reload.

import * as vscode from "vscode";

import { ask, note, start, write } from "./example-chat";

/** Whether the window was reloaded. */
declare const IS_LATER: boolean;

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
  const model = await start();
  if (!IS_LATER) {
    for (const [file, text] of Object.entries(FILES)) {
      await write(vscode.Uri.joinPath(folder!.uri, file), text);
    }
  }
  for (const prompt of IS_LATER ? ["List the files again."] : PROMPTS) {
    const asked = model.requests.length;
    await ask(prompt);
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
