// The agent's hands: files of the workspace, commands in VS Code's terminals where there are any, and the tools
// that VS Code and other extensions offer.

import type { AssemblerHost } from "turnkeeper";
import * as vscode from "vscode";

import type { Terminals } from "./terminals";

/** The most characters of a result, and the most tools: providers refuse more. */
const LONGEST_RESULT = 20_000;
const MOST_TOOLS = 64;

const text = { type: "string" };
const READ_FILE: vscode.LanguageModelChatTool = {
  name: "read_file",
  description: "The content of a file.",
  inputSchema: { type: "object", properties: { path: text }, required: ["path"] },
};
const RUN_COMMAND: vscode.LanguageModelChatTool = {
  name: "run_command",
  description: "Runs a command in a terminal, in a folder of the project.",
  inputSchema: {
    type: "object",
    properties: { command: text, folder: text },
    required: ["command"],
  },
};

export class Tools implements AssemblerHost {
  /** Relative paths start from here. */
  readonly root: vscode.Uri;
  /** Its own tools. */
  readonly own: readonly vscode.LanguageModelChatTool[];
  /** All that the model may call. */
  readonly offered: vscode.LanguageModelChatTool[];

  constructor(
    readonly folders: readonly vscode.WorkspaceFolder[],
    readonly terminals: Terminals,
    readonly taskId: string,
    readonly request: Pick<vscode.ChatRequest, "toolReferences" | "toolInvocationToken">,
  ) {
    this.root = folders[0]!.uri;
    // A folder on GitHub or in the browser's memory has no machine with terminals.
    const isOnDisk = this.root.scheme === "file" || this.root.scheme === "vscode-remote";
    this.own = isOnDisk ? [READ_FILE, RUN_COMMAND] : [READ_FILE];
    // Those that the user has named come first.
    const isNamed = ({ name }: { name: string }) =>
      request.toolReferences.some((tool) => tool.name === name);
    const others = vscode.lm.tools
      .filter(({ name }) => this.own.every((tool) => tool.name !== name))
      .sort((a, b) => Number(isNamed(b)) - Number(isNamed(a)))
      .map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    this.offered = [...this.own, ...others].slice(0, MOST_TOOLS);
  }

  /** Runs what the model called. An error is a result, too: the model reads it. */
  async run(name: string, input: object, token: vscode.CancellationToken): Promise<string> {
    const { path, command, folder = "" } = input as Record<string, string | undefined>;
    try {
      if (!this.offered.some((tool) => tool.name === name)) return `There is no tool ${name}.`;
      if (name === READ_FILE.name) return cut(await this.#read(path ?? ""));
      if (name === RUN_COMMAND.name) return cut(await this.#runCommand(command ?? "", folder));
      // VS Code asks the user where the tool wants that.
      const { toolInvocationToken } = this.request;
      const result = await vscode.lm.invokeTool(name, { input, toolInvocationToken }, token);
      const parts = result.content.map((part) =>
        part instanceof vscode.LanguageModelTextPart ? part.value : JSON.stringify(part),
      );
      return cut(parts.join("\n"));
    } catch (error) {
      return String(error);
    }
  }

  /** A file that a prompt names, or lines of it: `@[a.ts:2]` is line 2 alone, and both lines are 2. */
  async readFile({ path, startLine, endLine }: Parameters<AssemblerHost["readFile"]>[0]) {
    const content = await this.#read(path);
    if (startLine === undefined) return content;
    const lines = content.split("\n").slice(startLine - 1, endLine);
    return lines.join("\n");
  }

  async listDirectory({ path }: { path: string }): Promise<string> {
    const entries = await vscode.workspace.fs.readDirectory(await this.#inFolder(path));
    return entries.map(([name]) => name).join("\n");
  }

  async #read(path: string): Promise<string> {
    const bytes = await vscode.workspace.fs.readFile(await this.#inFolder(path));
    return new TextDecoder().decode(bytes);
  }

  async #runCommand(command: string, folder: string): Promise<string> {
    const workingDirectory = (await this.#inFolder(folder)).fsPath;
    // The command may come from a file that the model has read.
    const question = `Run ${command} in ${workingDirectory}?`;
    const answer = await vscode.window.showWarningMessage(question, "Run", "Refuse");
    if (answer !== "Run") return "The user did not allow it.";
    const run = await this.terminals.run(command, workingDirectory, this.taskId);
    return `${cut(run.output)}\n(${run.outcome}, exit code ${run.exitCode})`;
  }

  /** Neither `..` nor a symbolic link leads out of the folders of the workspace. */
  async #inFolder(path: string): Promise<vscode.Uri> {
    const isAbsolute = /^([\\/]|[a-z]:)/i.test(path);
    const top = this.root.with({ path: "/" });
    const uri = isAbsolute
      ? vscode.Uri.joinPath(top, vscode.Uri.file(path).path)
      : vscode.Uri.joinPath(this.root, path);
    const folder = this.folders.find((folder) => `${uri}/`.startsWith(prefixOf(folder.uri)))?.uri;
    if (!folder) throw new Error(`${path} is outside the project`);
    let at = folder;
    const root = folder.path.replace(/\/$/, "");
    for (const name of uri.path.slice(root.length).split("/").filter(Boolean)) {
      at = vscode.Uri.joinPath(at, name);
      const { type } = await vscode.workspace.fs.stat(at);
      if (type & vscode.FileType.SymbolicLink) throw new Error(`${path} is a symbolic link`);
    }
    return uri;
  }
}

function prefixOf(folder: vscode.Uri): string {
  return `${String(folder).replace(/\/$/, "")}/`;
}

/** The beginning of a text that is too long. */
export function cut(text: string, length = LONGEST_RESULT): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
