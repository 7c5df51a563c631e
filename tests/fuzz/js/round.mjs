// One round: an object is made and called at random, beside a twin that is saved and restored now and then.
// What must hold after each call is here; what can be called is in `subjects/`.
//
// Each step has a seed of its own, so that a step is the same call whatever comes before it: a failing
// round can be shortened by leaving steps out.

import { Dice, mixed } from "./dice.mjs";
import { shown } from "./shown.mjs";
import { maybeSpoiled } from "./spoiled.mjs";

const CODES = new Set([
  "invalid_config",
  "invalid_argument",
  "limit_exceeded",
  "wrong_order",
  "unknown_id",
  "snapshot_corrupt",
  "snapshot_version",
  "wrong_machine",
  "disposed",
  "broken_session",
  "unknown_format",
  "unknown_messages",
  "host_failed",
]);

/** What a host's own function throws in a round; calls that are documented to may hand it on. */
export class HostError extends Error {
  name = "HostError";
}

/** The seeds of a round's steps. */
export function stepsOf(seed) {
  const dice = new Dice(mixed(seed, 1));
  return dice.list(1, dice.chance(30) ? 300 : 24, (at) => mixed(seed, at + 2));
}

/**
 * Plays a round of `subject` on the package `tk`.
 *
 * @param options.kinds By what arguments are spoiled: `all`, or `quiet` values that can be read.
 * @param options.trace Gets a line for each call.
 * @returns How many calls were made; with `failure` if one of them went wrong: its step, and `what`.
 */
export async function play(
  subject,
  tk,
  seed,
  { steps = stepsOf(seed), kinds = "all", trace } = {},
) {
  const first = new Dice(mixed(seed, 0));
  const spoiling = { kinds, thousandths: first.pick([0, 60, 60, 250]) };
  const isPolluted = kinds === "all" && spoiling.thousandths > 0 && first.chance(40);
  // Something that a careless library has added to every object.
  if (isPolluted) Object.prototype.polluted = "polluted";
  let calls = 0;
  try {
    const made = await subjectsMade(subject, tk, seed, spoiling, trace);
    calls += 2;
    if (made.failure) return { calls, failure: { step: undefined, what: made.failure } };
    const pair = made.pair;
    for (const step of steps) {
      const { count, failure } = await playStep(subject, tk, pair, step, spoiling, trace);
      calls += count;
      if (failure) return { calls, failure: { step, what: failure } };
    }
    const failure = endsEqual(subject, pair);
    return { calls, ...(failure && { failure: { step: steps.at(-1), what: failure } }) };
  } finally {
    if (isPolluted) delete Object.prototype.polluted;
  }
}

/** The object and its twin, made of equal options; of good ones, if spoiled ones are refused. */
async function subjectsMade(subject, tk, seed, spoiling, trace) {
  const pair = [];
  for (const side of [0, 1]) {
    const dice = new Dice(mixed(seed, 0xabc));
    dice.spoil(spoiling);
    let options = maybeSpoiled(dice, subject.options(dice));
    if (side === 0) trace?.push(`new ${subject.name}(${shown(options)})`);
    let outcome = await outcomeOf(() => subject.make(tk, options));
    const failure = refusalProblem(tk, outcome);
    if (failure) return { failure: `making it: ${failure}` };
    if (outcome.error) {
      options = subject.options(new Dice(mixed(seed, 0xabd)));
      outcome = await outcomeOf(() => subject.make(tk, options));
      if (outcome.error && !dice.hasSpoiled) {
        return { failure: `good options are refused: ${shown(outcome.error)}` };
      }
      if (outcome.error) outcome = await outcomeOf(() => subject.make(tk, subject.plainOptions));
      if (outcome.error) return { failure: `plain options are refused: ${shown(outcome.error)}` };
    }
    pair.push(outcome.value);
  }
  return { pair };
}

async function playStep(subject, tk, pair, step, spoiling, trace) {
  const chooser = new Dice(step);
  const isRestored = subject.save && chooser.chance(120);
  const calls = Object.entries(subject.calls);
  const name = chooser.weighted(calls.map(([name, { weight = 10 }]) => [weight, name]));
  const { args = () => [], run, handsOn, keeps = true } = subject.calls[name];
  const outcomes = [];
  let isAllGood = true;
  if (isRestored) {
    const problem = restoreTwin(subject, tk, pair);
    if (problem) return { count: 2, failure: problem };
    trace?.push("the twin is saved and restored");
  }
  for (const [side, it] of pair.entries()) {
    const dice = new Dice(mixed(step, 7));
    dice.spoil(spoiling);
    const given = args(dice).map((argument) => maybeSpoiled(dice, argument));
    isAllGood = !dice.hasSpoiled;
    if (side === 0) trace?.push(`${name}(${given.map((argument) => shown(argument)).join(", ")})`);
    const told = isAllGood ? shown(given) : undefined;
    const before = !isAllGood && keeps && subject.save ? shown(subject.save(it)) : undefined;
    const outcome = await outcomeOf(() => (run ? run(it, given, dice, tk) : it[name](...given)));
    const failure =
      (handsOn === "traps" && !isAllGood ? undefined : refusalProblem(tk, outcome, handsOn)) ??
      (told !== undefined && told !== shown(given) ? "the arguments were changed" : undefined) ??
      (before !== undefined && outcome.error && shown(subject.save(it)) !== before
        ? `the call failed (${shown(outcome.error)}) and something changed`
        : undefined);
    if (failure) return { count: 1, failure: `${name}: ${failure}` };
    outcomes.push(outcome.error ? `throws ${shown(outcome.error)}` : shown(outcome.value));
  }
  if (isAllGood && outcomes[0] !== outcomes[1]) {
    return {
      count: 2,
      failure: `${name}: gives ${outcomes[0]}, and after a restore ${outcomes[1]}`,
    };
  }
  return { count: 2 };
}

/** The twin goes on as a copy of itself. */
function restoreTwin(subject, tk, pair) {
  try {
    const saved = subject.save(pair[1]);
    const copy = subject.restore(tk, saved);
    const again = subject.save(copy);
    if (shown(again) !== shown(saved)) return "a restored snapshot is saved as another";
    subject.end?.(pair[1]);
    pair[1] = copy;
  } catch (error) {
    return `a snapshot cannot be restored: ${shown(error)}`;
  }
  return undefined;
}

function endsEqual(subject, pair) {
  try {
    if (subject.save && shown(subject.save(pair[0])) !== shown(subject.save(pair[1]))) {
      return "after the same calls the snapshots differ";
    }
    for (const it of pair) subject.end?.(it);
  } catch (error) {
    return `at the end: ${shown(error)}`;
  }
  return undefined;
}

/** What a call gives or throws, now or later. */
async function outcomeOf(work) {
  try {
    const value = work();
    // A message that has a `then` and comes back as it is promises nothing.
    return { value: value instanceof Promise ? await value : value };
  } catch (error) {
    return { error: error ?? new Error("nothing was thrown, or undefined") };
  }
}

/** Why what a call has thrown is not what it may throw. */
function refusalProblem({ TurnkeeperError }, { error }, handsOn = false) {
  if (error === undefined || (handsOn && error instanceof HostError)) return undefined;
  if (!(error instanceof TurnkeeperError))
    return `throws what is no TurnkeeperError: ${shown(error)}`;
  if (!CODES.has(error.code)) return `throws ${shown(error)}`;
  return typeof error.message === "string" ? undefined : "its message is no text";
}
