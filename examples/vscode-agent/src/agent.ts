// The agent's loop: ask the model, run the tools that it calls, and ask again until it calls none.

import type { AgentSession } from "turnkeeper";
import { streamAdapter } from "turnkeeper/adapters/vscode";
import * as vscode from "vscode";

import { TOOLS, type Tools } from "./tools";

const { Assistant, User } = vscode.LanguageModelChatMessage;

/** What is needed of a `vscode.LanguageModelChat`. */
export type Model = Pick<vscode.LanguageModelChat, "sendRequest">;
type Said = vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart;

/** What a prompt led to. */
export interface Answer {
  text: string;
  /** Why the model was stopped, if it was: for the user. */
  stopped?: string;
}

export class Agent {
  constructor(
    readonly session: AgentSession,
    readonly model: Model,
    readonly tools: Tools,
    /** Saves the session, so that a restart of the extension host loses nothing. */
    readonly save: () => Thenable<void>,
  ) {}

  async ask(prompt: string): Promise<Answer> {
    const { session, tools } = this;
    const { loop } = session;
    session.beginTurn({ prompt });
    const messages = await this.#firstMessages();
    const answer: Answer = { text: "" };
    let calls: vscode.LanguageModelToolCallPart[];
    do {
      const stream = await this.#request(messages);
      const said: Said[] = [];
      for await (const event of stream) {
        if (event instanceof vscode.LanguageModelTextPart) said.push(event);
        else if (event instanceof vscode.LanguageModelToolCallPart) said.push(event);
      }
      answer.text += said.map((part) => ("value" in part ? part.value : "")).join("");

      // A stopped model's calls are not run.
      calls = loop.verdict.action === "stop" ? [] : said.filter((part) => "callId" in part);
      const results: vscode.LanguageModelToolResultPart[] = [];
      for (const call of calls) {
        const output = await tools.run(call);
        const content = [new vscode.LanguageModelTextPart(output)];
        results.push(new vscode.LanguageModelToolResultPart(call.callId, content));
        stream.result({ id: call.callId, output });
      }

      // What the model is told follows the results: nothing may come between a call and its result.
      const hints = loop.takeFeedback().map((hint) => new vscode.LanguageModelTextPart(hint));
      messages.push(Assistant(said), User([...results, ...hints]));
      if (loop.verdict.action === "stop") answer.stopped = loop.verdict.report.message;
      await this.save();
    } while (calls.length > 0 && answer.stopped === undefined);

    session.endTurn({ summary: answer.text || answer.stopped });
    await this.save();
    return answer;
  }

  /** What the model is, what it knows from earlier turns, and the prompt with the files it names. */
  async #firstMessages(): Promise<vscode.LanguageModelChatMessage[]> {
    const environment = `Open terminals: ${vscode.window.terminals.length}`;
    const { content } = await this.session.assemble(this.tools, { environment });
    const { systemPrompt, workspaceContext } = this.session.buildPrompt("action", {
      capability: "You can read files with read_file and run commands with run_command.",
      direction: "Work in small steps.",
      workspace: this.tools.folder.fsPath,
    });
    const prompt = content.flatMap((part) =>
      part.type === "text" ? [new vscode.LanguageModelTextPart(part.text)] : [],
    );
    return [User(`${systemPrompt}\n\n${workspaceContext}`), User(prompt)];
  }

  /** The stream of one answer, which ends where the model is stopped. */
  async #request(messages: vscode.LanguageModelChatMessage[]) {
    const cancel = new vscode.CancellationTokenSource();
    const abort = new AbortController();
    abort.signal.addEventListener("abort", () => cancel.cancel());
    const response = await this.model.sendRequest(messages, { tools: TOOLS }, cancel.token);
    return this.session.guard(response.stream, { adapter: streamAdapter(), abort });
  }
}
