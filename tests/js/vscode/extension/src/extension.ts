// The agent's entry, the same source for both extension hosts.

import * as vscode from "vscode";

import { chat, type Chat, type Conversation } from "./chat";
import { contextOf } from "./context";
import { resumedTask } from "./history";
import { openPanel, type PanelAnswer } from "./panel";
import { loadDetector, saveDetector } from "./saved-detector";
import { traceVerdicts, type TraceVerdicts } from "./trace";

/** What the agent lets other extensions, and the tests, do with it. */
export interface Agent {
  traceVerdicts(): TraceVerdicts;
  chat(conversation: Conversation): Promise<Chat & { userAnswered: Thenable<void> }>;
  resumedTask(): ReturnType<typeof resumedTask>;
  contextOf(folder: vscode.Uri): ReturnType<typeof contextOf>;
  savedVerdict(): ReturnType<typeof loadDetector>["verdict"];
  openPanel(policy: { allowWasm: boolean }): Promise<PanelAnswer>;
  /** What the agent does to the environment of new terminals. */
  environmentVariableCollection: vscode.EnvironmentVariableCollection;
}

export function activate(context: vscode.ExtensionContext): Agent {
  const log = vscode.window.createOutputChannel("Agent", { log: true });
  const detector = loadDetector(context.workspaceState);
  context.subscriptions.push(log, detector);

  async function warn(message: string): Promise<void> {
    log.warn(message);
    const showLog = "Show Log";
    if ((await vscode.window.showWarningMessage(message, showLog)) === showLog) log.show();
  }

  return {
    traceVerdicts,
    resumedTask,
    contextOf,
    async chat(conversation) {
      const finished = await chat(conversation, detector);
      await saveDetector(context.workspaceState, detector);
      const userAnswered = finished.report ? warn(finished.report.message) : Promise.resolve();
      return { ...finished, userAnswered };
    },
    savedVerdict: () => detector.verdict,
    environmentVariableCollection: context.environmentVariableCollection,
    openPanel: (policy) => openPanel(context.extensionUri, policy),
  };
}
