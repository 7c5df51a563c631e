import type { ComponentChildren, VNode } from "preact";

import type { SessionReport, TokenKinds } from "../audit-report.js";
import { oneLine } from "../plain-text.js";
import { CALL_KINDS, type Stretch } from "../timeline.js";
import { TOKEN_KINDS } from "../total.js";

import type { AuditWords } from "./words.js";

/** The columns that a timeline has at least, so that a short one has no wide stripes. */
const LEAST_CALLS = 40;

interface TimelineProps {
  report: SessionReport;
  stretches: readonly Stretch[];
  words: AuditWords;
  /** The call that is looked at. */
  call?: number | undefined;
  /** Is told the call that somebody points at. */
  onCall?: (call: number) => void;
}

/** A stripe for each call, and the loops below. */
export function Timeline({ report, stretches, words, call, onCall }: TimelineProps): VNode {
  const { calls, loops } = report;
  if (calls === 0) return <></>;
  const width = Math.max(calls, LEAST_CALLS);
  const pointAt = (event: MouseEvent): void => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const at = Math.floor(((event.clientX - box.left) / box.width) * width);
    if (at < calls) onCall?.(Math.max(0, at));
  };
  return (
    <Picture
      name="timeline"
      label={words.timelineOf(report)}
      width={width}
      height={26}
      {...(onCall && { onClick: pointAt })}
    >
      {joined(stretches).map(({ first, last, kind }) => (
        <Bar
          name={`call-${kind}`}
          x={first}
          width={last - first + 1}
          height={18}
          title={words.stretch(first, last, words.calls[kind])}
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
              title={`${words.action[action]}: ${oneLine(message, 600)}`}
            />
          ),
      )}
      {call !== undefined && call >= 0 && (
        <rect class="head" x={call} width={Math.max(1, width / 400)} y={0} height={26} />
      )}
    </Picture>
  );
}

/** Neighbours that do the same as one. */
function joined(stretches: readonly Stretch[]): Pick<Stretch, "first" | "last" | "kind">[] {
  const all: Pick<Stretch, "first" | "last" | "kind">[] = [];
  for (const { first, last, kind } of stretches) {
    const before = all.at(-1);
    if (before?.kind === kind) before.last = last;
    else all.push({ first, last, kind });
  }
  return all;
}

/** What the colours of a timeline mean. */
export function Legend({ words }: { words: AuditWords }): VNode {
  return (
    <p class="legend">
      {words.stripes}:{" "}
      {CALL_KINDS.map((kind, at) => (
        <>
          {at > 0 && ", "}
          <i class={`key call-${kind}`} /> {words.calls[kind]}
        </>
      ))}
      ; <i class="key loop-stop" /> {words.loopStopped}, <i class="key loop-nudge" />{" "}
      {words.loopNudged}
    </p>
  );
}

interface TokensProps {
  tokens: SessionReport["tokens"];
  words: AuditWords;
}

/** The estimated tokens by kind, as one thin bar. */
export function TokenBar({ tokens, words }: TokensProps): VNode {
  if (tokens.total === 0) return <></>;
  let x = 0;
  return (
    <Picture name="tokens" label={words.tokensByKind} width={1000} height={20}>
      {kindsIn(tokens).map((kind) => {
        const width = (1000 * tokens[kind]) / tokens.total;
        const title = `${words.tokens[kind]}: ${words.count(tokens[kind])}`;
        const bar = <Bar name={`token-${kind}`} x={x} width={width} height={20} title={title} />;
        x += width;
        return bar;
      })}
    </Picture>
  );
}

/** The same, and how many there are of each. */
export function TokenKindsPicture({ tokens, words }: TokensProps): VNode {
  return (
    <>
      <TokenBar tokens={tokens} words={words} />
      <p class="legend">
        {kindsIn(tokens).map((kind) => (
          <span key={kind}>
            <i class={`key token-${kind}`} /> {words.tokens[kind]} {words.count(tokens[kind])}{" "}
          </span>
        ))}
      </p>
    </>
  );
}

function kindsIn(tokens: TokenKinds): (keyof TokenKinds)[] {
  return TOKEN_KINDS.filter((kind) => tokens[kind] > 0);
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
