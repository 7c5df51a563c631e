import { invalidConfig, isObject } from "../boundary/arguments.js";
import type { AssemblerOptions as KnownOptions } from "../boundary/generated/shapes.js";
import { type PlainValue, plainOptions } from "../boundary/plain-value.js";

const MACHINE = "ghost_block_assembler";

/** The options of a {@link GhostBlockAssembler}. An unknown name is an error. */
export interface AssemblerOptions extends KnownOptions {
  /**
   * Counts the tokens of a text, for `maxTokens`. Left out, they are estimated: one for every four UTF-16
   * code units, and one for each Han, Kana or Hangul character. Not part of a snapshot.
   */
  countTokens?: (text: string) => number;
}

interface ReadOptions {
  countTokens: ((text: string) => number) | undefined;
  plain: PlainValue;
}

/** @throws `invalid_config` */
export function readOptions(given: AssemblerOptions | undefined): ReadOptions {
  // What is missing is told by name.
  const options = given === undefined ? {} : given;
  if (!isObject(options) || Array.isArray(options)) {
    throw invalidConfig(MACHINE, "options", "must be an object");
  }
  const { countTokens, ...others } = options as Partial<AssemblerOptions>;
  if (countTokens !== undefined && typeof countTokens !== "function") {
    throw invalidConfig(MACHINE, "countTokens", "must be a function");
  }
  return { countTokens, plain: plainOptions(MACHINE, others) };
}
