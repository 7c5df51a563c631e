import type { VNode } from "preact";

import type { SessionReport } from "../../../js/src/analysis/audit-report.js";
import { escapeControlsInJson } from "../../../js/src/analysis/plain-text.js";
import { TokenKindsPicture } from "../../../js/src/analysis/view/pictures.js";
import { Figures } from "../../../js/src/analysis/view/session.js";
import { download } from "../frame/download.js";
import { useWords } from "../words/words.js";

/** What the session cost: the numbers of `turnkeeper audit`. */
export function Costs({ report }: { report: SessionReport }): VNode {
  const words = useWords();
  const json = (): void => {
    const text = escapeControlsInJson(JSON.stringify(report));
    download("turnkeeper-audit.json", new Blob([`${text}\n`], { type: "application/json" }));
  };
  return (
    <section class="costs" aria-labelledby="costs-heading">
      <h2 id="costs-heading">{words.costs.heading}</h2>
      <Figures of={report} words={words.audit} />
      <TokenKindsPicture tokens={report.tokens} words={words.audit} />
      <p class="hint">{words.costs.hint}</p>
      <button type="button" onClick={json}>
        {words.costs.download}
      </button>
    </section>
  );
}
