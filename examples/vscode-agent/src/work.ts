// The work of the machines in a turn, as the extension and its webview talk about it.

import type { AgentSession } from "turnkeeper";

/** By the name of the machine, for people. */
export type Work = Record<string, string>;

export interface ToView {
  /** The folder that paths in prompts are relative to. */
  root: string;
  /** The other folders of the workspace. */
  allowedRoots: string[];
  work: Work;
}

export type FromView = { type: "ready" } | { type: "ask"; prompt: string };

/** `tokensSaved` are those of older messages that newer ones replace. */
export function workOf(session: AgentSession, tokensSaved: number): Work {
  const { loop, assembler, terminals, summaries } = session;
  const { verdict } = loop;
  const files = assembler.items.map(({ key, error }) => (error ? `${key} (${error})` : key));
  const choice = terminals.log.at(-1);
  return {
    "Loop detector": verdict.action === "ok" ? "ok" : verdict.report.message,
    "History deduper": `${tokensSaved} tokens saved`,
    "Ghost block": files.join("\n") || "empty",
    "Terminal selector": choice ? `${choice.action}: ${choice.reason}` : "none was needed",
    "Summary injector": summaries.accumulatedSummaries() || "nothing yet",
  };
}
