import type { ComponentChildren, VNode } from "preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";

interface ListProps<Row> {
  label: string;
  length: number;
  /** Changes when the rows are others. */
  version: unknown;
  load: (from: number, to: number) => Promise<readonly Row[]>;
  render: (row: Row) => ComponentChildren;
  className: (row: Row) => string;
  selected: number;
  onSelect: (at: number) => void;
}

/** In pixels; as the style says. */
const ROW = 36;
/** Browsers lay out nothing that is much higher. */
const HIGHEST = 8_000_000;
const PAGE = 100;
/** Rows before and after those that are seen. */
const AROUND = 10;

/**
 * A list of which only the rows in sight are on the page, and are asked for when they come into sight.
 * Its rows are all of one height. It is one stop of the keyboard: arrow keys go from row to row.
 */
export function VirtualList<Row>(props: ListProps<Row>): VNode {
  const { label, length, version, load, render, className, selected, onSelect } = props;
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [seen, setSeen] = useState(12);
  const pages = useRef(new Map<number, readonly Row[] | "asked">());
  const [, redraw] = useState(0);

  const known = useRef(version);
  if (known.current !== version) {
    known.current = version;
    pages.current = new Map();
  }
  const height = Math.min(length * ROW, HIGHEST);
  const inside = Math.max(1, height - seen * ROW);
  const last = Math.max(0, length - seen);
  /** The row at the top of the box, which may be in the middle of a row. */
  const first = height < length * ROW ? (Math.min(top, inside) / inside) * last : top / ROW;
  const from = Math.max(0, Math.floor(first) - AROUND);
  const to = Math.min(length, Math.ceil(first) + seen + AROUND);

  useEffect(() => {
    const current = pages.current;
    for (let page = Math.floor(from / PAGE); page * PAGE < to; page += 1) {
      if (current.has(page)) continue;
      current.set(page, "asked");
      load(page * PAGE, (page + 1) * PAGE).then(
        (rows) => {
          current.set(page, rows);
          if (current === pages.current) redraw((count) => count + 1);
        },
        () => current.delete(page),
      );
    }
    // Far away pages need not be kept.
    if (current.size > 40) {
      for (const page of current.keys())
        if (Math.abs(page - from / PAGE) > 20) current.delete(page);
    }
  }, [from, to, version]);

  useLayoutEffect(() => {
    const measure = (): void => setSeen(Math.ceil((box.current?.clientHeight ?? 400) / ROW));
    measure();
    addEventListener("resize", measure);
    return () => removeEventListener("resize", measure);
  }, []);

  useLayoutEffect(() => {
    const element = box.current;
    if (!element || selected < 0) return;
    if (selected >= first && selected + 1 <= first + seen - 1) return;
    const target = Math.max(0, Math.min(last, selected - Math.floor(seen / 3)));
    element.scrollTop =
      height < length * ROW ? (target / Math.max(1, last)) * inside : target * ROW;
  }, [selected, length]);

  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: seen - 1, PageUp: 1 - seen }[event.key];
    const next =
      event.key === "Home" ? 0 : event.key === "End" ? length - 1 : step && selected + step;
    if (next === undefined) return;
    event.preventDefault();
    onSelect(Math.max(0, Math.min(length - 1, next)));
  };

  const rows: VNode[] = [];
  for (let at = from; at < to; at += 1) {
    const page = pages.current.get(Math.floor(at / PAGE));
    const row = page === undefined || page === "asked" ? undefined : page[at % PAGE];
    rows.push(
      <div
        key={at}
        id={`${id}-${at}`}
        role="option"
        aria-selected={at === selected}
        aria-posinset={at + 1}
        aria-setsize={length}
        class={`row ${row === undefined ? "waiting" : className(row)}`}
        onClick={() => onSelect(at)}
      >
        {row === undefined ? "…" : render(row)}
      </div>,
    );
  }
  // The rows stand where the box has been scrolled to, since the whole may be too high to lay out.
  const offset = height < length * ROW ? top - (first - from) * ROW : from * ROW;
  const isInSight = selected >= from && selected < to;
  return (
    <div
      ref={box}
      class="list"
      role="listbox"
      tabIndex={0}
      aria-label={label}
      aria-activedescendant={isInSight ? `${id}-${selected}` : undefined}
      onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}
      onKeyDown={onKeyDown}
    >
      <div class="whole" role="presentation" style={{ height: `${height}px` }}>
        <div
          class="shown"
          role="presentation"
          style={{ transform: `translateY(${Math.max(0, offset)}px)` }}
        >
          {rows}
        </div>
      </div>
    </div>
  );
}
