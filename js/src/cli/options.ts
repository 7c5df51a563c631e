/** Options that several commands have, and how their values are read. */

import { InvalidArgumentError, Option } from "commander";

import { DEFAULT_PROFILE, PROFILES } from "../analysis/profiles.js";

export function profileOption(): Option {
  return new Option("--profile <name>", "the rules to judge by")
    .choices(PROFILES)
    .default(DEFAULT_PROFILE);
}

export function modelOption(): Option {
  return new Option("--model <name>", "the model, where a file does not name it");
}

/** Reads a whole number from `least` to `most`. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d{1,9}$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It is a whole number from ${least} to ${most}.`);
  };
}

/** Collects the values of an option that may be given several times, without repetitions. */
export function oneOrMore<T extends string>(
  choices?: readonly T[],
): (text: string, before: T[] | undefined) => T[] {
  return (text, before = []) => {
    if (choices && !choices.includes(text as T)) {
      throw new InvalidArgumentError(`Allowed choices are ${choices.join(", ")}.`);
    }
    return [...new Set([...before, text as T])];
  };
}
