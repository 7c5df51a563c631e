// The agent's loop: ask the model, carry out what it calls, and ask again until it calls nothing.

import type { AgentSession, AssemblerHost, LoopDetectedEvent } from "turnkeeper";
import {
  connectVscodeTerminals,
  streamAdapter,
  type VscodeTerminals,
} from "turnkeeper/adapters/vscode";
import * as vscode from "vscode";

/** What is needed of a `vscode.LanguageModelChat`. */
export type Model = Pick<vscode.LanguageModelChat, "sendRequest">;

/** What a prompt came to. */
export interface Answer {
  text: string;
  /** Why the model was stopped, if it was. */
  stopped?: string;
}

const CAPABILITY = "You can read files with read_file and run commands with run_command.";
const DIRECTION = "Work in small steps.";
const TOOLS: vscode.LanguageModelChatTool[] = [
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

export class Agent implements vscode.Disposable {
  readonly #terminals: VscodeTerminals;
  readonly #host: AssemblerHost = {
    readFile: async ({ path, startLine = 1, endLine }) => {
      const text = await this.#read(path);
      if (text === undefined) return { missing: true };
      return text
        .split("\n")
        .slice(startLine - 1, endLine)
        .join("\n");
    },
  };

  constructor(
    readonly session: AgentSession,
    readonly model: Model,
    readonly folder: vscode.Uri,
    readonly channel: vscode.OutputChannel,
    readonly save: () => Thenable<void>,
  ) {
    // The session chooses, so that its log says why; all else is the selector's.
    const { terminals } = session;
    this.#terminals = connectVscodeTerminals(vscode, {
      select: (request) => session.terminal(request),
      cancel: (id) => terminals.cancel(id),
      register: (terminal) => terminals.register(terminal),
      update: (id, change) => terminals.update(id, change),
      get terminals() {
        return terminals.terminals;
      },
    });
  }

  async ask(prompt: string): Promise<Answer> {
    const { session, channel } = this;
    channel.appendLine(`> ${prompt}`);
    session.beginTurn({ prompt });
    const environment = `Open terminals: ${vscode.window.terminals.length}`;
    const { content } = await session.assemble(this.#host, { environment });
    const { User } = vscode.LanguageModelChatMessage;
    const user = content.flatMap((part) =>
      part.type === "text" ? [new vscode.LanguageModelTextPart(part.text)] : [],
    );
    const { systemPrompt, workspaceContext } = session.buildPrompt("action", {
      capability: CAPABILITY,
      direction: DIRECTION,
      workspace: this.folder.fsPath,
    });
    const messages = [User(`${systemPrompt}\n\n${workspaceContext}`), User(user)];

    const answer: Answer = { text: "" };
    for (;;) {
      const said = await this.#listen(messages, answer);
      await this.save();
      const calls = said.filter((part) => part instanceof vscode.LanguageModelToolCallPart);
      if (calls.length === 0) break;
      messages.push(vscode.LanguageModelChatMessage.Assistant(said));
      const results: vscode.LanguageModelToolResultPart[] = [];
      for (const call of calls) {
        const output = await this.#carryOut(call);
        session.loop.observe({ type: "tool_result", id: call.callId, output });
        const part = new vscode.LanguageModelTextPart(output);
        results.push(new vscode.LanguageModelToolResultPart(call.callId, [part]));
      }
      messages.push(User(results));
    }
    session.endTurn({ summary: answer.text || (answer.stopped ?? "") });
    await this.save();
    channel.appendLine(answer.text);
    if (answer.stopped !== undefined) channel.appendLine(`(${answer.stopped})`);
    return answer;
  }

  dispose(): void {
    this.#terminals.dispose();
  }

  /** One answer of the model. Of one that is stopped, nothing is carried out. */
  async #listen(
    messages: vscode.LanguageModelChatMessage[],
    answer: Answer,
  ): Promise<(vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart)[]> {
    const cancel = new vscode.CancellationTokenSource();
    const abort = new AbortController();
    abort.signal.addEventListener("abort", () => cancel.cancel());
    const response = await this.model.sendRequest(messages, { tools: TOOLS }, cancel.token);
    const events = this.session.guard(response.stream, { adapter: streamAdapter(), abort });
    const said = [];
    for await (const event of events) {
      if (isDetected(event)) {
        const { action, report } = event.verdict;
        if (action === "stop") {
          answer.stopped = report.message;
          return [];
        }
        messages.push(vscode.LanguageModelChatMessage.User(report.feedback));
      } else if (event instanceof vscode.LanguageModelTextPart) {
        answer.text += event.value;
        said.push(event);
      } else if (event instanceof vscode.LanguageModelToolCallPart) {
        said.push(event);
      }
    }
    return said;
  }

  async #carryOut({ name, input }: vscode.LanguageModelToolCallPart): Promise<string> {
    const { path, command, folder } = input as Record<string, string | undefined>;
    if (name === "read_file" && path !== undefined) {
      return (await this.#read(path)) ?? `There is no ${path}.`;
    }
    if (name === "run_command" && command !== undefined) {
      const cwd = vscode.Uri.joinPath(this.folder, folder ?? "").fsPath;
      const { output, exitCode } = await this.#terminals.run({ command, cwd });
      return `${output}\n(exit code ${exitCode})`;
    }
    return `There is no such tool, or its arguments are wrong: ${name}`;
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

function isDetected(event: unknown): event is LoopDetectedEvent {
  return typeof event === "object" && event !== null && "verdict" in event;
}
