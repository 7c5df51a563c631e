import type { VNode } from "preact";

import { PROFILES, isOwn } from "../profiles.js";
import { useWords } from "../words/words.js";
import type { JudgedSession, Mark, ProfilePlay } from "../worker/shapes.js";

import { Legend, Timeline as Picture } from "./view/pictures.js";

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
  const others = PROFILES.filter((profile) => hasOwnRules || profile !== play.profile);
  const theirs = others.filter((profile) => !isOwn(profile));
  const playsOf = (profiles: readonly string[]): ProfilePlay[] =>
    plays.filter(({ profile }) => profiles.includes(profile));
  const name = words.sessions.others(theirs.length);
  const shared = { calls: report.calls, call };
  return (
    <>
      <Picture report={report} stretches={judged.stretches} call={call} onCall={onCall} />
      <Legend judged={judged} plays={plays} />
      <Lanes
        {...shared}
        caption={words.sessions.comparison}
        isWorking={plays.length < PROFILES.length}
        chosen={play}
        plays={playsOf(others.filter(isOwn))}
      />
      <details class="others">
        <summary>{name}</summary>
        <Lanes {...shared} label={name} plays={playsOf(theirs)} />
      </details>
    </>
  );
}

interface LanesProps {
  caption?: string;
  /** Whether more plays are to come. */
  isWorking?: boolean;
  /** Its name, if it has no caption. */
  label?: string;
  /** By the settings of the form, and not only the profile's own. */
  chosen?: ProfilePlay;
  plays: readonly ProfilePlay[];
  calls: number;
  call: number | undefined;
}

/** A row for each profile, with its picture on the axis of the calls. */
function Lanes({
  caption,
  isWorking = false,
  label,
  chosen,
  plays,
  calls,
  call,
}: LanesProps): VNode {
  const words = useWords();
  const shared = { calls, call };
  return (
    <table class="lanes" aria-label={label}>
      {caption !== undefined && (
        <caption>
          {caption}
          {isWorking && <span class="quiet"> {words.sessions.judging}</span>}
        </caption>
      )}
      <thead>
        <tr>
          <th scope="col">{words.rules.profile}</th>
          <th scope="col" class="wide">
            {words.sessions.where}
          </th>
          <th scope="col">{words.sessions.nudge}</th>
          <th scope="col">{words.sessions.stop}</th>
          <th scope="col">{words.sessions.callsAfter}</th>
        </tr>
      </thead>
      <tbody>
        {chosen && <Lane key="chosen" {...shared} play={chosen} isChosen={true} />}
        {plays.map((play) => (
          <Lane key={play.profile} {...shared} play={play} isChosen={false} />
        ))}
      </tbody>
    </table>
  );
}

interface LaneProps {
  play: ProfilePlay;
  isChosen: boolean;
  calls: number;
  call: number | undefined;
}

function Lane({ play, isChosen, calls, call }: LaneProps): VNode {
  const words = useWords();
  const { marks, saved } = play;
  const nudge = marks.find(({ action }) => action === "nudge");
  const stop = marks.find(({ action }) => action === "stop");
  const where = (mark: Mark | undefined): string =>
    mark ? words.sessions.atCall(mark.call) : words.sessions.never;
  const percent = (count: number): string => `${(count / Math.max(1, calls)) * 100}%`;
  return (
    <tr class={isChosen ? "chosen" : ""}>
      <th scope="row">
        {play.profile}
        {isChosen && <span class="quiet"> {words.sessions.chosen}</span>}
      </th>
      <td class="wide">
        <svg class="lane-picture" aria-hidden="true">
          <rect class="track" x={0} y={7} width="100%" height={4} />
          {stop && (
            <rect
              class="mark-saved"
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
              x={percent(mark.callsBefore)}
              y={mark.action === "stop" ? 0 : 3}
              width={mark.action === "stop" ? 6 : 4}
              height={mark.action === "stop" ? 18 : 12}
            >
              <title>{words.sessions.mark(mark)}</title>
            </rect>
          ))}
          {call !== undefined && call >= 0 && (
            <line class="head" x1={percent(call + 0.5)} x2={percent(call + 0.5)} y1={0} y2="100%" />
          )}
        </svg>
      </td>
      <td data-label={words.sessions.nudge}>{where(nudge)}</td>
      <td data-label={words.sessions.stop}>{where(stop)}</td>
      <td data-label={words.sessions.callsAfter}>{words.count(saved.calls)}</td>
    </tr>
  );
}
