// The summary injector: turns, messages, recalls and folds.

import { args, json, text, word } from "../texts.mjs";

export const summaryOptions = (dice) =>
  dice.some({
    maxTokens: () => 1 + dice.below(200),
    maxRecalledMessages: () => 1 + dice.below(5),
    maxMessages: () => 1 + dice.below(6),
    maxRequestTokens: () => 1 + dice.below(400),
    texts: () => dice.some({ reminder: () => text(dice), thinkingRule: () => text(dice) }),
  });

export const parts = (dice) => ({
  capability: text(dice),
  direction: text(dice),
  workspace: text(dice),
});
export const summary = (dice) => ({
  summary: text(dice),
  ...dice.some({ insights: () => dice.list(0, 3, () => text(dice)) }),
});
export const turn = (dice) => dice.some({ task: () => text(dice) });

const message = (dice) => ({
  role: dice.pick(["user", "assistant", "思", "<x>"]),
  content: dice.chance(500) ? text(dice) : json(dice),
  ...dice.some({ id: () => dice.pick(["m1", "m2"]) }),
});

export const summaryInjector = {
  name: "SummaryInjector",
  options: summaryOptions,
  plainOptions: {},
  make: ({ SummaryInjector }, options) => new SummaryInjector(options),
  calls: {
    startTurn: { weight: 20, args: (dice) => [turn(dice)] },
    addMessage: { weight: 25, args: (dice) => [message(dice)] },
    addThinkingRound: { args: (dice) => [text(dice)] },
    addToolCall: {
      args: (dice) => [{ name: dice.pick(["ls", "思"]), args: args(dice), result: text(dice) }],
    },
    setNotes: {
      args: (dice) => [{ note: text(dice) }, ...dice.list(0, 1, () => 1 + dice.below(6))],
    },
    storeSummary: {
      weight: 15,
      args: (dice) => [{ ...summary(dice), ...dice.some({ turn: () => 1 + dice.below(6) }, 150) }],
    },
    completeTurn: { weight: 6 },
    currentTurn: { run: (it) => it.currentTurn },
    accumulatedSummaries: {},
    actionContext: { args: (dice) => [text(dice)] },
    thinkingContext: { args: (dice) => [text(dice)] },
    systemPrompt: {
      args: (dice) => [
        { ...parts(dice), ...dice.some({ phase: () => dice.pick(["thinking", "action"]) }) },
      ],
    },
    recall: {
      args: (dice) => [
        dice.some({
          turns: () => dice.list(0, 3, () => 1 + dice.below(6)),
          ids: () => dice.list(0, 2, () => dice.pick(["m1", "m2", "m3"])),
          keywords: () => dice.list(0, 3, () => word(dice)),
        }),
      ],
    },
    requestSucceeded: {},
    turns: {
      args: (dice) => [
        dice.some({
          from: () => dice.below(6),
          to: () => dice.below(6),
          last: () => dice.below(6),
        }),
      ],
    },
    search: { args: (dice) => [dice.list(0, 3, () => word(dice))] },
    exportTurns: {},
    "SummaryInjector.importTurns": {
      run(it, given, dice, { SummaryInjector }) {
        const exported = it.exportTurns();
        const other = SummaryInjector.importTurns(exported);
        const again = other.exportTurns();
        other.dispose();
        return [exported, again];
      },
    },
    buildPrompt: { weight: 20, args: (dice) => [dice.pick(["thinking", "action"]), parts(dice)] },
    takeFoldRequest: {},
    answerFoldRequest: { args: (dice) => [summary(dice)] },
    dropFoldRequest: { weight: 3 },
    takeSummaryRequest: {},
    answerSummaryRequest: {
      args: (dice) => [
        dice.chance(200)
          ? text(dice)
          : dice.some({
              goal: () => text(dice),
              done: () => text(dice),
              decisions: () => dice.list(0, 2, () => text(dice)),
              files: () => dice.list(0, 2, () => word(dice)),
              openPoints: () => dice.list(0, 2, () => text(dice)),
              insights: () => dice.list(0, 2, () => text(dice)),
            }),
      ],
    },
    dropSummaryRequest: { weight: 3 },
    thinkingMessage: {},
    thinkingTools: { weight: 1, run: (it) => it.thinkingTools },
    // Not in a snapshot.
    log: { weight: 1, run: (it) => void it.log.length },
  },
  save: (it) => it.snapshot(),
  restore: ({ SummaryInjector }, snapshot) => SummaryInjector.restore(snapshot),
  end: (it) => it.dispose(),
};
