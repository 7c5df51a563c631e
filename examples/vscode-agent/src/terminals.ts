// The terminals of the window, which all chats share, each as a task of its own.

import { TerminalSelector } from "turnkeeper";
import { connectVscodeTerminals, type VscodeTerminals } from "turnkeeper/adapters/vscode";
import * as vscode from "vscode";

import { fromBase64, toBase64 } from "./conversations";

/** Where VS Code keeps what the selector knows, over restarts. */
const KEY = "terminals";

export class Terminals {
  readonly selector: TerminalSelector;
  #connected: VscodeTerminals | undefined;

  constructor(readonly state: vscode.Memento) {
    const saved = state.get<string>(KEY);
    const platform = /^[a-z]:|^\\\\/i.test(vscode.env.appRoot) ? "win32" : "posix";
    this.selector = saved
      ? TerminalSelector.restore(fromBase64(saved))
      : new TerminalSelector({ platform });
  }

  async run(command: string, workingDirectory: string, taskId: string) {
    this.#connected ??= connectVscodeTerminals(vscode, this.selector);
    return await this.#connected.run({ command, workingDirectory, taskId });
  }

  /** Ends a turn of a chat: until its next one, others may use its terminals. */
  async release(taskId: string): Promise<void> {
    this.selector.releaseTask(taskId);
    await this.state.update(KEY, toBase64(this.selector.snapshot()));
  }

  dispose(): void {
    this.#connected?.dispose();
    this.selector.dispose();
  }
}
