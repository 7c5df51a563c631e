import type { VNode } from "preact";

import { download } from "../frame/download.js";
import { escapeControlsInJson } from "../words/plain-text.js";
import { useWords } from "../words/words.js";
import type { JudgedSession } from "../worker/shapes.js";

import { Figures } from "./view/figures.js";
import { TokenKindsPicture } from "./view/pictures.js";
import { ToolTable } from "./tool-table.js";

interface CostsProps {
  judged: JudgedSession;
  onCall: (call: number) => void;
}

/** What the session cost: the numbers of `turnkeeper audit`, and each tool's share. */
export function Costs({ judged, onCall }: CostsProps): VNode {
  const { report, tools } = judged;
  const words = useWords();
  const json = (): void => {
    const text = escapeControlsInJson(JSON.stringify(report));
    download("turnkeeper-audit.json", new Blob([`${text}\n`], { type: "application/json" }));
  };
  return (
    <section class="costs" aria-labelledby="costs-heading">
      <h2 id="costs-heading">{words.costs.heading}</h2>
      <Figures of={report} />
      <TokenKindsPicture tokens={report.tokens} />
      <ToolTable tools={tools} onCall={onCall} />
      <p class="hint">{words.costs.hint}</p>
      <button type="button" onClick={json}>
        {words.costs.download}
      </button>
    </section>
  );
}
