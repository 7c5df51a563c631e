// Measuring: contenders take turns within one process, and the median of the rounds counts.

/** The processor's time of this process so far, in nanoseconds: others keep the machine busy, too. */
export function now() {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1_000;
}

/** A contender's round lasts about so long, long enough for the clock and short enough to take turns. */
const ROUND = 20e6;
/** Rounds of promises that do not count. */
const WARM_UP = 6;

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Nanoseconds for each of the events. */
export function time(take, events) {
  const begin = now();
  for (let at = 0; at < events.length; at++) take(events[at]);
  return (now() - begin) / events.length;
}

/**
 * Lets the contenders take turns and returns the median of each, in nanoseconds for an event.
 * `events(contender, count)` makes the events of a round; making them is not timed.
 */
export function race(contenders, { rounds, most, events }) {
  const runners = contenders.map((contender) => ({ contender, count: 1, results: [] }));
  for (const runner of runners) runner.count = settle(runner.contender, most, events);
  for (let round = 0; round < rounds; round++) {
    // Whoever goes first pays for what the one before left behind, so that changes too.
    if (round % 2 === 1) runners.reverse();
    for (const { contender, count, results } of runners) {
      results.push(time(contender.take, events(contender, count)));
    }
    if (round % 2 === 1) runners.reverse();
  }
  return runners.map(({ results }) => median(results));
}

/** Warms a contender up, until it is compiled and full, and finds out how many events fill a round. */
function settle(contender, most, events) {
  let count = 16;
  for (let spent = 0; spent < 8 * ROUND;) {
    const each = time(contender.take, events(contender, count));
    spent += each * count;
    count = Math.max(1, Math.min(most, Math.ceil(ROUND / each), count * 4));
    // Large events are few; what they cost does not change after so many.
    if (count === most && spent > 2 * ROUND) break;
  }
  return count;
}

/** The same for contenders that promise their answer, one event a round. `use` is timed, too. */
export async function raceOfPromises(contenders, { rounds, event, use }) {
  const runners = contenders.map((contender) => ({ contender, results: [] }));
  for (let round = -WARM_UP; round < rounds; round++) {
    if (round % 2 !== 0) runners.reverse();
    for (const { contender, results } of runners) {
      const given = event();
      const begin = now();
      use(await contender.take(given));
      if (round >= 0) results.push(now() - begin);
    }
    if (round % 2 !== 0) runners.reverse();
  }
  return runners.map(({ results }) => median(results));
}
