import { count, plural } from "./amounts.js";

/** The words of the view of the memory. */
export const memoryWords = {
  memory: {
    heading: "Turns",
    hint: "What happens in each turn. Change anything; the prompts beside follow.",
    turns: "Turns",
    turn: (number: number) => `Turn ${count(number)}`,
    fields: {
      task: "Task (empty: as before)",
      user: "The user says",
      thinking: "Thinking, a round a line",
      recall: "Recall: words to look for in earlier turns",
      summary: "Summary at the end of the turn",
      insights: "Insights, one a line",
    },
    addTurn: "Add a turn",
    again: "Begin again",
    budget: "Budget of the summaries in tokens",
    noBudget: "none",
    foldAnswer: "What the model answers when it is to put summaries together",
    preview: (turn: number) => `Prompts of turn ${count(turn)}`,
    phase: "Phase",
    phases: { thinking: "Thinking", action: "Action" },
    aboutPhase: {
      thinking: "The model works out what to do, and sees the whole conversation.",
      action: "The model calls tools, and sees the summaries, its thinking and what it recalled.",
    },
    recalled: (messages: number) =>
      `${plural(messages, "message")} recalled into the action phase.`,
    request: "The request for a summary",
    aboutRequest: {
      due: "This turn has no summary yet, so the model is asked for one at its end:",
      answered: "The summary in the form is taken as the answer to this.",
    },
    requestText: "What the model is asked",
    schema: "The JSON schema of its answer",
    folds: "Summaries put together",
    noFold: "The budget holds: nothing had to be put together.",
    fold: (turn: number, from: number, to: number) =>
      from === to
        ? `After turn ${count(turn)}: the summary of turn ${count(from)} is made shorter`
        : `After turn ${count(turn)}: turns ${count(from)} to ${count(to)} become one`,
    foldRequest: "What the model is asked",
    after: "The memory after this turn",
    system: "System prompt",
    context: "Workspace context",
    history: "History",
    noHistory: "Empty: nothing was recalled, and there is no thinking yet.",
    message: (number: number) => `Message ${count(number)}`,
    forged: "Somebody else wrote this heading; it is marked so that it counts for nothing",
  },
};
