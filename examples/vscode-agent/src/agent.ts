// A turn of the agent: ask the model, run the tools that it calls, and ask again until it calls none.

import { dedupeHistory, stripGhostBlocks, type LoopDetectedEvent } from "turnkeeper";
import { fromMessages, streamAdapter, toMessages } from "turnkeeper/adapters/vscode";
import * as vscode from "vscode";

import type { ChatMessage, Conversation } from "./conversations";
import { workOf, type Work } from "./work";

type Said = vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart;

export class Agent {
  readonly #abort = new AbortController();
  #tokensSaved = 0;
  #stopped: string | undefined;

  constructor(
    readonly conversation: Conversation,
    readonly model: vscode.LanguageModelChat,
    readonly response: vscode.ChatResponseStream,
    readonly token: vscode.CancellationToken,
    readonly show: (work: Work) => void,
  ) {
    token.onCancellationRequested(() => this.#abort.abort());
  }

  /** Answers a prompt. `earlier` is what was said in the turn before. */
  async answer(
    prompt: string,
    earlier: readonly ChatMessage[],
  ): Promise<{ messages: ChatMessage[]; stopped?: string }> {
    const { conversation, model } = this;
    const { session, tools } = conversation;
    const { loop } = session;
    const task = conversation.turn === 0 ? prompt : undefined;
    conversation.turn = session.beginTurn({ prompt, task, model: model.id });
    const before = await this.#before(earlier);
    const messages = [before.pop()!];
    let text = "";
    for (let isDone = false; !isDone;) {
      const { said, stream } = await this.#ask([...before, ...messages]);
      text += said.map((part) => ("value" in part ? part.value : "")).join("");
      // Of an answer that is stopped at once nothing is left, and providers refuse an empty message.
      const answer = said.length > 0 ? [vscode.LanguageModelChatMessage.Assistant(said)] : [];
      messages.push(...fromMessages(answer));
      const calls = said.filter((part) => "callId" in part);
      const content = [];
      for (const { callId, name, input } of calls) {
        // Each call needs a result, also if it is not run.
        const output = this.#isOver ? "Not run." : await tools.run(name, input);
        content.push({ type: "tool_result", tool_use_id: callId, content: output });
        stream.result({ id: callId, output });
      }
      isDone = calls.length === 0 || this.#isOver;
      if (!isDone) {
        // Nothing may come between a call and its result, so the hints follow the results.
        content.push(...loop.takeFeedback().map((hint) => ({ type: "text", text: hint })));
      }
      if (content.length > 0) messages.push({ role: "user", content });
      this.show(workOf(session, this.#tokensSaved));
    }
    const stopped = this.#stopped;
    session.endTurn({ summary: text || stopped });
    return { messages, stopped };
  }

  /** True if no more is asked and run in this turn. */
  get #isOver(): boolean {
    return this.token.isCancellationRequested || this.#session.loop.stopped;
  }

  get #session() {
    return this.conversation.session;
  }

  /**
   * The messages before the answer, the prompt last. The first one has changed since the turn before, so that no
   * provider has the rest in its cache, and what newer messages replace is removed for nothing.
   */
  async #before(earlier: readonly ChatMessage[]): Promise<ChatMessage[]> {
    const { tools, folder } = this.conversation;
    const { systemPrompt, workspaceContext } = this.#session.buildPrompt("action", {
      capability: `You can call ${tools.offered.map(({ name }) => name).join(" and ")}.`,
      direction: "Work in small steps.",
      workspace: folder.fsPath,
    });
    const active = vscode.window.activeTextEditor?.document.uri;
    const environment = `Active file: ${active ? vscode.workspace.asRelativePath(active) : "none"}`;
    const prompt = await this.#session.assemble(tools, { environment, signal: this.#abort.signal });
    const system = { role: "user", content: `${systemPrompt}\n\n${workspaceContext}` };
    const messages = [system, ...stripGhostBlocks(earlier), prompt];
    const shorter = dedupeHistory(messages, { economy: "resume", root: folder.fsPath });
    this.#tokensSaved = shorter.report.tokensSaved;
    return shorter.messages;
  }

  /** Asks the model, shows its answer as it comes, and ends it where the model is stopped. */
  async #ask(messages: readonly ChatMessage[]) {
    const cancel = new vscode.CancellationTokenSource();
    this.#abort.signal.addEventListener("abort", () => cancel.cancel());
    const { stream: source } = await this.model.sendRequest(
      toMessages(messages, vscode),
      { tools: [...this.conversation.tools.offered] },
      cancel.token,
    );
    const stream = this.#session.guard(source, {
      adapter: streamAdapter(),
      abort: this.#abort,
      onLoopDetected: this.#tell,
    });
    const said: Said[] = [];
    for await (const event of stream) {
      if (event instanceof vscode.LanguageModelTextPart) {
        said.push(event);
        this.response.markdown(event.value);
      } else if (event instanceof vscode.LanguageModelToolCallPart) {
        said.push(event);
        this.response.progress(`${event.name} ${JSON.stringify(event.input)}`);
      }
    }
    return { said, stream };
  }

  /** A stop is the turn's result; of a nudge the user reads when the model is given it. */
  readonly #tell = ({ verdict: { action, report } }: LoopDetectedEvent): void => {
    if (action === "stop") this.#stopped = report.message;
    else this.response.markdown(`\n\n> ${report.message}\n\n`);
  };
}
