import type { DedupeReport } from "turnkeeper";
import type { SavedRecord } from "../saved/saved-session.js";

import type { Count } from "./count.js";
import { HeldHistory, RESUME } from "./held-history.js";
import { recounted } from "./recount.js";

/** What of a history newer messages say better: `turnkeeper repair --economy resume` removes it. */
export interface Outdated {
  /** In the history, in estimated tokens. */
  tokens: Count;
  /** The same, times the requests that sent them. */
  tokensSent: Count;
  kinds: Record<OutdatedKind, OutdatedItems>;
}

/** Things of one kind. */
export interface OutdatedItems {
  items: Count;
  tokens: Count;
}

/**
 * Blocks of environment that their message has twice, those that a newer message replaces, and older copies
 * of files.
 */
export type OutdatedKind = (typeof OUTDATED_KINDS)[number];

export const OUTDATED_KINDS = ["duplicate", "environment", "file"] as const;

export function nothingOutdated(): Outdated {
  const kinds = OUTDATED_KINDS.map((kind) => [kind, { items: 0, tokens: 0 }]);
  return { tokens: 0, tokensSent: 0, kinds: Object.fromEntries(kinds) as never };
}

/** Larger histories are not looked at: all their messages have to be held. */
const MOST_CHARACTERS = 200_000_000;

/** What counts; the page, which judges a session again and again, has its messages counted already. */
export type OutdatedSource = Pick<OutdatedCount, "take" | "end">;

/** Counts what of a history is outdated. */
export class OutdatedCount {
  readonly #history: HeldHistory;
  #characters = 0;

  constructor(history = new HeldHistory()) {
    this.#history = history;
  }

  take(record: SavedRecord): void {
    const message = this.#history.take(record);
    if (message === undefined) return;
    this.#characters += lengthOf(message, 0);
    if (this.#characters > MOST_CHARACTERS) this.#history.clear();
  }

  /** Undefined if the session holds no messages that are sent again. */
  end(): Outdated | undefined {
    if (this.#history.messages.length === 0 || this.#characters > MOST_CHARACTERS) return undefined;
    return outdatedIn(recounted(this.#history.shorten(RESUME)));
  }
}

/** What a report of the deduper says was outdated. */
export function outdatedIn({ kinds, tokensSaved }: DedupeReport): Outdated {
  const outdated = nothingOutdated();
  for (const kind of OUTDATED_KINDS) {
    const { items, tokens, characters, requestCharacters } = kinds[kind];
    outdated.kinds[kind] = { items, tokens };
    if (characters > 0) outdated.tokensSent += (tokens * requestCharacters) / characters;
  }
  return { ...outdated, tokens: tokensSaved, tokensSent: Math.round(outdated.tokensSent) };
}

function lengthOf(value: unknown, depth: number): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null || depth > 100) return 0;
  let length = 0;
  for (const key of Object.keys(value)) {
    length += lengthOf((value as Record<string, unknown>)[key], depth + 1);
  }
  return length;
}
