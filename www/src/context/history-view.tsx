import type { VNode } from "preact";
import { useCallback, useEffect, useMemo, useState } from "preact/hooks";

import { NoAnswer, ask } from "../ask.js";
import { Bar } from "../frame/bar.js";
import { download } from "../frame/download.js";
import { Source, Progress } from "../frame/source.js";
import { VirtualList } from "../frame/virtual-list.js";
import type { SessionViewProps } from "../sessions/sessions-view.js";
import { useWords } from "../words/words.js";
import { PRESETS, type Preset, type Repair } from "../worker/presets.js";
import { BLOCK_KINDS, type BlockRow, type JudgedHistory } from "../worker/shapes.js";

const PRESET_NAMES = Object.keys(PRESETS) as Preset[];

type State =
  | { state: "working"; part: number }
  | { state: "done"; history: JudgedHistory }
  | { state: "no history" }
  | { state: "broken"; problem: string };

/** A history as blocks by kind: what is carried for nothing, and what is left without it. */
export function HistoryView({ address, change, source }: SessionViewProps): VNode {
  const words = useWords();
  const { current } = source.holder;
  const session = current.state === "open" ? current.session : undefined;
  const preset = (PRESET_NAMES as string[]).includes(address.preset)
    ? (address.preset as Preset)
    : "duplicates";
  const repair: Repair = useMemo(() => {
    const isCompact = preset === "compact" && Number(address.target) > 0;
    return { preset, targetTokens: isCompact ? Number(address.target) : undefined };
  }, [preset, address.target]);
  const asked = session && `${session.id} ${JSON.stringify(repair)}`;
  const [known, setKnown] = useState<{ asked: string | undefined; is: State }>();
  // What is known of another session or preset is not shown.
  const judged: State = known && known.asked === asked ? known.is : { state: "working", part: 0 };

  useEffect(() => {
    if (!session) return;
    const controller = new AbortController();
    const { signal } = controller;
    const set = (is: State): void => setKnown({ asked, is });
    let shown = 0;
    const onNews = (part: unknown): void => {
      if (signal.aborted || (part as number) < shown + 0.02) return;
      shown = part as number;
      set({ state: "working", part: shown });
    };
    ask("judgeHistory", { id: session.id, repair }, signal, onNews).then(
      (history) => set(history ? { state: "done", history } : { state: "no history" }),
      (error: unknown) => {
        if (signal.aborted) return;
        set({
          state: "broken",
          problem: error instanceof NoAnswer ? error.message : String(error),
        });
      },
    );
    return () => controller.abort();
  }, [asked]);

  return (
    <>
      <div class="beside">
        <Source {...source} />
        <section class="rules" aria-labelledby="preset-heading">
          <h2 id="preset-heading">{words.history.presetHeading}</h2>
          <label class="field">
            {words.history.preset}
            <select
              value={preset}
              onChange={({ currentTarget }) => change({ preset: currentTarget.value })}
            >
              {PRESET_NAMES.map((name) => (
                <option key={name} value={name}>
                  {words.history.presets[name].title}
                </option>
              ))}
            </select>
          </label>
          {preset === "compact" && (
            <label class="field">
              {words.history.target}
              <input
                type="number"
                min={1}
                value={address.target}
                placeholder={words.history.noTarget}
                onInput={({ currentTarget }) => change({ target: currentTarget.value })}
              />
            </label>
          )}
          <p class="hint">{words.history.presets[preset].about}</p>
        </section>
      </div>
      <div class="stack">
        {current.state === "reading" && (
          <Progress label={words.source.reading} part={current.part} />
        )}
        {session && judged.state === "working" && (
          <Progress label={words.history.judging} part={judged.part} />
        )}
        {session && judged.state === "no history" && (
          <p class="notice">{words.history.noHistory}</p>
        )}
        {session && judged.state === "broken" && (
          <p class="complaint" role="alert">
            {judged.problem}
          </p>
        )}
        {session && judged.state === "done" && (
          <Judged
            history={judged.history}
            session={session.id}
            name={session.name}
            repair={repair}
          />
        )}
      </div>
    </>
  );
}

interface JudgedProps {
  history: JudgedHistory;
  session: number;
  name: string;
  repair: Repair;
}

