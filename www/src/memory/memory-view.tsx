import type { VNode } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";

import { NoAnswer, ask } from "../ask.js";
import type { Address, ChangeAddress } from "../frame/address.js";
import { useWords } from "../words/words.js";
import type { Prompt, Story, StoryTurn, ToldTurn } from "../worker/memory-tasks.js";

import { EXAMPLE_FOLD, EXAMPLE_TURNS } from "./example.js";
import { MarkedText } from "./marked-text.js";

const PHASES = ["thinking", "action"] as const;
type Phase = (typeof PHASES)[number];

/** Turns of thinking and acting, and the prompts that the memory makes of them. */
export function MemoryView(props: { address: Address; change: ChangeAddress }): VNode {
  const { address, change } = props;
  const words = useWords();
  const [turns, setTurns] = useState(EXAMPLE_TURNS);
  const [fold, setFold] = useState(EXAMPLE_FOLD);
  const [told, setTold] = useState<ToldTurn[]>([]);
  const [problem, complain] = useState("");
  const story: Story = useMemo(
    () => ({
      turns,
      fold,
      workspace: "src/auth.ts, src/vault.ts, test/",
      maxTokens: address.memory === "" ? undefined : Number(address.memory),
    }),
    [turns, fold, address.memory],
  );
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    ask("memoryStory", story, signal).then(
      (all) => {
        setTold(all);
        complain("");
      },
      (error: unknown) => {
        if (!signal.aborted) complain(error instanceof NoAnswer ? error.message : String(error));
      },
    );
    return () => controller.abort();
  }, [story]);
  const at = Math.max(0, Math.min(turns.length - 1, (Number(address.turn) || 1) - 1));
  const phase: Phase = address.phase === "thinking" ? "thinking" : "action";
  const turn = turns[at]!;
  const shown = told[at];
  const folds = told.flatMap(({ number, fold: request }) =>
    request ? [{ number, ...request }] : [],
  );

  return (
    <div class="columns memory-columns">
      <section aria-labelledby="turns-heading">
        <h2 id="turns-heading">{words.memory.heading}</h2>
        <p class="hint">{words.memory.hint}</p>
        <div class="buttons turns" role="group" aria-label={words.memory.turns}>
          {turns.map((_, index) => (
            <button
              key={index}
              type="button"
              aria-pressed={index === at}
              onClick={() => change({ turn: `${index + 1}` })}
            >
              {words.memory.turn(index + 1)}
            </button>
          ))}
        </div>
        <TurnForm turn={turn} onTurn={(next) => setTurns(turns.with(at, next))} />
        <div class="buttons">
          <button
            type="button"
            onClick={() => {
              setTurns([...turns, { ...EMPTY }]);
              change({ turn: `${turns.length + 1}` });
            }}
          >
            {words.memory.addTurn}
          </button>
          <button
            type="button"
            onClick={() => {
              setTurns(EXAMPLE_TURNS);
              setFold(EXAMPLE_FOLD);
              change({ turn: "2" });
            }}
          >
            {words.memory.again}
          </button>
        </div>
        <label class="field">
          {words.memory.budget}
          <input
            type="number"
            min={1}
            value={address.memory}
            placeholder={words.memory.noBudget}
            onInput={({ currentTarget }) => change({ memory: currentTarget.value })}
          />
        </label>
        <label class="field">
          {words.memory.foldAnswer}
          <textarea
            rows={2}
            value={fold}
            onInput={({ currentTarget }) => setFold(currentTarget.value)}
          />
        </label>
      </section>
      <section class="preview" aria-labelledby="memory-preview-heading">
        <h2 id="memory-preview-heading">{words.memory.preview(at + 1)}</h2>
        {problem && (
          <p class="complaint" role="alert">
            {problem}
          </p>
        )}
        <div class="buttons" role="group" aria-label={words.memory.phase}>
          {PHASES.map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={each === phase}
              onClick={() => change({ phase: each })}
            >
              {words.memory.phases[each]}
            </button>
          ))}
        </div>
        <p class="hint">{words.memory.aboutPhase[phase]}</p>
        {shown && <PromptText prompt={shown[phase]} />}
        {shown && shown.recalled > 0 && (
          <p class="notice">{words.memory.recalled(shown.recalled)}</p>
        )}
        {shown?.request && (
          <>
            <h3>{words.memory.request}</h3>
            <p class="hint">{words.memory.aboutRequest[shown.isSummed ? "answered" : "due"]}</p>
            <details open={!shown.isSummed}>
              <summary>{words.memory.requestText}</summary>
              <MarkedText
                label={words.memory.request}
                text={`${shown.request.prompt}\n\n${shown.request.text}`}
              />
            </details>
            <details>
              <summary>{words.memory.schema}</summary>
              <MarkedText label={words.memory.schema} text={shown.request.schema} />
            </details>
          </>
        )}
        <h3>{words.memory.folds}</h3>
        {folds.length === 0 && <p>{words.memory.noFold}</p>}
        {folds.map(({ number, fromTurn, toTurn, prompt, text }) => (
          <details key={number} open={number === at + 1}>
            <summary>{words.memory.fold(number, fromTurn, toTurn)}</summary>
            <MarkedText label={words.memory.foldRequest} text={`${prompt}\n\n${text}`} />
          </details>
        ))}
        {shown && (
          <>
            <h3>{words.memory.after}</h3>
            <MarkedText label={words.memory.after} text={shown.memory} />
          </>
        )}
      </section>
    </div>
  );
}

const EMPTY: StoryTurn = {
  task: "",
  user: "",
  thinking: "",
  recall: "",
  summary: "",
  insights: "",
};

function TurnForm({ turn, onTurn }: { turn: StoryTurn; onTurn: (turn: StoryTurn) => void }): VNode {
  const words = useWords();
  const field = (name: keyof StoryTurn, rows: number): VNode => (
    <label class="field">
      {words.memory.fields[name]}
      <textarea
        rows={rows}
        value={turn[name]}
        spellcheck={false}
        onInput={({ currentTarget }) => onTurn({ ...turn, [name]: currentTarget.value })}
      />
    </label>
  );
  return (
    <>
      {field("task", 2)}
      {field("user", 2)}
      {field("thinking", 3)}
      {field("recall", 1)}
      {field("summary", 4)}
      {field("insights", 2)}
    </>
  );
}

function PromptText({ prompt }: { prompt: Prompt }): VNode {
  const words = useWords();
  const { systemPrompt, workspaceContext, history } = prompt;
  return (
    <>
      <h3>{words.memory.system}</h3>
      <MarkedText label={words.memory.system} text={systemPrompt} />
      <h3>{words.memory.context}</h3>
      <MarkedText label={words.memory.context} text={workspaceContext} />
      <h3>{words.memory.history}</h3>
      {history.length === 0 && <p>{words.memory.noHistory}</p>}
      {history.map(({ role, text }, at) => (
        <div key={at}>
          {role !== "" && <p class="quiet">{role}</p>}
          <MarkedText label={words.memory.message(at + 1)} text={text} />
        </div>
      ))}
    </>
  );
}
