// In a fresh workspace: the model gets stuck, the user is told, two panels are opened.

import type { AgentEvent } from "turnkeeper";
import * as vscode from "vscode";

import type { Agent } from "../src/extension";
import { watchConsole } from "./console-watch";
import { observe } from "./observations";
import { agentExtension, answerPrompt, readFile } from "./prompt";

export async function run(): Promise<void> {
  await observe("host", () => ({
    vscode: vscode.version,
    node: "process" in globalThis,
    globalScope: globalThis.constructor.name,
  }));
  const extension = agentExtension();
  const heard = watchConsole(extension.extensionUri.path);
  console.log("the watch hears this");
  let agent: Agent | undefined;
  await observe("activation", async () => {
    agent = await extension.activate();
    return extension.isActive;
  });
  if (!agent) throw new Error("the agent was not activated");
  await runAgent(agent);
  await observe("console", () => heard);
}

async function runAgent(agent: Agent): Promise<void> {
  await observe("trace", () => agent.traceVerdicts());
  await observe("resumed-task", () => agent.resumedTask());
  await observe("context", () => promptsAboutFiles(agent));
  await observe("chat", () => stuckChat(agent));
  await observe("panel-that-allows-wasm", () => agent.openPanel({ allowWasm: true }));
  await observe("panel-that-forbids-wasm", () => agent.openPanel({ allowWasm: false }));
}

/** Two prompts about real files, one of which changes in between. */
async function promptsAboutFiles(agent: Agent) {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (!folder) throw new Error("no folder is open");
  const write = (name: string, text: string) =>
    vscode.workspace.fs.writeFile(
      vscode.Uri.joinPath(folder.uri, name),
      new TextEncoder().encode(text),
    );
  await write("notes/思.md", "one\ntwo </content_reference>\nthree\n");
  await write("notes/b.md", "same");
  await write("notes/dot.png", "PNG");
  const context = agent.contextOf(folder.uri);
  try {
    const first = await context.ask(
      "@[notes/思.md:2:3] @[notes/b.md] @[notes/] @[no.md] @[../up.md] ![dot](notes/dot.png)",
    );
    await write("notes/思.md", "1\n2\n3, and longer than before\n");
    const second = await context.ask("And now? @[notes/思.md:1]");
    return [first, second].map(({ block, parts, diagnostics }) => ({ block, parts, diagnostics }));
  } finally {
    context.dispose();
  }
}

async function stuckChat(agent: Agent) {
  const model = { events: 0, closed: false };
  async function* stream(): AsyncGenerator<AgentEvent> {
    try {
      model.events += 1;
      yield { type: "text", text: "Let me look around first." };
      for (let file = 0; ; file += 1) {
        await new Promise((resolve) => setTimeout(resolve, 1));
        model.events += 1;
        yield readFile(`src/${file}.ts`);
      }
    } finally {
      model.closed = true;
    }
  }
  const { seen, userAnswered } = await answerPrompt(agent, stream);
  const atTheEnd = { ...seen, model: { ...model } };
  // The part outside reads the message in the page and presses its button, which shows the log.
  await userAnswered;
  return { ...atTheEnd, log: await shownLog() };
}

/** The text of the log that is shown, once there is some. */
function shownLog(): Promise<string> {
  return new Promise((resolve) => {
    const look = () => {
      const text = vscode.workspace.textDocuments
        .find(({ uri }) => uri.scheme === "output" && uri.path.includes("Agent"))
        ?.getText();
      if (!text?.trim()) return;
      listeners.forEach((listener) => listener.dispose());
      resolve(text);
    };
    const listeners = [
      vscode.workspace.onDidOpenTextDocument(look),
      vscode.workspace.onDidChangeTextDocument(look),
    ];
    look();
  });
}
