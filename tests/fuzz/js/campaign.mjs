// Rounds of one subject, one after another, until something fails or the time is up.

import { mixed } from "./dice.mjs";
import { neighbours } from "./neighbours.mjs";
import { play, stepsOf } from "./round.mjs";

/** Rejections that nobody handles are nobody's but the package's. */
const unhandled = [];
process.on("unhandledRejection", (error) => unhandled.push(error));

/** More failures of different kinds than these are not looked for. */
const MOST_FAILURES = 12;

/**
 * Plays rounds until `isOver(rounds)`. The seed of a round follows from `seed` and its number, and is the
 * seed itself for the first, so that a failure's seed replays it at once.
 *
 * @returns The number of calls, and the first failure of each kind with its seed and its shortest steps.
 */
export async function campaign(subject, tk, seed, { isOver, kinds = "all", announce = () => {} }) {
  const others = neighbours(tk);
  const failures = new Map();
  let calls = 0;
  for (let round = 0; !isOver(round) && failures.size < MOST_FAILURES; round++) {
    const roundSeed = round === 0 ? seed >>> 0 : mixed(seed, round);
    announce(roundSeed);
    const played = await playSettled(subject, tk, roundSeed, { kinds });
    calls += played.calls;
    const failure = played.failure ?? neighbourFailure(others, round);
    if (!failure || failures.has(kindOf(failure))) continue;
    const steps = await shortened(subject, tk, roundSeed, failure, kinds);
    const trace = [];
    await playSettled(subject, tk, roundSeed, { steps, kinds, trace });
    failures.set(kindOf(failure), { seed: roundSeed, what: failure.what, trace });
  }
  return { calls, failures: [...failures.values()] };
}

/** A round, and the rejections that it has left behind. */
async function playSettled(subject, tk, seed, options) {
  unhandled.length = 0;
  const played = await play(subject, tk, seed, options);
  // Rejections are reported when the microtasks have run.
  await new Promise((resolve) => setImmediate(resolve));
  if (unhandled.length > 0) {
    played.failure ??= {
      what: `a rejection that nobody handles: ${unhandled[0]?.stack ?? unhandled[0]}`,
    };
  }
  return played;
}

function neighbourFailure(others, round) {
  const what = round % 16 === 0 ? others.problem() : undefined;
  return what && { what };
}

/** The steps without those that the failure does not need. */
async function shortened(subject, tk, seed, failure, kinds) {
  const fails = async (steps) => {
    const { failure: found } = await playSettled(subject, tk, seed, { steps, kinds });
    return kindOf(found) === kindOf(failure);
  };
  let steps = stepsOf(seed);
  const last = steps.indexOf(failure.step);
  if (last >= 0 && (await fails(steps.slice(0, last + 1)))) steps = steps.slice(0, last + 1);
  if (!(await fails(steps))) return steps;
  for (let size = Math.ceil(steps.length / 2); ; size = Math.floor(size / 2)) {
    for (let at = 0; at < steps.length;) {
      const fewer = [...steps.slice(0, at), ...steps.slice(at + size)];
      if (fewer.length < steps.length && (await fails(fewer))) steps = fewer;
      else at += Math.max(1, size);
    }
    if (size <= 1) return steps;
  }
}

/** What a failure is about, without what may differ from one occurrence to the next. */
export const kindOf = (failure) => failure?.what.replace(/[0-9]+|".*"/gs, "").slice(0, 60);
