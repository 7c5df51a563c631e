// The loop detector: every event, option and answer.

import { args, json, text, word } from "../texts.mjs";
import { PROFILES } from "../../../js/profiles.mjs";

const limit = (dice) => (dice.chance(200) ? false : 2 + dice.below(6));

export function loopOptions(dice) {
  return dice.some(
    {
      profile: () => dice.pick(PROFILES),
      previewModel: () => dice.pick(["preview", /x+/i, "(a+)+$"]),
      previewCalls: () => limit(dice),
      tools: () => ({ intensive: dice.list(0, 3, () => word(dice)), wait: [word(dice)] }),
      repeatedPassages: () => limit(dice),
      repeatedResults: () => limit(dice),
      cycleRounds: () => limit(dice),
      longPassages: () => limit(dice),
      identicalCalls: () => limit(dice),
      modelCheck: () =>
        dice.pick([false, { afterTurns: 2, interval: 1, minInterval: 1, maxInterval: 2 }]),
      messages: () => ({ monologue: { message: text(dice), feedback: "{tool} {count}" } }),
    },
    150,
  );
}

export function event(dice) {
  const id = () => dice.pick(["c1", "c2", "c3"]);
  return dice.weighted([
    [6, { type: "text", text: text(dice) }],
    [3, { type: "reasoning", text: text(dice) }],
    [8, { type: "tool_call", ...dice.some({ id }), name: word(dice), args: args(dice) }],
    [
      2,
      {
        type: "tool_call",
        name: word(dice),
        args: dice.chance(500) ? JSON.stringify(json(dice)) : text(dice),
      },
    ],
    [
      6,
      {
        type: "tool_result",
        ...dice.some({ id, isError: () => dice.chance(500), exitCode: () => dice.below(3) }),
        output: dice.chance(500) ? word(dice) : text(dice),
      },
    ],
    [2, { type: "turn_started" }],
    [1, { type: "user_message" }],
    [1, { type: "finished" }],
    [1, { type: "condensation" }],
    [1, { type: "retry" }],
    [
      1,
      { type: "loop_reported", ...dice.some({ by: () => word(dice), detail: () => text(dice) }) },
    ],
    [1, { type: "other" }],
  ]);
}

const prompt = (dice) => [
  dice.pick(["p1", "p2", "思", ""]),
  dice.some({
    model: () => dice.pick(["m", "m-preview", "aaaaaaaaaaaaaaaaaaaaaaaaaa!"]),
    userPrompt: () => text(dice),
  }),
];

export const loopDetector = {
  name: "LoopDetector",
  options: loopOptions,
  plainOptions: {},
  make: ({ LoopDetector }, options) => new LoopDetector(options),
  calls: {
    startPrompt: { weight: 6, args: prompt },
    observe: { weight: 80, args: (dice) => [event(dice)] },
    "the same event again": {
      weight: 25,
      args: (dice) => [event(dice)],
      run(it, [event], dice) {
        for (let times = dice.below(12); times >= 0; times--) it.observe(event);
        return it.verdict;
      },
    },
    // What came before the event that is refused stays observed.
    observeAll: { weight: 10, args: (dice) => [dice.list(0, 6, () => event(dice))], keeps: false },
    takeFeedback: { weight: 4 },
    takeModelCheck: { weight: 4 },
    answerModelCheck: {
      weight: 4,
      args: (dice) => [
        dice.chance(300)
          ? json(dice)
          : {
              unproductive_state_analysis: text(dice),
              unproductive_state_confidence: dice.below(3) / 2,
            },
      ],
    },
    verdict: { run: (it) => it.verdict },
    stopped: { run: (it) => it.stopped },
    counts: { run: (it) => it.counts },
    progress: { run: (it) => it.progress },
    prompt: { run: (it) => it.prompt },
    blind: { run: (it) => it.blind },
    clear: { weight: 2 },
    disable: { weight: 1 },
    enable: { weight: 2 },
  },
  save: (it) => it.snapshot(),
  restore: ({ LoopDetector }, snapshot) => LoopDetector.restore(snapshot),
  end: (it) => it.dispose(),
};
