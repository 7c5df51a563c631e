// A turn of the agent: ask the model, run the tools that it calls, and ask again until it calls none.

import { dedupeHistory, stripGhostBlocks, type LoopDetectedEvent } from "turnkeeper";
import { fromMessages, streamAdapter, toMessages } from "turnkeeper/adapters/vscode";
import * as vscode from "vscode";

import type { ChatMessage, Conversation } from "./conversations";
import { cut, type Tools } from "./tools";
import { workOf, type Work } from "./work";

/** More requests than these a turn does not make, loop or not. */
const MOST_REQUESTS = 25;
/** The characters of what was said that a summary is made of, and of a summary by nobody. */
const LONGEST_SAID = 4_000;
const LONGEST_FALLBACK = 500;

type Said = vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart;

export class Agent {
  readonly #abort = new AbortController();
  /** Ends the requests of the turn: when the user does, and when the loop detector stops the model. */
  readonly #cancel = new vscode.CancellationTokenSource();
  #tokensSaved = 0;
  #stopped: string | undefined;

  constructor(
    readonly conversation: Conversation,
    readonly tools: Tools,
    readonly model: vscode.LanguageModelChat,
    readonly response: vscode.ChatResponseStream,
    readonly token: vscode.CancellationToken,
    readonly show: (work: Work) => void,
  ) {}

