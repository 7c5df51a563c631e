// What the view of the memory asks for.

import { SummaryInjector, type SummaryRequest } from "turnkeeper";

/** A turn as a person writes it down. */
export interface StoryTurn {
  /** Empty: the task of the turn before. */
  task: string;
  user: string;
  /** A round of thinking a line. */
  thinking: string;
  /** Words to look for in earlier turns. */
  recall: string;
  summary: string;
  /** One a line. */
  insights: string;
}

export interface Story {
  turns: StoryTurn[];
  /** The budget of the summaries; undefined for none. */
  maxTokens: number | undefined;
  /** What the model says when it is asked to put summaries together. */
  fold: string;
  workspace: string;
}

/** A turn as the model sees it. */
export interface ToldTurn {
  number: number;
  task: string | undefined;
  thinking: Prompt;
  action: Prompt;
  /** How many messages were recalled. */
  recalled: number;
  /** What the model is asked for at the end of the turn, if anything was said in it. */
  request: { prompt: string; text: string; schema: string } | undefined;
  /** Whether the turn got a summary. */
  isSummed: boolean;
  /** The request to put summaries together, if one came after this turn. */
  fold: { fromTurn: number; toTurn: number; prompt: string; text: string } | undefined;
  /** The summaries as they are after the turn. */
  memory: string;
}

export interface Prompt {
  systemPrompt: string;
  workspaceContext: string;
  history: { role: string; text: string }[];
}

const CAPABILITY = "You edit code and run commands.";
const DIRECTION = "Test before you say that it works.";

/** Plays the turns from the beginning. */
export function memoryStory({ turns, maxTokens, fold, workspace }: Story): ToldTurn[] {
  const injector = new SummaryInjector(maxTokens === undefined ? {} : { maxTokens });
  const parts = { capability: CAPABILITY, direction: DIRECTION, workspace };
  try {
    return turns.map(({ task, user, thinking, recall, summary, insights }) => {
      const number = injector.startTurn(task.trim() === "" ? {} : { task });
      if (user.trim() !== "") injector.addMessage({ role: "user", content: user });
      const whole = injector.buildPrompt("thinking", parts);
      for (const round of linesOf(thinking)) injector.addThinkingRound(round);
      const keywords = recall.split(/[\s,，]+/).filter(Boolean);
      const recalled = keywords.length > 0 ? injector.recall({ keywords }) : 0;
      const short = injector.buildPrompt("action", parts);
      const current = injector.currentTurn?.task;
      const asked = summaryRequest(injector);
      const isSummed = summary.trim() !== "";
      if (isSummed) injector.storeSummary({ summary, insights: linesOf(insights) });
      injector.completeTurn();
      const request = injector.takeFoldRequest();
      if (request) injector.answerFoldRequest({ summary: fold || "…", insights: [] });
      return {
        number,
        task: current,
        thinking: promptOf(whole),
        action: promptOf(short),
        recalled,
        request: asked && {
          prompt: asked.prompt,
          text: asked.text,
          schema: JSON.stringify(asked.schema, undefined, 2),
        },
        isSummed,
        fold: request,
        memory: injector.accumulatedSummaries(),
      };
    });
  } finally {
    injector.dispose();
  }
}

/** Taken from a copy: a request that is out and gets no answer would keep back those of later turns. */
function summaryRequest(injector: SummaryInjector): SummaryRequest | undefined {
  const copy = SummaryInjector.restore(injector.snapshot());
  try {
    return copy.takeSummaryRequest();
  } finally {
    copy.dispose();
  }
}

function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => line.trim() !== "");
}

function promptOf(prompt: {
  systemPrompt: string;
  workspaceContext: string;
  conversationHistory: readonly unknown[];
}): Prompt {
  const { systemPrompt, workspaceContext, conversationHistory } = prompt;
  const history = conversationHistory.map((message) => {
    if (typeof message === "string") return { role: "", text: message };
    const { role, content } = message as { role: string; content: unknown };
    return { role, text: typeof content === "string" ? content : JSON.stringify(content) };
  });
  return { systemPrompt, workspaceContext, history };
}
