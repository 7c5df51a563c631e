// What the part of a test that runs inside VS Code saw, for the part outside to judge. It goes
// through files in the workspace: the console is one of the things that are watched.

import * as vscode from "vscode";

/** Notes what `look` gives under `name`, or why it gives nothing, so that the rest goes on. */
export async function observe(name: string, look: () => unknown): Promise<void> {
  let seen: { value: unknown } | { error: string };
  try {
    seen = { value: await look() };
  } catch (error) {
    seen = { error: story(error) };
  }
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (!folder) throw new Error("no folder is open");
  const file = vscode.Uri.joinPath(folder.uri, `${name}.json`);
  await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(JSON.stringify(seen)));
}

/** An error with what caused it. */
function story(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? "" : `\ncaused by ${story(error.cause)}`;
  return `${error.stack ?? error}${cause}`;
}
