import type { ComponentChildren, VNode } from "preact";

import { escapeControls } from "../../words/plain-text.js";
import { useWords } from "../../words/words.js";
import {
  CALL_KINDS,
  TOKEN_KINDS,
  type JudgedSession,
  type ProfilePlay,
  type SessionReport,
  type Stretch,
} from "../../worker/shapes.js";

interface TimelineProps {
  report: SessionReport;
  stretches: readonly Stretch[];
  /** The call that is looked at. */
  call: number | undefined;
  /** Is told the call that somebody points at. */
  onCall: (call: number) => void;
}

/** A stripe for each call, and the loops below. */
export function Timeline({ report, stretches, call, onCall }: TimelineProps): VNode {
  const { audit } = useWords();
  const { calls, loops } = report;
  if (calls === 0) return <></>;
  const pointAt = (event: MouseEvent): void => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const at = Math.floor(((event.clientX - box.left) / box.width) * calls);
    onCall(Math.max(0, Math.min(calls - 1, at)));
  };
  return (
    <Picture
      name="timeline"
      label={audit.timelineOf(report)}
      width={calls}
      height={26}
      onClick={pointAt}
    >
      {joined(stretches).map(({ first, last, kind }) => (
        <Bar
          name={`call-${kind}`}
          x={first}
          width={last - first + 1}
          height={18}
          title={audit.stretch(first, last, audit.calls[kind])}
        />
      ))}
      {loops.map(
        ({ firstCall, lastCall, action, message }) =>
          firstCall !== null && (
            <Bar
              name={`loop-${action}`}
              x={firstCall}
              y={20}
              width={(lastCall ?? firstCall) - firstCall + 1}
              height={6}
              title={`${audit.action[action]}: ${escapeControls(message.slice(0, 600))}`}
            />
          ),
      )}
      {call !== undefined && call >= 0 && (
        <rect class="head" x={call} width={Math.max(1, calls / 400)} y={0} height={26} />
      )}
    </Picture>
  );
}

/** Neighbours that do the same as one. */
function joined(stretches: readonly Stretch[]): Stretch[] {
  const all: Stretch[] = [];
  for (const { first, last, kind } of stretches) {
    const before = all.at(-1);
    if (before?.kind === kind) before.last = last;
    else all.push({ first, last, kind });
  }
  return all;
}

interface LegendProps {
  judged: JudgedSession;
  plays: readonly ProfilePlay[];
}

/** The meaning of the colours of a timeline and of the profiles below it: of those that are there. */
export function Legend({ judged: { report, stretches, play }, plays }: LegendProps): VNode {
  const { audit, actions } = useWords();
  const kinds = CALL_KINDS.filter((kind) => stretches.some((each) => each.kind === kind));
  const calls = kinds.map((kind) => [`call-${kind}`, audit.calls[kind]] as const);
  const all = [play, ...plays];
  const marks = [...report.loops, ...all.flatMap((each) => each.marks)];
  const there = {
    nudge: marks.some(({ action }) => action === "nudge"),
    stop: marks.some(({ action }) => action === "stop"),
    saved: all.some(({ saved }) => saved.calls > 0),
  };
  const verdicts = (["nudge", "stop", "saved"] as const)
    .filter((action) => there[action])
    .map((action) => [`mark-${action}`, actions[action]] as const);
  return (
    <p class="legend">
      {[...calls, ...verdicts].map(([name, word]) => (
        <span key={name}>
          <i class={`key ${name}`} /> {word}
        </span>
      ))}
    </p>
  );
}

/** The estimated tokens by kind, as one thin bar, and how many there are of each. */
export function TokenKindsPicture({ tokens }: { tokens: SessionReport["tokens"] }): VNode {
  const { audit } = useWords();
  const kinds = TOKEN_KINDS.filter((kind) => tokens[kind] > 0);
  let x = 0;
  return (
    <>
      {tokens.total > 0 && (
        <Picture name="tokens" label={audit.tokensByKind} width={1000} height={20}>
          {kinds.map((kind) => {
            const width = (1000 * tokens[kind]) / tokens.total;
            const title = `${audit.tokens[kind]}: ${audit.count(tokens[kind])}`;
            const bar = (
              <Bar name={`token-${kind}`} x={x} width={width} height={20} title={title} />
            );
            x += width;
            return bar;
          })}
        </Picture>
      )}
      <p class="legend">
        {kinds.map((kind) => (
          <span key={kind}>
            <i class={`key token-${kind}`} /> {audit.tokens[kind]} {audit.count(tokens[kind])}
          </span>
        ))}
      </p>
    </>
  );
}

interface PictureProps {
  name: string;
  label: string;
  width: number;
  height: number;
  onClick?: (event: MouseEvent) => void;
  children: ComponentChildren;
}

/** A picture that says in words what it shows. */
function Picture({ name, label, width, height, onClick, children }: PictureProps): VNode {
  return (
    <svg
      class={name}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
      {...(onClick && { onClick })}
    >
      {children}
    </svg>
  );
}

interface BarProps {
  name: string;
  x: number;
  y?: number;
  width: number;
  height: number;
  title: string;
}

/** A bar of a picture, with what it says when somebody points at it. */
function Bar({ name, x, y = 0, width, height, title }: BarProps): VNode {
  return (
    <rect class={name} x={hundredths(x)} y={y} width={hundredths(width)} height={height}>
      <title>{title}</title>
    </rect>
  );
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