function Judged({ history, session, name, repair }: JudgedProps): VNode {
  const words = useWords();
  const [selected, select] = useState(0);
  const [problem, complain] = useState("");
  const { before, after, strip } = history;
  const kinds = BLOCK_KINDS.filter((kind) => before[kind] + after[kind] > 0);
  const load = useCallback(
    (from: number, to: number) => ask("historyRows", { id: session, from, to }),
    [session, history],
  );
  const save = (): void => {
    complain("");
    ask("repairedFile", { id: session, repair }).then(
      (file) => download(name, file),
      (error: unknown) => complain(error instanceof Error ? error.message : String(error)),
    );
  };
  const sizes = (of: typeof before): { name: string; amount: number; title: string }[] =>
    kinds.map((kind) => ({
      name: `block-${kind}`,
      amount: of[kind],
      title: `${words.blockKinds[kind]}: ${words.count(of[kind])}`,
    }));
  return (
    <>
      <section class="picture" aria-labelledby="sizes-heading">
        <h2 id="sizes-heading">{words.history.sizes}</h2>
        <p class="headline" role="status">
          {words.history.headline(history)}
        </p>
        <div class="lane">
          <span class="lane-name">{words.history.order}</span>
          <Bar
            label={words.history.orderPicture(history)}
            total={strip.reduce((sum, { tokens }) => sum + tokens, 0)}
            pieces={strip.map(({ kind, fate, start, tokens }) => ({
              name: `block-${kind} ${fate}`,
              start,
              amount: tokens,
              title: `${words.blockKinds[kind]}, ${words.fates[fate]}: ${words.count(Math.round(tokens))}`,
            }))}
          />
        </div>
        {(["before", "after"] as const).map((when) => (
          <div class="lane" key={when}>
            <span class="lane-name">{words.history[when]}</span>
            <Bar
              label={words.history.barPicture(when, history[when].total)}
              total={Math.max(before.total, after.total)}
              pieces={sizes(history[when])}
            />
          </div>
        ))}
        <div class="scrolls" tabIndex={0} role="region" aria-label={words.history.byKind}>
          <table class="numbers">
            <caption>{words.history.byKind}</caption>
            <thead>
              <tr>
                <th scope="col">{words.history.kind}</th>
                <th scope="col">{words.history.before}</th>
                <th scope="col">{words.history.after}</th>
              </tr>
            </thead>
            <tbody>
              {[...kinds, "total" as const].map((kind) => (
                <tr key={kind}>
                  <th scope="row">
                    {kind !== "total" && <i class={`key block-${kind}`} />}{" "}
                    {kind === "total" ? words.history.total : words.blockKinds[kind]}
                  </th>
                  <td>{words.count(before[kind])}</td>
                  <td>{words.count(after[kind])}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        {history.gone.length > 0 && (
          <ul class="gone" aria-label={words.history.goneHeading}>
            {history.gone.map(({ kind, items, tokens }) => (
              <li key={kind}>{words.history.gone[kind](items, tokens)}</li>
            ))}
          </ul>
        )}
        <button type="button" class="main" onClick={save}>
          {words.history.download}
        </button>
        {problem && (
          <p class="complaint" role="alert">
            {problem}
          </p>
        )}
      </section>
      <section class="events" aria-labelledby="blocks-heading">
        <h2 id="blocks-heading">{words.history.blocks}</h2>
        <VirtualList<BlockRow>
          label={words.history.list(history.rows)}
          length={history.rows}
          version={history}
          load={load}
          selected={selected}
          onSelect={select}
          className={({ kind, fate }) => `block kind-${kind} ${fate}`}
          render={(row) => <Block row={row} />}
        />
      </section>
    </>
  );
}

function Block({ row }: { row: BlockRow }): VNode {
  const words = useWords();
  const { message, kind, fate, tokens, excerpt } = row;
  const text = <bdi>{excerpt}</bdi>;
  return (
    <>
      <span class="label">
        <span class="quiet">{message + 1}</span> {words.blockKinds[kind]}
      </span>
      <span class="text">
        {fate === "removed" ? <del>{text}</del> : fate === "new" ? <ins>{text}</ins> : text}
      </span>
      <span class="run">{words.count(tokens)}</span>
      {fate !== "kept" && <span class={`said ${fate}`}>{words.fates[fate]}</span>}
    </>
  );
}
