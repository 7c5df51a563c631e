// The agent's hands: files of its folder, and commands in VS Code's terminals where there are any.

import type { AssemblerHost, TerminalSelector } from "turnkeeper";
import { connectVscodeTerminals, type VscodeTerminals } from "turnkeeper/adapters/vscode";
import * as vscode from "vscode";

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
  readonly #terminals: VscodeTerminals | undefined;

  constructor(
    readonly folder: vscode.Uri,
    selector: TerminalSelector,
    readonly taskId: string,
  ) {
    // A folder on GitHub or in the browser's memory has no machine with terminals.
    const isOnDisk = folder.scheme === "file" || folder.scheme === "vscode-remote";
    if (isOnDisk) this.#terminals = connectVscodeTerminals(vscode, selector);
  }

  /** The tools that the model may call. */
  get offered(): readonly vscode.LanguageModelChatTool[] {
    return this.#terminals ? [READ_FILE, RUN_COMMAND] : [READ_FILE];
  }

  /** Runs what the model called. An error is a result, too: the model reads it. */
  async run(name: string, input: object): Promise<string> {
    const { path, command, folder = "" } = input as Record<string, string | undefined>;
    try {
      if (name === READ_FILE.name) return await this.#read(path ?? "");
      if (name === RUN_COMMAND.name) return await this.#runCommand(command ?? "", folder);
      return `There is no tool ${name}.`;
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

  dispose(): void {
    this.#terminals?.dispose();
  }

  async #read(path: string): Promise<string> {
    const bytes = await vscode.workspace.fs.readFile(await this.#inFolder(path));
    return new TextDecoder().decode(bytes);
  }

  async #runCommand(command: string, folder: string): Promise<string> {
    if (!this.#terminals) return "There are no terminals here.";
    const workingDirectory = (await this.#inFolder(folder)).fsPath;
    // The command may come from a file that the model has read.
    const question = `Run ${command} in ${workingDirectory}?`;
    const answer = await vscode.window.showWarningMessage(question, "Run", "Refuse");
    if (answer !== "Run") return "The user did not allow it.";
    const run = this.#terminals.run({ command, workingDirectory, taskId: this.taskId });
    const { outcome, exitCode, output } = await run;
    return `${output}\n(${outcome}, exit code ${exitCode})`;
  }

  /** Neither `..` nor a symbolic link leads out of the folder. */
  async #inFolder(path: string): Promise<vscode.Uri> {
    const uri = vscode.Uri.joinPath(this.folder, path);
    const root = this.folder.path.replace(/\/$/, "");
    if (!`${uri.path}/`.startsWith(`${root}/`)) throw new Error(`${path} is outside the project`);
    let at = this.folder;
    for (const name of uri.path.slice(root.length).split("/").filter(Boolean)) {
      at = vscode.Uri.joinPath(at, name);
      const { type } = await vscode.workspace.fs.stat(at);
      if (type & vscode.FileType.SymbolicLink) throw new Error(`${path} is a symbolic link`);
    }
    return uri;
  }
}
