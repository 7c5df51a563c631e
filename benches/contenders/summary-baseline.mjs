// What a few lines of TypeScript do: summaries in an array, and templates for every prompt.

export const turnContender = () => {
  const summaries = [];
  const messages = [];
  let task;
  let rounds = [];
  return {
    name: "templates",
    startTurn(turn = {}) {
      task = turn.task ?? task;
      rounds = [];
    },
    addMessage: (message) => messages.push(message),
    addThinkingRound: (round) => rounds.push(round),
    storeSummary: (summary) => (summaries[summary.turn - 1] = summary),
    buildPrompt(phase, { capability, direction, workspace }) {
      const entries = summaries.map(
        ({ summary, insights }, at) =>
          `[Turn ${at + 1}] ${summary}\nInsights: ${insights.join("; ")}`,
      );
      const goal = `=== TASK CONTEXT ===\nUser's Goal: ${task}`;
      const known = `=== ACCUMULATED MEMORY SUMMARIES ===\n${entries.join("\n\n")}`;
      const thoughts = rounds.map((round, at) => `Round ${at + 1}: ${round}`).join("\n\n");
      const isAction = phase === "action";
      return {
        systemPrompt: `${capability}\n\n${direction}\n\nKeep the user's goal in mind: "${task}".`,
        workspaceContext: isAction
          ? `${goal}\n\n${known}\n\n=== CURRENT WORKSPACE CONTEXT ===\n${workspace}`
          : `${goal}\n\n=== WORKSPACE CONTEXT ===\n${workspace}\n\n${known}\n\n=== PREVIOUS THINKING ROUNDS ===\n${thoughts}`,
        conversationHistory: isAction
          ? [{ role: "system", content: thoughts }]
          : messages.map(({ role, content }) => `<${role}>\n${content}\n</${role}>`),
      };
    },
  };
};
