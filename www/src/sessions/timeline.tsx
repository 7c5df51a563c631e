import type { VNode } from "preact";
import { useMemo } from "preact/hooks";

import { oneLine } from "../../../js/src/analysis/plain-text.js";
import { CALL_KINDS } from "../../../js/src/analysis/timeline.js";
import { useWords } from "../words/words.js";
import type { Mark, ProfilePlay } from "../worker/profile-play.js";
import type { JudgedSession } from "../worker/session-tasks.js";

interface TimelineProps {
  judged: JudgedSession;
  plays: readonly ProfilePlay[];
  /** Whether thresholds are set, besides the profile. */
  hasOwnRules: boolean;
  /** The call that is looked at. */
  call: number | undefined;
  onCall: (call: number) => void;
}

/** A short session has no wide stripes. */
const LEAST_CALLS = 30;

/** The calls as stripes, and below them where each profile would have told or stopped the agent. */
export function Timeline({ judged, plays, hasOwnRules, call, onCall }: TimelineProps): VNode {
  const words = useWords();
  const { report, play } = judged;
  /** The chosen rules are a row of their own if they are not just a profile's. */
  const others = plays.filter(({ profile }) => hasOwnRules || profile !== play.profile);
  const width = Math.max(report.calls, LEAST_CALLS);
  const percent = (calls: number): string => `${(calls / width) * 100}%`;
  const onClick = (event: MouseEvent): void => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const at = Math.floor(((event.clientX - box.left) / box.width) * width);
    if (at < report.calls) onCall(Math.max(0, at));
  };
  // Hundreds of elements, and the same at every call that is looked at.
  const stripes = useMemo(
    () => <Stripes judged={judged} percent={percent} />,
    [judged, width, words],
  );
  const head = call !== undefined && call >= 0 && (
    <line class="head" x1={percent(call + 0.5)} x2={percent(call + 0.5)} y1={0} y2="100%" />
  );
  return (
    <>
      <div class="lane calls">
        <span class="lane-name" id="calls-name">
          {words.sessions.calls}
        </span>
        <svg role="img" aria-label={words.sessions.pictureOf(report)} onClick={onClick}>
          {stripes}
          {head}
        </svg>
      </div>
      <p class="legend" aria-hidden="true">
        {CALL_KINDS.map((kind) => (
          <span key={kind}>
            <i class={`key call-${kind}`} /> {words.kinds[kind]}
          </span>
        ))}
        <span>
          <i class="key repeat" /> {words.sessions.repeated}
        </span>
        <span>
          <i class="key loop-stop" /> {words.sessions.loop}
        </span>
      </p>
      <table class="lanes">
        <caption>{words.sessions.comparison}</caption>
        <thead>
          <tr>
            <th scope="col">{words.rules.profile}</th>
            <th scope="col" class="wide">
              {words.sessions.where}
            </th>
            <th scope="col">{words.sessions.told}</th>
            <th scope="col">{words.sessions.stopped}</th>
            <th scope="col">{words.sessions.savedCalls}</th>
            <th scope="col">{words.sessions.savedTokens}</th>
          </tr>
        </thead>
        <tbody>
          {[play, ...others].map((each, at) => (
            <Lane
              key={at === 0 ? "chosen" : each.profile}
              play={each}
              isChosen={at === 0}
              calls={report.calls}
              percent={percent}
              head={head}
            />
          ))}
        </tbody>
      </table>
    </>
  );
}

/** The calls by what they do, the repeated ones framed, and the loops below them. */
function Stripes(props: { judged: JudgedSession; percent: (calls: number) => string }): VNode {
  const { judged, percent } = props;
  const words = useWords();
  return (
    <>
      {judged.stretches.map(({ first, last, kind }) => (
        <rect
          key={first}
          class={`call-${kind}`}
          x={percent(first)}
          width={percent(last - first + 1)}
          y={0}
          height={30}
        >
          <title>{words.sessions.stretch(first, last, kind)}</title>
        </rect>
      ))}
      {judged.repeats.map(({ first, last, tool }) => (
        <rect
          key={`repeat${first}`}
          class="repeat"
          x={percent(first)}
          width={percent(last - first + 1)}
          y={0}
          height={30}
          rx={4}
        >
          <title>{words.sessions.repeat(tool, first, last)}</title>
        </rect>
      ))}
      {judged.report.loops.map(
        ({ firstCall, lastCall, action, message }, at) =>
          firstCall !== null && (
            <rect
              key={`loop${at}`}
              class={`loop-${action}`}
              x={percent(firstCall)}
              width={percent((lastCall ?? firstCall) - firstCall + 1)}
              y={34}
              height={6}
            >
              <title>{oneLine(message, 600)}</title>
            </rect>
          ),
      )}
    </>
  );
}

interface LaneProps {
  play: ProfilePlay;
  /** By the settings of the form, and not only the profile's own. */
  isChosen: boolean;
  calls: number;
  percent: (calls: number) => string;
  head: VNode | false;
}

function Lane({ play, isChosen, calls, percent, head }: LaneProps): VNode {
  const words = useWords();
  const { marks, saved } = play;
  const nudge = marks.find(({ action }) => action === "nudge");
  const stop = marks.find(({ action }) => action === "stop");
  const where = (mark: Mark | undefined): string =>
    mark ? words.sessions.atCall(mark.call) : words.sessions.never;
  return (
    <tr class={isChosen ? "chosen" : ""}>
      <th scope="row">
        {play.profile}
        {isChosen && <span class="quiet"> {words.sessions.chosen}</span>}
      </th>
      <td class="wide">
        <svg class="lane-picture" aria-hidden="true">
          <rect class="track" x={0} y={7} width={percent(calls)} height={4} />
          {stop && (
            <rect
              class="saved"
              x={percent(stop.callsBefore)}
              y={5}
              width={percent(Math.max(0, calls - stop.callsBefore))}
              height={8}
            />
          )}
          {marks.slice(0, 200).map((mark, at) => (
            <rect
              key={at}
              class={`mark-${mark.action}`}
              x={percent((mark.call ?? 0) + 0.5)}
              y={mark.action === "stop" ? 0 : 3}
              width={mark.action === "stop" ? 6 : 4}
              height={mark.action === "stop" ? 18 : 12}
            >
              <title>{words.sessions.mark(mark)}</title>
            </rect>
          ))}
          {head}
        </svg>
      </td>
      <td data-label={words.sessions.told}>{where(nudge)}</td>
      <td data-label={words.sessions.stopped}>{where(stop)}</td>
      <td data-label={words.sessions.savedCalls}>{words.count(saved.calls)}</td>
      <td data-label={words.sessions.savedTokens}>{words.count(saved.tokens)}</td>
    </tr>
  );
}