  /** Answers a prompt. `earlier` is what was said in the turn before. */
  async answer(
    prompt: string,
    earlier: readonly ChatMessage[],
  ): Promise<{ messages: ChatMessage[]; stopped?: string }> {
    this.#abort.signal.addEventListener("abort", () => this.#cancel.cancel());
    const cancelled = this.token.onCancellationRequested(() => this.#abort.abort());
    try {
      return await this.#answer(prompt, earlier);
    } finally {
      cancelled.dispose();
      this.#cancel.dispose();
    }
  }

  async #answer(prompt: string, earlier: readonly ChatMessage[]) {
    const { conversation, model, tools } = this;
    const { session } = conversation;
    const { loop } = session;
    const task = conversation.turn === 0 ? prompt : undefined;
    conversation.turn = session.beginTurn({ prompt, task, model: model.id });
    const before = await this.#before(earlier);
    const messages = [before.pop()!];
    let text = "";
    let done = "";
    for (let requests = 1, isDone = false; !isDone; requests++) {
      const { said, stream } = await this.#ask([...before, ...messages]);
      text += said.map((part) => ("value" in part ? part.value : "")).join("");
      // Of an answer that is stopped at once nothing is left, and providers refuse an empty message.
      const answer = said.length > 0 ? [vscode.LanguageModelChatMessage.Assistant(said)] : [];
      messages.push(...fromMessages(answer));
      const calls = said.filter((part) => "callId" in part);
      if (calls.length > 0 && requests === MOST_REQUESTS) {
        this.#stopped ??= `Stopped after ${MOST_REQUESTS} requests, the most of a turn. Ask to go on.`;
      }
      const content = [];
      for (const { callId, name, input } of calls) {
        // Each call needs a result, also if it is not run.
        const output = this.#isOver ? "Not run." : await tools.run(name, input, this.token);
        content.push({ type: "tool_result", tool_use_id: callId, content: output });
        stream.result({ id: callId, output });
        done = cut(`${done}${name} ${JSON.stringify(input)}\n`, LONGEST_SAID);
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
    const summary = await this.#sumUp(prompt, done, text);
    session.endTurn({ summary });
    await this.#fold();
    this.show(workOf(session, this.#tokensSaved));
    return { messages, stopped };
  }

  /** True if no more is asked and run in this turn. */
  get #isOver(): boolean {
    return this.token.isCancellationRequested || this.#stopped !== undefined;
  }

  /** A model that loops has nothing to tell, and who has cancelled a turn does not wait for more. */
  get #canWrite(): boolean {
    return !this.token.isCancellationRequested && !this.#session.loop.stopped;
  }

  get #session() {
    return this.conversation.session;
  }

  /**
   * The messages before the answer, the prompt last. The first one has changed since the turn before, so that no
   * provider has the rest in its cache, and what newer messages replace is removed for nothing.
   */
  async #before(earlier: readonly ChatMessage[]): Promise<ChatMessage[]> {
    const { tools } = this;
    const { systemPrompt, workspaceContext } = this.#session.buildPrompt("action", {
      capability: `You can call ${tools.own.map(({ name }) => name).join(" and ")}.`,
      direction: "Work in small steps.",
      workspace: tools.folders.map(({ uri }) => uri.fsPath).join("\n"),
    });
    const active = vscode.window.activeTextEditor?.document.uri;
    const environment = `Active file: ${active ? vscode.workspace.asRelativePath(active) : "none"}`;
    const prompt = await this.#session.assemble(tools, { environment, signal: this.#abort.signal });
    const system = { role: "user", content: `${systemPrompt}\n\n${workspaceContext}` };
    const messages = [system, ...stripGhostBlocks(earlier), prompt];
    const shorter = dedupeHistory(messages, { economy: "resume", root: tools.root.fsPath });
    this.#tokensSaved = shorter.report.tokensSaved;
    return shorter.messages;
  }

  /** Asks the model, shows its answer as it comes, and ends it where the model is stopped. */
  async #ask(messages: readonly ChatMessage[]) {
    const { stream: source } = await this.model.sendRequest(
      toMessages(messages, vscode),
      { tools: this.tools.offered },
      this.#cancel.token,
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

  /** Has the model sum the turn up. Returns what is to be the summary if it does not. */
  async #sumUp(prompt: string, done: string, text: string): Promise<string | undefined> {
    const { summaries } = this.#session;
    const id = `turn ${this.conversation.turn}`;
    const content = `${done}${cut(text, LONGEST_SAID)}` || "Nothing.";
    summaries.addMessage({ id: `${id} user`, role: "user", content: cut(prompt, LONGEST_SAID) });
    summaries.addMessage({ id: `${id} assistant`, role: "assistant", content });
    const request = this.#canWrite ? summaries.takeSummaryRequest() : undefined;
    if (request) {
      const answer = await this.#write(request.prompt, request.schema, request.text);
      const { diagnostics } = summaries.answerSummaryRequest(answer);
      if (!diagnostics.some(({ code }) => code === "unreadable_summary")) return undefined;
      summaries.dropSummaryRequest();
    }
    return cut([this.#stopped, text].filter(Boolean).join(" "), LONGEST_FALLBACK) || undefined;
  }

  /** Has the model make one summary of the oldest, once all take more than their budget. */
  async #fold(): Promise<void> {
    const { summaries } = this.#session;
    const request = this.#canWrite ? summaries.takeFoldRequest() : undefined;
    if (!request) return;
    const answer = await this.#write(request.prompt, undefined, request.text);
    try {
      summaries.answerFoldRequest(answer);
    } catch {
      // There is no summary in the answer, and the next turn asks again.
      summaries.dropFoldRequest();
    }
  }

  /** What the model writes about a text; empty if it fails. */
  async #write(prompt: string, schema: object | undefined, text: string): Promise<string> {
    const asked = [prompt, schema && JSON.stringify(schema), text].filter(Boolean).join("\n\n");
    let written = "";
    try {
      const message = vscode.LanguageModelChatMessage.User(asked);
      const answer = await this.model.sendRequest([message], {}, this.#cancel.token);
      for await (const part of answer.text) {
        written += part;
        if (written.length > LONGEST_SAID) break;
      }
    } catch {
      return "";
    }
    return cut(written, LONGEST_SAID);
  }

  /** A stop is the turn's result; of a nudge the user reads when the model is given it. */
  readonly #tell = ({ verdict: { action, report } }: LoopDetectedEvent): void => {
    if (action === "stop") this.#stopped = report.message;
    else this.response.markdown(`\n\n> ${report.message}\n\n`);
  };
}
