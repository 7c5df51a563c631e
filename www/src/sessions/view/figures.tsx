import type { VNode } from "preact";

import type { Words } from "../../words/en.js";
import { useWords } from "../../words/words.js";
import type { SessionReport } from "../../worker/shapes.js";

type FigureName = keyof Words["audit"]["figures"];

/** The numbers of a session; what is nothing is not shown. */
export function Figures({ of }: { of: SessionReport }): VNode {
  const { audit } = useWords();
  const names = Object.keys(FIGURE) as FigureName[];
  return (
    <dl class="figures">
      {names.map((name) => {
        const value = FIGURE[name](of, audit);
        return (
          value !== undefined && (
            <div key={name} class={`figure-${name}`}>
              <dt>{audit.figures[name]}</dt>
              <dd>{value}</dd>
            </div>
          )
        );
      })}
    </dl>
  );
}

type AuditWords = Words["audit"];

const FIGURE: Record<FigureName, (of: SessionReport, words: AuditWords) => string | undefined> = {
  cost: ({ usage }, words) => words.cost(usage),
  toSave: ({ usage, saveable }, words) => words.saved(usage, saveable),
  calls: ({ calls }, words) => words.count(calls),
  loops: ({ loops }, words) => some(loops.length, words),
  sent: ({ usage }, words) =>
    some(usage.input + usage.cacheRead + usage.cacheWrite, words, usage.isEstimated),
  cached: ({ usage }, words) => some(usage.cacheRead, words, usage.isEstimated),
  written: ({ usage }, words) => some(usage.output, words, usage.isEstimated),
  outdated: ({ saveable }, words) => some(saveable.tokens, words),
  rereads: ({ saveable }, words) => some(saveable.rereads.calls, words),
  pauses: ({ saveable }, words) => some(saveable.pauses.requests, words),
  terminals: ({ commands, terminalsReusable }, words) =>
    terminalsReusable > 0
      ? `${words.count(terminalsReusable)} / ${words.count(commands)}`
      : undefined,
};

/** A count that is not 0. */
function some(count: number, words: AuditWords, isEstimated = false): string | undefined {
  if (count === 0) return undefined;
  return isEstimated ? words.about(count) : words.count(count);
}
