// A model that needs no network: what it says follows from what it is asked.

import * as vscode from "vscode";

import type { Model } from "./agent";

type Part = vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart;

export class ScriptedModel implements Model {
  /** What it was sent, as text. */
  readonly requests: string[] = [];
  #calls = 0;

  async sendRequest(
    messages: vscode.LanguageModelChatMessage[],
  ): Promise<vscode.LanguageModelChatResponse> {
    const contents = messages.map(({ content }) => content.map(textOf).join("\n"));
    this.requests.push(contents.join("\n\n"));
    const [, prompt = ""] = contents;
    const stream = this.#answer(prompt, contents.slice(2).join("\n"));
    return { stream, text: textIn(stream) };
  }

  /** `so far` is what was called, and what came of it. */
  async *#answer(prompt: string, soFar: string): AsyncGenerator<Part> {
    if (prompt.startsWith("Tell me what changes in it")) {
      // It never does.
      yield this.#call("read_file", { path: "notes.md" });
    } else if (prompt.startsWith("List")) {
      if (soFar === "") {
        yield this.#call("run_command", { command: "ls | cat", folder: "src" });
        yield this.#call("run_command", { command: "ls | cat" });
      } else {
        yield new vscode.LanguageModelTextPart(`In src and above it:\n${soFar}`);
      }
    } else {
      yield new vscode.LanguageModelTextPart("It is all in ");
      yield new vscode.LanguageModelTextPart("the message.");
    }
  }

  #call(name: string, input: object): vscode.LanguageModelToolCallPart {
    return new vscode.LanguageModelToolCallPart(`call-${this.#calls++}`, name, input);
  }
}

function textOf(part: unknown): string {
  if (part instanceof vscode.LanguageModelTextPart) return part.value;
  if (part instanceof vscode.LanguageModelToolResultPart) return part.content.map(textOf).join("");
  return "";
}

async function* textIn(stream: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const part of stream) yield textOf(part);
}
