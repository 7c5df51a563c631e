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
  /** The requests of turns that it was sent, as JSON. */
  readonly requests: string[] = [];
  /** Those for summaries. */
  readonly summaries: string[] = [];
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
    const at = messages.findLastIndex((message) => message.includes("<environment_details>"));
    (at < 0 ? this.summaries : this.requests).push(messages.join("\n"));
    const canRun = tools.some(({ name }) => name === "run_command") && at === messages.length - 1;
    const prompt = messages[at];
    if (prompt === undefined) return progress.report(sumUp(messages.join("\n")));
    const named = tools.find(({ name }) => prompt.includes(`Use ${name}`))?.name;
    const isMore = at === messages.length - 1 || prompt.includes("without end");
    const canUse = isMore ? named : undefined;
    for (const part of this.#answer(prompt, canRun, canUse)) progress.report(part);
  }

  provideTokenCount(_: unknown, text: string | object): Promise<number> {
    return Promise.resolve(Math.ceil(JSON.stringify(text).length / 4));
  }

  *#answer(prompt: string, canRun: boolean, tool: string | undefined): Generator<Part> {
    const [, folder] = /Look into (\S+) now/.exec(prompt) ?? [];
    if (tool) {
      yield this.#call(tool, { page: this.#calls });
    } else if (folder && canRun) {
      yield this.#call("run_command", { command: "ls | cat", folder });
    } else if (prompt.includes("at length")) {
      const words = Array.from({ length: 400 }, (_, n) => (n * n * 7919 + 46656).toString(36));
      yield new vscode.LanguageModelTextPart(`It is a long story: ${words.join(" ")}.`);
    } else if (prompt.includes("Tell me when")) {
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

/** A summary, unless the user does not want one. */
function sumUp(asked: string): Part {
  if (asked.includes("never sum up")) throw new Error("The model is asleep.");
  return new vscode.LanguageModelTextPart("The answer was given.");
}
