// The agent under test, and the prompt that gets stuck: the same one before and after the reload.

import type { AgentEvent } from "turnkeeper";
import * as vscode from "vscode";

import type { Agent } from "../src/extension";

export function agentExtension(): vscode.Extension<Agent> {
  const extension = vscode.extensions.getExtension<Agent>("turnkeeper-tests.agent");
  if (!extension) throw new Error("VS Code does not know the agent");
  return extension;
}

/** Lets the agent answer with what `stream` yields; `filesRead` are the calls that it ran. */
export async function answerPrompt(agent: Agent, stream: () => AsyncIterable<AgentEvent>) {
  const filesRead: string[] = [];
  const { userAnswered, ...chat } = await agent.chat({
    promptId: "prompt-1",
    modelName: "gemini-3-pro-preview",
    stream,
    async readFile(path) {
      filesRead.push(path);
      return `// ${path}`;
    },
  });
  return { seen: { ...chat, filesRead }, userAnswered };
}

export function readFile(path: string): AgentEvent {
  return { type: "tool_call", name: "read_file", args: { path } };
}
