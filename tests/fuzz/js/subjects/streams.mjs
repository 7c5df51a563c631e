// Streams under guard: sources that end, fail or fall silent, adapters and handlers that fail.

import { maybeSpoiled } from "../spoiled.mjs";
import { text } from "../texts.mjs";
import { HostError } from "../round.mjs";
import { event, loopOptions } from "./loop-detector.mjs";

/**
 * A source of the events, which now and then fails at one of them. It is written out by hand: a generator would
 * await what it yields, and fail itself at what must not be looked at.
 */
function sourceOf(events, failsAt) {
  const list = listOf(events);
  let at = 0;
  return {
    [Symbol.asyncIterator]: () => ({
      async next() {
        if (at === failsAt) throw new HostError("the source failed");
        return at < list.length
          ? { done: false, value: list[at++] }
          : { done: true, value: undefined };
      },
    }),
  };
}

/** What the list holds, or nothing if it has been spoiled itself. */
function listOf(events) {
  try {
    return Array.isArray(events) ? Array.from(events) : [];
  } catch {
    return [];
  }
}

const luck = (dice) => ({
  failsAt: dice.chance(100) ? dice.below(8) : undefined,
  adapterFailsAt: dice.chance(100) ? dice.below(8) : undefined,
  leavesAt: dice.chance(150) ? dice.below(8) : undefined,
});

const options = (dice, adapterFailsAt) => {
  let count = 0;
  return {
    onLoopDetected() {},
    adapter(event) {
      if (count++ === adapterFailsAt) throw new HostError("the adapter failed");
      return event;
    },
    ...dice.some({
      abort: () => new AbortController(),
      checkWithModel: () => async () => {
        if (dice.chance(200)) throw new HostError("no model");
        return maybeSpoiled(dice, {
          unproductive_state_analysis: "x",
          unproductive_state_confidence: 0.95,
        });
      },
    }),
  };
};

/** All that a stream under guard gives, the host's own failure included. */
export async function guarded(guard, events, dice) {
  const { failsAt, adapterFailsAt, leavesAt } = luck(dice);
  const out = [];
  const stream = guard(sourceOf(events, failsAt), options(dice, adapterFailsAt));
  try {
    for await (const event of stream) {
      out.push(event);
      if (out.length === leavesAt) break;
    }
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    out.push(error);
  }
  return out;
}

const events = (dice) => dice.list(0, 12, () => event(dice));

export const streams = {
  name: "streams",
  options: loopOptions,
  plainOptions: {},
  make: ({ LoopDetector }, given) => new LoopDetector(given),
  calls: {
    guardStream: {
      args: (dice) => [events(dice)],
      keeps: false,
      run: (it, [events], dice, { guardStream }) =>
        guarded((source, options) => guardStream(source, it, options), events, dice),
    },
    "guardStream, any options": {
      args: (dice) => [events(dice), { onLoopDetected() {}, abort: undefined }],
      keeps: false,
      async run(it, [events, options], dice, { guardStream }) {
        const out = [];
        for await (const event of guardStream(sourceOf(events), it, options)) out.push(event);
        return out.length;
      },
    },
    clear: { weight: 3 },
    startPrompt: {
      weight: 3,
      args: (dice) => [dice.pick(["p1", "p2"]), { userPrompt: text(dice) }],
    },
  },
  save: (it) => it.snapshot(),
  restore: ({ LoopDetector }, snapshot) => LoopDetector.restore(snapshot),
  end: (it) => it.dispose(),
};
