import type { AfterNudge } from "../../analysis/after-nudge.js";
import { grouped, plural } from "../../analysis/wording.js";

import { inDollars } from "./economy.js";

/** What went into loops after their first nudge, in words; undefined if nothing did. */
export function afterNudgeInWords(after: AfterNudge): string | undefined {
  const { calls, requests, tokensWritten, tokensSent, tokensSentAgain, dollars } = after;
  if (requests + calls + tokensWritten === 0) return undefined;
  const sent = plural(tokensSent + tokensSentAgain, "token");
  const tokens = `${sent} sent and ${grouped(tokensWritten)} written`;
  const cost = dollars === undefined ? "" : `, ${inDollars(dollars)}`;
  return `${plural(calls, "call")} in loops after their first nudge, ${tokens}${cost}`;
}
