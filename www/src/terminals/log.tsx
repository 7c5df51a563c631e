import type { VNode } from "preact";

import { escapeControls } from "../words/plain-text.js";
import { useWords } from "../words/words.js";
import type { Outcome } from "../worker/terminal-tasks.js";

/** The most that are shown, the newest first. */
const SHOWN = 100;

/** What happened on the board, and why; the newest first. */
export function Log({ outcomes }: { outcomes: readonly Outcome[] }): VNode {
  const words = useWords();
  const newest = outcomes.map((outcome, at) => ({ outcome, at })).reverse();
  return (
    <section class="log" aria-labelledby="log-heading">
      <h2 id="log-heading">{words.board.log}</h2>
      <ol reversed aria-live="polite" aria-relevant="additions">
        {newest.slice(0, SHOWN).map(({ outcome, at }) => (
          <li key={at} value={at + 1}>
            <Entry outcome={outcome} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Entry({ outcome: { action, choice, terminal, problem } }: { outcome: Outcome }): VNode {
  const words = useWords();
  if (problem !== undefined) {
    return (
      <p class="wrong">
        {words.board.refused} <span lang="en">{problem}</span>
      </p>
    );
  }
  if (action.do === "release") return <p>{words.board.release(action.task)}</p>;
  if (action.do !== "send" || !choice) {
    return (
      <p>
        {words.board.terminal(terminal ?? 0)}:{" "}
        {action.do === "send" ? "" : words.board.acts[action.do]}
      </p>
    );
  }
  const reason = words.board.reason(choice.reason);
  return (
    <>
      <p>
        <strong class={`said ${choice.action}`}>{words.board.choices[choice.action]}</strong>{" "}
        {choice.action === "wait"
          ? words.board.waitFor(choice.waitFor)
          : words.board.terminal(terminal ?? 0)}
        {choice.close && choice.close.length > 0 && ` · ${words.board.closes(choice.close)}`}
        <span class="quiet">
          {" "}
          · {words.board.task(action.task)} · <code>{escapeControls(action.directory)}</code>
          {choice.tier !== undefined && ` · ${words.board.tier(choice.tier)}`}
          {choice.relation !== undefined && ` · ${words.board.relations[choice.relation]}`}
          {choice.directory !== undefined && ` · ${words.board.certainties[choice.directory]}`}
        </span>
      </p>
      {choice.action !== "wait" && (
        <pre class="box line" tabIndex={0} aria-label={words.board.line}>
          {escapeControls(choice.command)}
        </pre>
      )}
      <p class="hint" lang={reason === choice.reason ? "en" : undefined}>
        {escapeControls(reason)}
      </p>
    </>
  );
}
