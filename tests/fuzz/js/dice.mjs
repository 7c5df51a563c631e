// Random numbers that a seed gives again, and the choices that are made with them.

/** Two numbers make a third, which a seed of its own can be. */
export function mixed(a, b) {
  let mix = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b ^ 0xc2b2ae35, 0x27d4eb2f);
  mix = Math.imul(mix ^ (mix >>> 15), 0x2c1b3c6d);
  return (mix ^ (mix >>> 13)) >>> 0;
}

/** A source of choices; the same seed makes the same ones (mulberry32). */
export class Dice {
  #state;
  /** How often a value is spoiled, and by which; see `spoiled.mjs`. */
  spoiling = { thousandths: 0, kinds: "all" };
  /** Whether one was. */
  hasSpoiled = false;

  constructor(seed) {
    this.#state = seed >>> 0;
  }

  spoil(spoiling) {
    this.spoiling = spoiling;
  }

  /** An integer from 0 to `count` - 1. */
  below(count) {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    const state = this.#state;
    let mix = Math.imul(state ^ (state >>> 15), 1 | state);
    mix = (mix + Math.imul(mix ^ (mix >>> 7), 61 | mix)) ^ mix;
    return Math.floor((((mix ^ (mix >>> 14)) >>> 0) / 2 ** 32) * count);
  }

  /** True in `thousandths` of a thousand cases. */
  chance(thousandths) {
    return this.below(1000) < thousandths;
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  /** As many as `make` is to make: from `least` to `most`. */
  list(least, most, make) {
    return Array.from({ length: least + this.below(most - least + 1) }, (_, at) => make(at));
  }

  /** An object with some of the fields, each made by the function of its name. */
  some(fields, thousandths = 300) {
    const object = {};
    for (const [name, make] of Object.entries(fields)) {
      if (this.chance(thousandths)) object[name] = make();
    }
    return object;
  }

  /** One of `choices`, which are pairs of a weight and something. */
  weighted(choices) {
    let left = this.below(choices.reduce((sum, [weight]) => sum + weight, 0));
    return choices.find(([weight]) => (left -= weight) < 0)[1];
  }
}
