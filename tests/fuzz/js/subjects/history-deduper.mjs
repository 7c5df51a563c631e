// The history deduper: whole histories, message by message, and the functions on one content.

import { args, json, text, word } from "../texts.mjs";

/** Names of tags, none of them twice. */
const tags = (dice) => {
  const all = ["environment_details", "env", "a", "b"];
  return all.slice(dice.below(all.length), all.length).reverse();
};

const options = (dice) =>
  dice.some(
    {
      tags: () => tags(dice),
      embedded: () => dice.chance(500),
      keep: () => dice.pick(["last", "first"]),
      recent: () => 1 + dice.below(4),
      sections: () => dice.pick(["all", "changed"]),
      files: () => dice.pick(["all", "newest"]),
      writes: () => dice.chance(500),
      repeatedResults: () => dice.chance(500),
      root: () => dice.pick(["/work", "C:\\work"]),
      cache: () => ({ idleMs: dice.below(1_000_000) }),
    },
    200,
  );

const call = (dice) => ({
  type: "tool_use",
  id: dice.pick(["t1", "t2"]),
  name: "read_file",
  input: args(dice),
});

export const content = (dice) =>
  dice.chance(350)
    ? text(dice)
    : dice.list(0, 4, () =>
        dice.weighted([
          [5, { type: "text", text: text(dice) }],
          [2, call(dice)],
          [
            2,
            {
              type: "tool_result",
              tool_use_id: dice.pick(["t1", "t2"]),
              content: dice.chance(500) ? text(dice) : [{ type: "text", text: text(dice) }],
            },
          ],
          [1, json(dice)],
        ]),
      );

export const message = (dice) => ({
  role: dice.pick(["user", "user", "assistant", "tool"]),
  content: content(dice),
  ...dice.some({ id: () => word(dice), ts: () => dice.below(100) }),
});

const environment = (dice) =>
  dice.some({
    onExisting: () => dice.pick(["replace", "keep"]),
    tags: () => tags(dice),
  });

/** What one history says must not depend on who asks, so the object may be none. */
const alone = (call) => (it, given, dice, tk) => call(tk, ...given);

export const historyDeduper = {
  name: "HistoryDeduper",
  options,
  plainOptions: {},
  make: ({ HistoryDeduper }, given) => ({ deduper: new HistoryDeduper(given) }),
  calls: {
    push: {
      weight: 30,
      args: (dice) => [message(dice)],
      run: (it, [message]) => it.deduper.push(message),
    },
    "a push that fails": {
      weight: 5,
      run(it, given, dice, { TurnkeeperError }) {
        const before = it.deduper.report;
        for (const wrong of [7, null, "x"]) {
          try {
            it.deduper.push(wrong);
          } catch (error) {
            if (!(error instanceof TurnkeeperError)) throw error;
          }
        }
        return [before, it.deduper.report];
      },
    },
    report: { run: (it) => it.deduper.report },
    dedupeHistory: {
      weight: 20,
      args: (dice) => [dice.list(0, 8, () => message(dice)), options(dice)],
      run: alone(({ dedupeHistory }, messages, options) => dedupeHistory(messages, options)),
    },
    "dedupeHistory twice": {
      args: (dice) => [dice.list(0, 8, () => message(dice)), options(dice)],
      run: alone(({ dedupeHistory }, messages, options) => {
        const once = dedupeHistory(messages, options);
        const twice = dedupeHistory(once.messages, options);
        if (twice.messages.some((message, at) => message !== once.messages[at])) {
          throw new Error(
            `a second repair changes something: ${JSON.stringify(twice.report.changes)}`,
          );
        }
        return once;
      }),
    },
    restoreHistory: {
      args: (dice) => [dice.list(0, 8, () => message(dice)), options(dice)],
      run: alone(({ dedupeHistory, restoreHistory }, messages, options) => {
        const { messages: repaired, report } = dedupeHistory(messages, options);
        let before;
        try {
          before = JSON.stringify([messages, report]);
        } catch {
          // The dice gave it what is no JSON.
          return report;
        }
        const [, read] = JSON.parse(before);
        if (JSON.stringify([restoreHistory(repaired, read), report]) !== before) {
          throw new Error("not what it was");
        }
        return report;
      }),
    },
    withEnvironment: {
      args: (dice) => [content(dice), text(dice), environment(dice)],
      run: alone(({ withEnvironment }, ...given) => withEnvironment(...given)),
    },
    stripEnvironment: {
      args: (dice) => [
        dice.pick([content(dice), message(dice), dice.list(0, 8, () => message(dice))]),
        dice.some({ tags: () => ["env", dice.pick(["a", "b"])] }),
      ],
      run: alone(({ stripEnvironment }, ...given) => stripEnvironment(...given)),
    },
  },
  end: (it) => it.deduper.dispose(),
};
