import type { VNode } from "preact";

import { escapeLines } from "../words/plain-text.js";
import { useWords } from "../words/words.js";
import type { ProfilePlay } from "../worker/shapes.js";

/** The most that are explained; whoever wants more reads them where they are in the list. */
const SHOWN = 20;

/** What the chosen rules found, one after another, with the words that the model would get. */
export function Findings(props: { play: ProfilePlay; onCall: (call: number) => void }): VNode {
  const { play, onCall } = props;
  const words = useWords();
  const { marks, blind } = play;
  return (
    <section class="findings" aria-labelledby="findings-heading">
      <h2 id="findings-heading">{words.findings.heading}</h2>
      {marks.length === 0 && <p>{words.findings.none}</p>}
      {blind.length > 0 && <p class="hint">{words.findings.blind(blind)}</p>}
      <ol>
        {marks.slice(0, SHOWN).map((mark, at) => (
          <li key={at} class={mark.action}>
            <p>
              <strong class={`said ${mark.action}`}>{words.actions[mark.action]}</strong>{" "}
              {words.findings.what(mark)}
            </p>
            <p class="hint">
              <code>{mark.rule}</code> · {words.findings.count(mark.count, mark.threshold)}
            </p>
            {mark.call !== null && (
              <button type="button" onClick={() => onCall(mark.call!)}>
                {words.findings.show(mark.call)}
              </button>
            )}
            <details>
              <summary>{words.findings.toModel}</summary>
              <pre class="box" lang="en" tabIndex={0} aria-label={words.findings.toModel}>
                {escapeLines(mark.feedback)}
              </pre>
            </details>
            <details>
              <summary>{words.findings.evidence}</summary>
              <pre class="box" tabIndex={0} aria-label={words.findings.evidence}>
                {escapeLines(mark.evidence)}
              </pre>
            </details>
          </li>
        ))}
      </ol>
      {marks.length > SHOWN && <p>{words.findings.more(marks.length - SHOWN)}</p>}
    </section>
  );
}
