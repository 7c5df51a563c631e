// Compiled against the installed package: each `@ts-expect-error` is a mistake that must not compile.

import {
  SummaryInjector,
  type Diagnostic,
  type FoldRequest,
  type SummaryInjectorOptions,
} from "turnkeeper";

interface OwnMessage {
  id: string;
  role: "user" | "assistant";
  content: { type: "text"; text: string }[];
  ts: number;
}

declare const saved: readonly OwnMessage[];

const options: SummaryInjectorOptions = {
  maxTokens: 1_000,
  maxRecalledMessages: 10,
  maxMessages: 500,
};
const parts = { capability: "C", direction: "D", workspace: "W" };

export function aTurn(): {
  systemPrompt: string;
  workspaceContext: string;
  conversationHistory: string[];
} {
  using injector = new SummaryInjector(options);
  const number: number = injector.startTurn({ task: "Fix it.", workspace: "/work" });
  for (const message of saved) injector.addMessage(message);
  injector.addThinkingRound("Look.");
  const queued: number = injector.recall({ turns: [number], ids: ["a"], keywords: ["b"] });
  const turn = injector.currentTurn;
  const task: string | undefined = turn?.task ?? turn?.workspace;
  injector.storeSummary({ summary: task ?? "", insights: [`${queued}`], turn: 1 });
  injector.storeSummary({ summary: "x" });
  const thinking: { role: "system"; content: string } | undefined = injector.thinkingMessage();
  const names: string[] = injector.thinkingTools.map((tool) => tool.name);
  const log: SummaryInjector["log"] = injector.log;
  const texts: string[] = [
    injector.accumulatedSummaries(),
    injector.actionContext("W"),
    injector.thinkingContext("W"),
    injector.systemPrompt(parts),
    thinking?.content ?? "",
    ...log.map(({ why }) => why),
    ...names,
  ];
  const { systemPrompt, workspaceContext, conversationHistory } = injector.buildPrompt(
    "thinking",
    parts,
  );
  const history: string[] = conversationHistory;
  injector.completeTurn();
  return {
    systemPrompt: systemPrompt + workspaceContext,
    workspaceContext: texts.join(),
    conversationHistory: history,
  };
}

export function theHistoryIsThatOfThePhase(
  injector: SummaryInjector,
  phase: "thinking" | "action",
): string[] {
  const { conversationHistory: recalled } = injector.buildPrompt("action", parts);
  recalled satisfies { role: string; content: unknown }[];
  const { conversationHistory } = injector.buildPrompt(phase, parts);
  conversationHistory satisfies string[] | typeof recalled;
  // @ts-expect-error: which of the two it is depends on the phase.
  conversationHistory satisfies string[];
  // @ts-expect-error: the action phase has messages.
  injector.buildPrompt("action", parts).conversationHistory satisfies string[];
  return recalled.map(({ role, content }) => `${role}: ${JSON.stringify(content)}`);
}

export async function aFold(injector: SummaryInjector): Promise<void> {
  const request: FoldRequest | undefined = injector.takeFoldRequest();
  if (!request) return;
  const range: [number, number] = [request.fromTurn, request.toTurn];
  const asked: string = request.prompt + request.text + range.join();
  injector.answerFoldRequest({ summary: asked, insights: [] }).diagnostics satisfies Diagnostic[];
  injector.answerFoldRequest(asked);
  injector.startTurn({ task: null });
  injector.dropFoldRequest();
}

export async function aSummary(injector: SummaryInjector): Promise<string[]> {
  const request = injector.takeSummaryRequest();
  if (request === undefined) return [];
  const { turn, prompt, schema, text } = request;
  [turn satisfies number, schema satisfies object];
  const answer: unknown = await Promise.resolve(prompt + text);
  const { diagnostics } = injector.answerSummaryRequest(answer, { finished: true });
  injector.dropSummaryRequest();
  // @ts-expect-error: nothing else can be recalled by.
  injector.recall({ words: ["x"] });
  // @ts-expect-error: there are two phases.
  injector.systemPrompt({ capability: "", direction: "", phase: "both" });
  injector.systemPrompt({ capability: "", direction: "", phase: "thinking" });
  new SummaryInjector({ texts: { reminder: "{task}", thinkingRule: "Think." } }).dispose();
  return diagnostics.map(({ code }) => code);
}

export function savedAndRestored(injector: SummaryInjector): SummaryInjector {
  const bytes: Uint8Array = injector.snapshot();
  return SummaryInjector.restore(bytes);
}

export function theKindOfPromptMustBeSaid(injector: SummaryInjector): void {
  injector.buildPrompt("action", parts);
  // @ts-expect-error: the phase must be named.
  injector.buildPrompt(parts);
  // @ts-expect-error: there are two phases.
  injector.buildPrompt("acting", parts);
  // @ts-expect-error: any text is no phase.
  injector.buildPrompt("act" as string, parts);
  // @ts-expect-error: no part may be forgotten.
  injector.buildPrompt("action", { capability: "C", direction: "D" });
  // @ts-expect-error: no part may be forgotten.
  injector.buildPrompt("thinking");
  // @ts-expect-error: a workspace is needed, be it empty.
  injector.actionContext();
}

export function wrongCallsDoNotCompile(injector: SummaryInjector): void {
  // @ts-expect-error: there is no such option.
  new SummaryInjector({ budget: 7 });
  // @ts-expect-error: a message has a role.
  injector.addMessage({ content: "x" });
  // @ts-expect-error: a summary is needed.
  injector.storeSummary({ insights: ["x"] });
  // @ts-expect-error: insights are texts.
  injector.storeSummary({ summary: "x", insights: [7] });
  // @ts-expect-error: turns are numbers.
  injector.recall({ turns: ["1"] });
  // @ts-expect-error: the log is the injector's own.
  injector.log.push({ turn: 1, what: "turn_completed", why: "x" });
}
