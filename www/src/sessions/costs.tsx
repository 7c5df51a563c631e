import type { VNode } from "preact";

import type { SessionReport } from "../../../js/src/analysis/audit-report.js";
import { economySum } from "../../../js/src/analysis/economy.js";
import { escapeControlsInJson } from "../../../js/src/analysis/plain-text.js";
import { TOKEN_KINDS } from "../../../js/src/analysis/total.js";
import { Bar } from "../frame/bar.js";
import { download } from "../frame/download.js";
import { useWords } from "../words/words.js";

/** What the session cost: the numbers of `turnkeeper audit`. */
export function Costs({ report }: { report: SessionReport }): VNode {
  const words = useWords();
  const { tokens, economy } = report;
  const pieces = TOKEN_KINDS.filter((kind) => tokens[kind] > 0).map((kind) => ({
    name: `token-${kind}`,
    amount: tokens[kind],
    title: `${words.tokenKinds[kind]}: ${words.count(tokens[kind])}`,
  }));
  const figures: [string, string, string][] = [
    [words.costs.calls, words.count(report.calls), words.costs.turns(report.turns)],
    [words.costs.loops, words.count(report.loops.length), words.costs.loopsHint],
    [words.costs.tokens, words.count(tokens.total), words.costs.estimated],
    [
      words.costs.duplicates,
      words.count(report.duplicateBlocks),
      words.costs.sent(report.duplicateTokensSent),
    ],
    [
      words.costs.outdated,
      words.count(report.outdatedBlocks),
      words.costs.sent(report.outdatedTokensSent),
    ],
    [
      words.costs.terminals,
      `${words.count(report.terminalsReusable)} / ${words.count(report.commands)}`,
      words.costs.terminalsHint,
    ],
  ];
  if (economy) {
    const { requestCharacters, dollars } = economySum(economy);
    const share = requestCharacters / Math.max(1, economy.requestCharacters);
    figures.push([
      words.costs.redundant,
      words.costs.share(share),
      words.costs.redundantHint(dollars),
    ]);
  }
  const json = (): void => {
    const text = escapeControlsInJson(JSON.stringify(report));
    download("turnkeeper-audit.json", new Blob([`${text}\n`], { type: "application/json" }));
  };
  return (
    <section class="costs" aria-labelledby="costs-heading">
      <h2 id="costs-heading">{words.costs.heading}</h2>
      <dl class="figures">
        {figures.map(([name, value, hint]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <b>{value}</b> <span class="quiet">{hint}</span>
            </dd>
          </div>
        ))}
      </dl>
      <Bar label={words.costs.byKind} pieces={pieces} total={tokens.total} />
      <p class="legend">
        {TOKEN_KINDS.filter((kind) => tokens[kind] > 0).map((kind) => (
          <span key={kind}>
            <i class={`key token-${kind}`} /> {words.tokenKinds[kind]} {words.count(tokens[kind])}
          </span>
        ))}
      </p>
      <button type="button" onClick={json}>
        {words.costs.download}
      </button>
    </section>
  );
}
