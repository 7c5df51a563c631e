import type { DedupeReport } from "turnkeeper";
import { isEvent, partsOf } from "../messages/parts.js";
import { estimateTokens } from "../saved/tokens.js";

import type { Shortened } from "./held-history.js";
import { wordsOf } from "./player.js";

/**
 * The report of a shortened history with its tokens counted as all others of a session are, so that sums fit. The
 * deduper itself goes by the length of texts alone, which for code is a quarter less.
 */
export function recounted({ before, after, report }: Shortened): DedupeReport {
  const removed = before.reduce((sum, was, at) => sum + tokensRemoved(was, after[at] ?? was), 0);
  const factor = report.tokensSaved > 0 ? Math.max(0, removed) / report.tokensSaved : 1;
  const counted = Object.entries(report.kinds).map(([kind, found]) => {
    return [kind, { ...found, tokens: Math.round(found.tokens * factor) }] as const;
  });
  const kinds = Object.fromEntries(counted) as DedupeReport["kinds"];
  const tokensSaved = counted.reduce((sum, [, { tokens }]) => sum + tokens, 0);
  return { ...report, kinds, tokensSaved };
}

/** By how many tokens a message has become shorter. */
export function tokensRemoved(was: object, is: object): number {
  return was === is ? 0 : tokensOf(was) - tokensOf(is);
}

function tokensOf(message: object): number {
  const events = partsOf(message).filter(isEvent);
  return events.reduce((sum, event) => sum + estimateTokens(wordsOf(event)), 0);
}
