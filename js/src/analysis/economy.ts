import type { Count } from "./count.js";

/** What of a history is redundant, by what it is. */
export interface EconomyKinds {
  /** Blocks of environment that their message has twice. */
  duplicates: EconomyKind;
  /** Blocks of environment, and sections of them, that a newer message replaces. */
  environment: EconomyKind;
  /** Older copies of files in answers to edits. */
  edits: EconomyKind;
  /** Older copies of files that were read. */
  reads: EconomyKind;
  /** Older copies of files that the user mentioned. */
  mentions: EconomyKind;
  /** Results of tools that came again. */
  results: EconomyKind;
}

/** Things of one kind that newer messages say better. */
export interface EconomyKind {
  items: Count;
  /** In the history, in UTF-16 code units. */
  characters: Count;
  /** The same, estimated: four units are one, and so is each Han, Kana or Hangul character. */
  tokens: Count;
  /** The characters, times the requests that sent them. */
  requestCharacters: Count;
  /** What sending them cost: written into the prompt cache once, and read from it with each later request. */
  dollars: number;
}

/** What a history holds, and what of it is redundant: newer messages say it better. */
export interface Economy {
  /** All texts of its messages, in UTF-16 code units. */
  characters: Count;
  /** The same, times the requests that sent them. */
  requestCharacters: Count;
  kinds: EconomyKinds;
}

/** In the order in which they are shown. */
export const ECONOMY_KINDS = [
  "duplicates",
  "environment",
  "edits",
  "reads",
  "mentions",
  "results",
] as const satisfies (keyof EconomyKinds)[];

const FIELDS = ["items", "characters", "tokens", "requestCharacters", "dollars"] as const;

/** Adds what a session held to what others did. */
export function addEconomy(
  total: Economy,
  { characters, requestCharacters, kinds }: Economy,
): void {
  total.characters += characters;
  total.requestCharacters += requestCharacters;
  for (const kind of ECONOMY_KINDS) {
    for (const field of FIELDS) total.kinds[kind][field] += kinds[kind][field];
  }
}

export function emptyEconomy(): Economy {
  return { characters: 0, requestCharacters: 0, kinds: emptyKinds() };
}

export function emptyKinds(): EconomyKinds {
  const none = { items: 0, characters: 0, tokens: 0, requestCharacters: 0, dollars: 0 };
  return Object.fromEntries(ECONOMY_KINDS.map((kind) => [kind, { ...none }])) as never;
}

/** All kinds together. */
export function economySum({ kinds }: Economy): EconomyKind {
  const sum = { items: 0, characters: 0, tokens: 0, requestCharacters: 0, dollars: 0 };
  for (const kind of ECONOMY_KINDS) {
    for (const field of Object.keys(sum) as (keyof EconomyKind)[]) sum[field] += kinds[kind][field];
  }
  return sum;
}
