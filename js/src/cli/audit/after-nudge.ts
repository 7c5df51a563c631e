import type { AfterNudge } from "../../analysis/after-nudge.js";
import { grouped, plural } from "../../analysis/wording.js";

import { inDollars } from "./economy.js";

/** What went into loops after their first nudge, in words; undefined if nothing did. */
export function afterNudgeInWords(after: AfterNudge): string | undefined {
  const tokens = tokensAfterNudge(after);
  return tokens && `${plural(after.calls, "call")} in loops after their first nudge, ${tokens}`;
}

/** The same without the calls. */
export function tokensAfterNudge(after: AfterNudge): string | undefined {
  const { calls, requests, tokensWritten, tokensSent, tokensSentAgain, dollars } = after;
  if (requests + calls + tokensWritten === 0) return undefined;
  const sent = plural(tokensSent + tokensSentAgain, "token");
  const cost = dollars === undefined ? "" : `, ${inDollars(dollars)}`;
  return `${sent} sent and ${grouped(tokensWritten)} written${cost}`;
}
