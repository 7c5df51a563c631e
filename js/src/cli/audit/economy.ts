/** What of histories is redundant, in words and in rows that the table and the page of an audit share. */

import {
  ECONOMY_KINDS,
  economySum,
  type Economy,
  type EconomyKind,
  type EconomyKinds,
} from "../../analysis/economy.js";
import { grouped, plural } from "../../analysis/wording.js";

import { percent } from "./words.js";

/** The kinds as they are called where there is room. */
export const ECONOMY_TITLES: Record<keyof EconomyKinds, string> = {
  duplicates: "duplicate environment",
  environment: "outdated environment",
  edits: "older files in answers to edits",
  reads: "older files that were read",
  mentions: "older files that were mentioned",
  results: "results that came again",
};

/** A kind of which there is something, and its share. */
export interface EconomyRow extends EconomyKind {
  kind: keyof EconomyKinds;
  title: string;
  /** Of all characters of the histories. */
  share: string;
  /** Of all characters that were sent. */
  sentShare: string;
}

/** The kinds of which there is something. */
export function economyRows({ characters, requestCharacters, kinds }: Economy): EconomyRow[] {
  return ECONOMY_KINDS.filter((kind) => kinds[kind].items > 0).map((kind) => ({
    ...kinds[kind],
    kind,
    title: ECONOMY_TITLES[kind],
    share: percent(kinds[kind].characters, characters),
    sentShare: percent(kinds[kind].requestCharacters, requestCharacters),
  }));
}

/** In one line, what of a history is redundant; undefined if it is nothing. */
export function economyLine(economy: Economy): string | undefined {
  const { characters, requestCharacters, dollars } = economySum(economy);
  if (characters === 0) return undefined;
  const kinds = economyRows(economy).map(
    ({ title, items, share }) => `${title} ${share} (${grouped(items)})`,
  );
  const sent = percent(requestCharacters, economy.requestCharacters);
  return (
    `${plural(characters, "redundant character")}, ${percent(characters, economy.characters)} of the ` +
    `history and ${sent} of all that was sent, ${inDollars(dollars)}: ${kinds.join(", ")}`
  );
}

/** An amount as people read it. */
export function inDollars(amount: number): string {
  return amount > 0 && amount < 0.01 ? "under $0.01" : `$${amount.toFixed(2)}`;
}
