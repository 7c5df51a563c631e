import { InvalidArgumentError, Option } from "commander";

import { withMoney, type AfterNudge, type Prices } from "../../analysis/after-nudge.js";
import { grouped, plural } from "../../analysis/wording.js";

export function pricesOption(): Option {
  return new Option(
    "--prices <sent,written>",
    "what a million tokens cost that are sent and that are written, such as 3,15",
  ).argParser(readPrices);
}

/** @throws InvalidArgumentError */
export function readPrices(text: string): Prices {
  const match = /^(\d{1,6}(?:\.\d{1,6})?),(\d{1,6}(?:\.\d{1,6})?)$/.exec(text);
  if (!match) throw new InvalidArgumentError("They are two numbers with a comma between them.");
  return { sent: Number(match[1]), written: Number(match[2]) };
}

/** A session's report or a total, with what went after nudges in money. */
export function priced<T extends { afterNudge: AfterNudge }>(
  report: T,
  prices: Prices | undefined,
): T {
  return prices === undefined
    ? report
    : { ...report, afterNudge: withMoney(report.afterNudge, prices) };
}

/** In words; undefined if nothing went. */
export function afterNudgeInWords(after: AfterNudge): string | undefined {
  const { calls, requests, tokensWritten, tokensSent, tokensSentAgain, money } = after;
  if (requests + calls + tokensWritten === 0) return undefined;
  const sent = tokensSent + tokensSentAgain;
  const tokens = `${plural(sent, "token")} sent and ${grouped(Math.round(tokensWritten))} written`;
  const cost =
    money === undefined ? "" : `; ${money.toFixed(money < 1 ? 4 : 2)} by the prices named`;
  return `${plural(calls, "call")} in loops after their first nudge, ${tokens}${cost}`;
}
