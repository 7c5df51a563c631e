// Random numbers that can be had again: set TURNKEEPER_SEED to the seed that a failure prints.

/** The seed of this run. */
export const seed = Number(process.env.TURNKEEPER_SEED ?? Math.floor(Math.random() * 2 ** 31));

let state = seed >>> 0;

/** An integer from 0 to `below` - 1 (mulberry32). */
export function random(below) {
  state = (state + 0x6d2b79f5) >>> 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
}
