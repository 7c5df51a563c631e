// A model that needs no network, in VS Code's list of models: what it says follows from what it is asked.

import { fromMessages } from "turnkeeper/adapters/vscode";
import * as vscode from "vscode";

type Part = vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart;

const MODEL = {
  id: "scripted",
  name: "Scripted model",
  family: "scripted",
  version: "1",
  maxInputTokens: 100_000,
  maxOutputTokens: 10_000,
  capabilities: { toolCalling: true },
  // The chat offers it without being asked to.
  isUserSelectable: true,
};

export class ScriptedModel implements vscode.LanguageModelChatProvider<typeof MODEL> {
  /** The requests that it was sent, as JSON. */
  readonly requests: string[] = [];
  #calls = 0;

  provideLanguageModelChatInformation() {
    return [MODEL];
  }

  async provideLanguageModelChatResponse(
    _: typeof MODEL,
    given: readonly vscode.LanguageModelChatRequestMessage[],
    { tools = [] }: vscode.ProvideLanguageModelChatResponseOptions,
    progress: vscode.Progress<Part>,
  ): Promise<void> {
    const messages = fromMessages(given).map((message) => JSON.stringify(message));
    this.requests.push(messages.join("\n"));
    const at = messages.findLastIndex((message) => message.includes("<environment_details>"));
    const canRun = tools.some(({ name }) => name === "run_command") && at === messages.length - 1;
    for (const part of this.#answer(messages[at] ?? "", canRun)) progress.report(part);
  }

  provideTokenCount(_: unknown, text: string | object): Promise<number> {
    return Promise.resolve(Math.ceil(JSON.stringify(text).length / 4));
  }

  *#answer(prompt: string, canRun: boolean): Generator<Part> {
    if (prompt.includes("Tell me when")) {
      // It never does.
      yield this.#call("read_file", { path: "notes.md" });
    } else if (prompt.includes("List") && canRun) {
      yield this.#call("run_command", { command: "ls | cat", folder: "src" });
      yield this.#call("run_command", { command: "ls | cat" });
    } else {
      yield new vscode.LanguageModelTextPart("It is all in ");
      yield new vscode.LanguageModelTextPart("the message.");
    }
  }

  #call(name: string, input: object): vscode.LanguageModelToolCallPart {
    return new vscode.LanguageModelToolCallPart(`call-${this.#calls++}`, name, input);
  }
}
