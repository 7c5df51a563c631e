// The example's extension with what users of the chat do: they attach files, name tools, and have several folders
// and chats.

import * as vscode from "vscode";

import { ask, note, start, write } from "./example-chat";

export async function run(): Promise<void> {
  const folders = await opened();
  const model = await start();
  const released = countReleased();
  const tool = vscode.lm.registerTool("count_notes", {
    invoke: () => {
      const text = `There are 4711. ${crypto.randomUUID()} is the newest.`;
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
    },
  });
  const attached = folders.map(({ uri }) => vscode.Uri.joinPath(uri, "words.md"));
  for (const [at, uri] of attached.entries()) await write(uri, `The words of folder ${at}.\n`);
  let result: vscode.ChatResult = {};
  let turns = 0;
  const asked = async (prompt: string, files?: vscode.Uri[]) => {
    const before = model.requests.length;
    turns++;
    result = await ask(prompt, files);
    return model.requests.slice(before);
  };

  await vscode.commands.executeCommand("workbench.action.chat.newChat");
  const files = await asked("What is in these?", attached);
  const used = await asked("Use count_notes");
  const look = `Look into ${folders.at(-1)!.uri.fsPath} now`;
  const looked = await asked(look);
  const { length: long } = await asked("Use count_notes without end.");
  const stopped = result.errorDetails?.message;
  await asked("Answer at length.");
  await asked("Answer at length, and never sum up.");
  const [summed] = await asked("What was that?");
  const saved = JSON.stringify(result.metadata).length;
  const another = folders.length > 1 ? await asked(`And in @[${await openAnother()}]?`) : [];
  await vscode.commands.executeCommand("workbench.action.chat.newChat");
  const other = await asked(look);
  const { length: terminals } = vscode.window.terminals;
  const { summaries } = model;
  note({
    files,
    used,
    looked,
    long,
    stopped,
    summed,
    saved,
    opened: another,
    other,
    terminals,
    summaries,
  });
  note({ turns, released: released() });
  tool.dispose();
}

/**
 * The folders of the workspace. VS Code may have read its file before it could hear what stands in it, and reads it again
 * when a setting is written there.
 */
async function opened(): Promise<readonly vscode.WorkspaceFolder[]> {
  for (let eol = "\n"; ; eol = eol === "\n" ? "auto" : "\n") {
    const { workspaceFolders = [] } = vscode.workspace;
    if (workspaceFolders.length > 0) return workspaceFolders;
    const settings = vscode.workspace.getConfiguration("files");
    await settings.update("eol", eol, vscode.ConfigurationTarget.Workspace);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

/** Opens one more folder of the workspace, which needs no restart if there are several. Resolves to its file. */
async function openAnother(): Promise<string> {
  const folders = () => vscode.workspace.workspaceFolders!;
  const { length } = folders();
  const uri = vscode.Uri.joinPath(folders()[0]!.uri, "../another");
  const file = vscode.Uri.joinPath(uri, "words.md");
  await write(file, "The words of another folder.\n");
  vscode.workspace.updateWorkspaceFolders(length, 0, { uri });
  while (folders().length === length) await new Promise((resolve) => setTimeout(resolve, 50));
  return file.fsPath;
}

/** How many sources of cancellation the example has disposed of. */
function countReleased(): () => number {
  let count = 0;
  const { prototype } = vscode.CancellationTokenSource;
  const { dispose } = prototype;
  prototype.dispose = function () {
    if (/dist[/](desktop|web)\.js/.test(new Error().stack ?? "")) count++;
    dispose.call(this);
  };
  return () => count;
}
