// What the agent can do: read the files of its folder, and run commands in VS Code's terminals.

import type { AssemblerHost, TerminalSelector } from "turnkeeper";
import { connectVscodeTerminals, type VscodeTerminals } from "turnkeeper/adapters/vscode";
import * as vscode from "vscode";

export const TOOLS: vscode.LanguageModelChatTool[] = [
  {
    name: "read_file",
    description: "The content of a file.",
    inputSchema: { type: "object", properties: { path: { type: "string" } } },
  },
  {
    name: "run_command",
    description: "Runs a command in a terminal.",
    inputSchema: {
      type: "object",
      properties: { command: { type: "string" }, folder: { type: "string" } },
    },
  },
];

export class Tools implements AssemblerHost, vscode.Disposable {
  readonly #terminals: VscodeTerminals;

  constructor(
    readonly folder: vscode.Uri,
    selector: TerminalSelector,
  ) {
    this.#terminals = connectVscodeTerminals(vscode, selector);
  }

  /** What the model called: its output. */
  async run({ name, input }: vscode.LanguageModelToolCallPart): Promise<string> {
    const { path, command, folder } = input as Record<string, string | undefined>;
    if (name === "read_file" && path !== undefined) {
      return (await this.#read(path)) ?? `There is no ${path}.`;
    }
    if (name === "run_command" && command !== undefined) {
      const workingDirectory = vscode.Uri.joinPath(this.folder, folder ?? "").fsPath;
      const { output, exitCode } = await this.#terminals.run({ command, workingDirectory });
      return `${output}\n(exit code ${exitCode})`;
    }
    return `There is no such tool, or its arguments are wrong: ${name}`;
  }

  /** A file that a prompt names. `@[a.ts:2]` is line 2 alone: both lines are 2. */
  async readFile({ path, startLine, endLine }: Parameters<AssemblerHost["readFile"]>[0]) {
    const text = await this.#read(path);
    if (text === undefined) return { missing: true } as const;
    if (startLine === undefined) return text;
    return text
      .split("\n")
      .slice(startLine - 1, endLine)
      .join("\n");
  }

  dispose(): void {
    this.#terminals.dispose();
  }

  async #read(path: string): Promise<string | undefined> {
    try {
      const uri = vscode.Uri.joinPath(this.folder, path);
      return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
    } catch {
      return undefined;
    }
  }
}
