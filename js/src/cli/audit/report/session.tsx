import type { VNode } from "preact";

import { oneLine } from "../../../analysis/plain-text.js";
import { CALL_KINDS } from "../../../analysis/timeline.js";
import { grouped, plural } from "../../../analysis/wording.js";
import { FORMAT_TITLES } from "../../../saved/saved-session.js";
import type { JudgedSession } from "../judge.js";
import { afterNudgeInWords } from "../after-nudge.js";
import { whereOf } from "../words.js";

import { economyLine } from "../economy.js";

import { EconomyStripe } from "./economy.js";
import { CALL_TITLES, Timeline, TokenStripe } from "./pictures.js";

/** The heading of the sessions, and what the colours of their pictures mean. */
export function Legend(): VNode {
  return (
    <>
      <h2>Sessions</h2>
      <p class="legend">
        Each call is a stripe:{" "}
        {CALL_KINDS.map((kind, at) => (
          <>
            {at > 0 && ", "}
            <span class={`key call-${kind}`} /> {CALL_TITLES[kind]}
          </>
        ))}
        . Below the stripes, <span class="key loop-stop" /> a loop that is stopped,{" "}
        <span class="key loop-nudge" /> one that is nudged.
      </p>
    </>
  );
}

/** One session: what it is, its pictures, and its loops. */
export function Session({ session: { report, timeline } }: { session: JudgedSession }): VNode {
  return (
    <article>
      <h3>{oneLine(report.file === "-" ? "standard input" : report.file, 4_000)}</h3>
      <p>{factsOf(report).join(" · ")}</p>
      <Timeline report={report} timeline={timeline} />
      <TokenStripe tokens={report.tokens} />
      {report.economy && economyLine(report.economy) && (
        <>
          <EconomyStripe economy={report.economy} />
          <p>{economyLine(report.economy)}</p>
        </>
      )}
      {report.loops.length > 0 && (
        <ul>
          {report.loops.map((loop) => (
            <li>
              <strong class={loop.action}>{loop.action}</strong> {whereOf(loop)}:{" "}
              {oneLine(loop.message, 600)}{" "}
              <span class="rule">
                {loop.type}, {loop.rule}
              </span>
            </li>
          ))}
        </ul>
      )}
    </article>
  );
}

function factsOf(report: JudgedSession["report"]): string[] {
  const { duplicateBlocks, duplicateTokens, outdatedBlocks, outdatedTokens, commands } = report;
  const blocks = (count: number, kind: string, tokens: number): string | false =>
    count > 0 && `${plural(count, `${kind} block`)} (${plural(tokens, "token")})`;
  const late = afterNudgeInWords(report.afterNudge);
  const reusable = grouped(report.terminalsReusable);
  const facts = [
    FORMAT_TITLES[report.format],
    plural(report.calls, "call"),
    plural(report.tokens.total, "token"),
    late !== undefined && late,
    blocks(duplicateBlocks, "duplicate", duplicateTokens),
    blocks(outdatedBlocks, "outdated", outdatedTokens),
    commands > 0 && `${reusable} of ${plural(commands, "command")} could reuse a terminal`,
    report.leftOut > 0 && `${plural(report.leftOut, "line")} of subagents left out`,
    report.blind.length > 0 && `without ${report.blind.join(" and ")}`,
  ];
  return facts.filter((fact) => fact !== false);
}
