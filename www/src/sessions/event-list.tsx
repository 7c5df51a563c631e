import type { VNode } from "preact";
import { useCallback, useEffect, useState } from "preact/hooks";

import { ask } from "../ask.js";
import { VirtualList } from "../frame/virtual-list.js";
import type { Words } from "../words/en.js";
import { useWords } from "../words/words.js";
import type { Row, WholeRow } from "../worker/shapes.js";

interface EventListProps {
  session: number;
  rows: number;
  version: unknown;
  unit: "line" | "element";
  selected: number;
  onSelect: (row: number) => void;
  /** Is told what is known of the call of the selected row, or of the last before it. */
  onCall: (row: WholeRow) => void;
}

/** Every event of the session, and all of the one that is selected. */
export function EventList(props: EventListProps): VNode {
  const { session, rows, version, unit, selected, onSelect, onCall } = props;
  const words = useWords();
  const [whole, setWhole] = useState<WholeRow>();
  const load = useCallback(
    (from: number, to: number) => ask("sessionRows", { id: session, from, to }),
    [session, version],
  );
  useEffect(() => {
    const controller = new AbortController();
    ask("sessionRow", { id: session, at: selected }, controller.signal).then(
      (row) => {
        setWhole(row);
        if (row) onCall(row);
      },
      () => {
        // Another row or another session has been chosen.
      },
    );
    return () => controller.abort();
  }, [session, version, selected]);
  return (
    <section class="events" aria-labelledby="events-heading">
      <h2 id="events-heading">{words.events.heading}</h2>
      <Find session={session} selected={selected} onFound={onSelect} />
      <p class="hint">{words.events.hint}</p>
      <VirtualList<Row>
        label={words.events.list(rows)}
        length={rows}
        version={version}
        load={load}
        selected={selected}
        onSelect={onSelect}
        className={(row) => `${row.label} ${row.action} ${row.saved ? "saved" : ""}`}
        render={(row) => <EventRow row={row} />}
      />
      {whole && <WholeEvent row={whole} unit={unit} />}
    </section>
  );
}

interface FindProps {
  session: number;
  selected: number;
  onFound: (row: number) => void;
}

/** Selects the next event with some words: the browser's own search sees only the rows in sight. */
function Find({ session, selected, onFound }: FindProps): VNode {
  const { events } = useWords();
  const [words, setWords] = useState("");
  const [isNowhere, setNowhere] = useState(false);
  const find = (event: Event): void => {
    event.preventDefault();
    if (words === "") return;
    ask("findRow", { id: session, words, after: selected }).then(
      (row) => {
        setNowhere(row === undefined);
        if (row !== undefined) onFound(row);
      },
      () => {
        // Another session has been opened.
      },
    );
  };
  return (
    <form class="find" role="search" onSubmit={find}>
      <input
        type="text"
        aria-label={events.find}
        placeholder={events.find}
        value={words}
        onInput={({ currentTarget }) => {
          setWords(currentTarget.value);
          setNowhere(false);
        }}
      />
      <button type="submit">{events.next}</button>
      <span role="status">{isNowhere && events.nowhere}</span>
    </form>
  );
}

/** What an event is, and of a call which one. */
function nameOf({ label, call }: Row, words: Words): string {
  const name = words.labels[label] ?? label;
  return call === undefined ? name : `${name} ${words.callNumber(call)}`;
}

function EventRow({ row }: { row: Row }): VNode {
  const words = useWords();
  const { excerpt, pieces, run, action, saved } = row;
  return (
    <>
      <span class="label">{nameOf(row, words)}</span>
      <span class="text">
        <bdi>{excerpt}</bdi>
        {pieces > 1 && <span class="quiet"> ({words.events.pieces(pieces)})</span>}
      </span>
      {run && run.count > 1 && (
        <span class="run" title={words.events.run(run.count, run.threshold)}>
          {run.count}/{run.threshold}
        </span>
      )}
      {saved && <span class="said saved">{words.actions.saved}</span>}
      {action !== "ok" && <span class={`said ${action}`}>{words.actions[action]}</span>}
    </>
  );
}

function WholeEvent({ row, unit }: { row: WholeRow; unit: "line" | "element" }): VNode {
  const words = useWords();
  const { place, time, run, text, more, action, saved } = row;
  return (
    <div class="whole-event" role="region" aria-label={words.events.selected}>
      <p>
        <strong>{nameOf(row, words)}</strong>{" "}
        <span class="quiet">
          {words.events.place(place, unit)}
          {time !== undefined && ` · ${words.events.time(time)}`}
        </span>
        {run && <span class="counts"> · {words.events.run(run.count, run.threshold)}</span>}
        {saved && <span> · {words.events.afterStop}</span>}
        {action !== "ok" && <strong class={`said ${action}`}> {words.actions[action]}</strong>}
      </p>
      {text !== "" && (
        <pre class="box" tabIndex={0} aria-label={words.events.text}>
          {text}
        </pre>
      )}
      {more > 0 && <p class="hint">{words.events.more(more)}</p>}
    </div>
  );
}
