import type { ComponentChildren, VNode } from "preact";

import type { SessionReport, TokenKinds, Total } from "../../../analysis/audit-report.js";
import type { CallKind, Stretch } from "../../../analysis/timeline.js";
import { TOKEN_KINDS } from "../../../analysis/total.js";
import { grouped, plural } from "../../../analysis/wording.js";
import { percent } from "../words.js";

/** What a call does, as the legend says it. */
export const CALL_TITLES: Record<CallKind, string> = {
  read: "reads",
  search: "searches",
  edit: "edits",
  run: "runs a command",
  browse: "browses",
  ask: "asks or tells the user",
  other: "other",
};

const TOKEN_TITLES: Record<keyof TokenKinds, string> = {
  system: "system and host",
  environment: "environment",
  user: "user",
  text: "assistant text",
  reasoning: "reasoning",
  calls: "tool calls",
  results: "tool results",
};

/** The columns that a timeline has at least, so that a short one has no wide stripes. */
const LEAST_STRIPES = 40;

/** A stripe for each call, and the loops below. */
export function Timeline(props: { report: SessionReport; timeline: readonly Stretch[] }): VNode {
  const { report, timeline } = props;
  if (timeline.length === 0) return <></>;
  const { calls, loops } = report;
  const found = loops.length === 0 ? "no loop" : plural(loops.length, "loop");
  const span = ({ from, to }: Run<unknown>): string => {
    const [{ first }, { last }] = [timeline[from]!, timeline[to]!];
    return first === last ? `call ${first}` : `calls ${first} to ${last}`;
  };
  return (
    <Picture
      name="timeline"
      label={`Timeline of ${plural(calls, "call")}; ${found}`}
      width={Math.max(timeline.length, LEAST_STRIPES)}
      height={26}
    >
      {runsOf(timeline, ({ kind }) => kind).map((run) => (
        <Bar
          name={`call-${run.value}`}
          x={run.from}
          width={run.to - run.from + 1}
          height={18}
          title={`${span(run)}: ${CALL_TITLES[run.value]}`}
        />
      ))}
      {runsOf(timeline, ({ loop }) => loop).map(
        (run) =>
          run.value && (
            <Bar
              name={`loop-${run.value}`}
              x={run.from}
              y={20}
              width={run.to - run.from + 1}
              height={6}
              title={`${run.value}, ${span(run)}`}
            />
          ),
      )}
    </Picture>
  );
}

/** Neighbours with the same value. */
interface Run<V> {
  from: number;
  to: number;
  value: V;
}

function runsOf<T, V>(all: readonly T[], of: (each: T) => V): Run<V>[] {
  const runs: Run<V>[] = [];
  all.forEach((each, at) => {
    const value = of(each);
    const last = runs.at(-1);
    if (last && last.value === value) last.to = at;
    else runs.push({ from: at, to: at, value });
  });
  return runs;
}

/** The tokens of a session by kind, as one thin bar. */
export function TokenStripe({ tokens }: { tokens: SessionReport["tokens"] }): VNode {
  if (tokens.total === 0) return <></>;
  return <TokenPicture tokens={tokens} name="tokens small" label="Tokens by kind" />;
}

/** The same as a bar, and a row for each kind. */
export function TokenTable({ tokens }: { tokens: SessionReport["tokens"] }): VNode {
  return (
    <>
      <TokenPicture tokens={tokens} name="tokens" label="Tokens by kind, all sessions" />
      <table>
        <tbody>
          {kindsIn(tokens).map((kind) => (
            <tr>
              <th scope="row">
                <span class={`key token-${kind}`} /> {TOKEN_TITLES[kind]}
              </th>
              <td>{grouped(tokens[kind])}</td>
              <td>{percent(tokens[kind], tokens.total)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** What a repair saves, and what would be saved if only the newest message had environment. */
export function BeforeAndAfter({ total }: { total: Total }): VNode {
  const { duplicateTokens, outdatedTokens } = total;
  const all = total.tokens.total;
  const rows = [
    { title: "as they are", tokens: all },
    { title: "repaired", tokens: all - duplicateTokens },
    { title: "newest environment alone", tokens: all - duplicateTokens - outdatedTokens },
  ];
  return (
    <table>
      <tbody>
        {rows.map(({ title, tokens }) => {
          const label = `${title}: ${plural(tokens, "token")}`;
          return (
            <tr>
              <th scope="row">{title}</th>
              <td>{grouped(tokens)}</td>
              <td class="wide">
                <Picture name="tokens small" label={label} width={1000} height={20}>
                  <Bar
                    name="token-results"
                    x={0}
                    width={(1000 * tokens) / Math.max(1, all)}
                    height={20}
                    title={label}
                  />
                </Picture>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function kindsIn(tokens: TokenKinds): (keyof TokenKinds)[] {
  return TOKEN_KINDS.filter((kind) => tokens[kind] > 0);
}

function TokenPicture(props: {
  tokens: SessionReport["tokens"];
  name: string;
  label: string;
}): VNode {
  const { tokens, name, label } = props;
  let x = 0;
  return (
    <Picture name={name} label={label} width={1000} height={20}>
      {kindsIn(tokens).map((kind) => {
        const width = (1000 * tokens[kind]) / Math.max(1, tokens.total);
        const title = `${TOKEN_TITLES[kind]}: ${grouped(tokens[kind])}`;
        const bar = <Bar name={`token-${kind}`} x={x} width={width} height={20} title={title} />;
        x += width;
        return bar;
      })}
    </Picture>
  );
}

/** A picture that says in words what it shows. */
export function Picture(props: {
  name: string;
  label: string;
  width: number;
  height: number;
  children: ComponentChildren;
}): VNode {
  return (
    <svg
      class={props.name}
      viewBox={`0 0 ${props.width} ${props.height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={props.label}
    >
      {props.children}
    </svg>
  );
}

/** A bar of a picture, with what it says when somebody points at it. */
export function Bar(props: {
  name: string;
  x: number;
  y?: number;
  width: number;
  height: number;
  title: string;
}): VNode {
  return (
    <rect
      class={props.name}
      x={hundredths(props.x)}
      y={props.y ?? 0}
      width={hundredths(props.width)}
      height={props.height}
    >
      <title>{props.title}</title>
    </rect>
  );
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
