import type { VNode } from "preact";

import { escapeControls } from "../words/plain-text.js";
import { useWords } from "../words/words.js";

const SECTION = /^=== .+ ===$/;
/** A line that looked like a heading or an entry of the memory, and was written by somebody else. */
const FORGED = /^> +(={3}|=|\[Turns? |Round \d|Insights:|User's Goal:)/i;

/** A text of a prompt, its sections marked, and lines that tried to be some. */
export function MarkedText({ label, text }: { label: string; text: string }): VNode {
  const words = useWords();
  return (
    <pre class="box marked" tabIndex={0} aria-label={label}>
      {text.split("\n").map((line, at) => {
        const shown = `${escapeControls(line)}\n`;
        if (SECTION.test(line)) return <b key={at}>{shown}</b>;
        if (!FORGED.test(line)) return shown;
        return (
          <mark key={at} title={words.memory.forged}>
            <span class="spoken">{words.memory.forged}: </span>
            {shown}
          </mark>
        );
      })}
    </pre>
  );
}
