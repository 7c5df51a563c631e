import type { VNode } from "preact";

import { agentTitle, projectName, sessionTitle } from "../audit-words.js";
import type { SessionReport, Total } from "../audit-report.js";
import { oneLine } from "../plain-text.js";
import type { Stretch } from "../timeline.js";

import { Timeline, TokenBar } from "./pictures.js";
import type { AuditWords } from "./words.js";

interface SessionProps {
  report: SessionReport;
  stretches: readonly Stretch[];
  words: AuditWords;
}

/** One session: what it is, its figures, its pictures, and its loops. */
export function Session({ report, stretches, words }: SessionProps): VNode {
  const { agent, format, project, ended, file, loops } = report;
  const facts = [
    agentTitle(agent ?? format),
    ...(project === undefined ? [] : [oneLine(projectName(project), 120)]),
    ...(ended === undefined ? [] : [words.day(ended)]),
    ...words.facts(report),
    oneLine(file, 4_000),
  ];
  return (
    <article>
      <h3>{oneLine(sessionTitle(report), 200)}</h3>
      <p class="quiet">{facts.join(" · ")}</p>
      <Figures of={report} words={words} />
      <Timeline report={report} stretches={stretches} words={words} />
      <TokenBar tokens={report.tokens} words={words} />
      {loops.length > 0 && (
        <ul>
          {loops.map((loop) => (
            <li>
              <strong class={loop.action}>{words.action[loop.action]}</strong> {words.where(loop)}
              {loop.message !== "" && `: ${oneLine(loop.message, 600)}`}{" "}
              <span class="quiet">
                {loop.type}, {loop.rule}
              </span>
            </li>
          ))}
        </ul>
      )}
    </article>
  );
}

/** The numbers of a session, or of all of them; what is nothing is not shown. */
export function Figures({ of, words }: { of: SessionReport | Total; words: AuditWords }): VNode {
  const names = Object.keys(FIGURE) as (keyof typeof FIGURE)[];
  const figures = names.map((name) => ({ name, value: FIGURE[name](of, words) }));
  return (
    <dl class="figures">
      {figures.map(
        ({ name, value }) =>
          value !== undefined && (
            <div key={name} class={`figure-${name}`}>
              <dt>{words.figures[name]}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

const FIGURE: Record<
  keyof AuditWords["figures"],
  (of: SessionReport | Total, words: AuditWords) => string | undefined
> = {
  cost: ({ usage }, words) => words.cost(usage),
  toSave: ({ saveable }, words) => (saveable.dollars ? words.dollars(saveable.dollars) : undefined),
  calls: ({ calls }, words) => words.count(calls),
  loops: (of, words) => {
    const loops = "loops" in of ? of.loops.length : of.stops + of.nudges;
    return loops > 0 ? words.count(loops) : undefined;
  },
  sent: ({ usage }, words) => {
    const sent = usage.input + usage.cacheRead + usage.cacheWrite;
    const mark = usage.isEstimated ? "~" : "";
    return sent > 0 ? `${mark}${words.count(sent)}, ${words.count(usage.cacheRead)}` : undefined;
  },
  written: ({ usage }, words) =>
    usage.output > 0 ? `${usage.isEstimated ? "~" : ""}${words.count(usage.output)}` : undefined,
  outdated: ({ saveable }, words) =>
    saveable.tokens > 0 ? words.count(saveable.tokens) : undefined,
  rereads: ({ saveable }, words) =>
    saveable.rereads.calls > 0 ? words.count(saveable.rereads.calls) : undefined,
  pauses: ({ saveable }, words) =>
    saveable.pauses.requests > 0 ? words.count(saveable.pauses.requests) : undefined,
  terminals: ({ commands, terminalsReusable }, words) =>
    terminalsReusable > 0
      ? `${words.count(terminalsReusable)} / ${words.count(commands)}`
      : undefined,
};
