import type { Saveable, Usage } from "../worker/shapes.js";

/** The part of what was used that could have been saved. */
export interface Saved {
  calls: number;
  unit: "dollars" | "tokens";
  part: number;
  whole: number;
  /** The part in percent, as it stands after the amounts; empty if it is under one. */
  share: string;
}

/**
 * What could have been saved of what was used, in money; in tokens where there is no price, or hardly any money.
 * `src/analysis/audit_words` has the same. Undefined if it is nothing.
 */
export function savedOf(usage: Usage, saveable: Saveable): Saved | undefined {
  const { loops, outdated, rereads } = saveable;
  const calls = loops.calls + rereads.calls;
  const { dollars = 0 } = usage;
  if (saveable.dollars && dollars >= 0.01) {
    const part = saveable.dollars;
    return { calls, unit: "dollars", part, whole: dollars, share: shareOf(part, dollars) };
  }
  const sent = loops.tokens + outdated.tokensSent + rereads.tokensSent;
  const part = Math.min(sent, usage.tokens);
  if (part === 0) return undefined;
  return { calls, unit: "tokens", part, whole: usage.tokens, share: shareOf(part, usage.tokens) };
}

function shareOf(part: number, whole: number): string {
  const percent = Math.round((100 * part) / whole);
  return percent >= 1 ? `${percent} %` : "";
}
