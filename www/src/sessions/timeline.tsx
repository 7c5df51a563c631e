import type { VNode } from "preact";

import { useWords } from "../words/words.js";
import type { JudgedSession, Mark, ProfilePlay } from "../worker/shapes.js";

import { LEAST_CALLS, Legend, Timeline as Picture } from "./view/pictures.js";

interface TimelineProps {
  judged: JudgedSession;
  plays: readonly ProfilePlay[];
  /** Whether thresholds are set, besides the profile. */
  hasOwnRules: boolean;
  /** The call that is looked at. */
  call: number | undefined;
  onCall: (call: number) => void;
}

/** The calls as stripes, and on the same axis where each profile would have nudged or stopped the agent. */
export function Timeline({ judged, plays, hasOwnRules, call, onCall }: TimelineProps): VNode {
  const words = useWords();
  const { report, play } = judged;
  /** The chosen rules are a row of their own if they are not just a profile's. */
  const others = plays.filter(({ profile }) => hasOwnRules || profile !== play.profile);
  const width = Math.max(report.calls, LEAST_CALLS);
  const percent = (calls: number): string => `${(calls / width) * 100}%`;
  const head = call !== undefined && call >= 0 && (
    <line class="head" x1={percent(call + 0.5)} x2={percent(call + 0.5)} y1={0} y2="100%" />
  );
  return (
    <>
      <Picture report={report} stretches={judged.stretches} call={call} onCall={onCall} />
      <Legend />
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
