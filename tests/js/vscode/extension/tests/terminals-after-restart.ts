// After the window was reloaded, and the extension host with it: the shells are still there.

import * as vscode from "vscode";

import { observe } from "./observations";
import { afterRestart } from "./terminals";

export async function run(): Promise<void> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const given = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder!.uri, "given.json"));
  const { root } = JSON.parse(new TextDecoder().decode(given)) as { root: string };
  await observe("after-restart", () => afterRestart(root));
}
