import type { SessionReport } from "./audit-report.js";
import { WASTES, type Waste } from "./saveable.js";

/** On what money went that could have been saved, and where most of it did. */
export interface Finding {
  waste: Waste;
  /** In US dollars; undefined if no prices are known. */
  dollars: number | undefined;
  /** How many loops, items, calls or requests it is. */
  count: number;
  tokens: number;
  /** The session that it cost most, and the agent and project of which most of it came. */
  worst: SessionReport;
  agent: string;
  project: string | undefined;
}

/** The most that a reader is shown. */
const SHOWN = 5;

/** What was found in the sessions, the dearest first. */
export function findingsOf(sessions: readonly SessionReport[]): Finding[] {
  const found = WASTES.flatMap((waste) => {
    const having = sessions.filter((session) => countOf(session, waste) > 0);
    return having.length === 0 ? [] : [findingOf(waste, having)];
  });
  return found
    .sort((a, b) => (b.dollars ?? 0) - (a.dollars ?? 0) || b.tokens - a.tokens)
    .slice(0, SHOWN);
}

function findingOf(waste: Waste, sessions: readonly SessionReport[]): Finding {
  const places = new Map<string, { weight: number; session: SessionReport }>();
  let worst = sessions[0]!;
  let [tokens, count] = [0, 0];
  let dollars: number | undefined;
  for (const session of sessions) {
    const { saveable, agent, project } = session;
    const cost = saveable[waste].dollars;
    if (cost !== undefined) dollars = (dollars ?? 0) + cost;
    tokens += saveable[waste].tokens;
    count += countOf(session, waste);
    if (isWorse(session, worst, waste)) worst = session;
    const key = `${agent ?? session.format}\0${project ?? ""}`;
    const place = places.get(key) ?? { weight: 0, session };
    place.weight += cost ?? saveable[waste].tokens / 1e9;
    places.set(key, place);
  }
  const [most] = [...places.values()].sort((a, b) => b.weight - a.weight);
  const { agent, format, project } = most!.session;
  return { waste, dollars, count, tokens, worst, agent: agent ?? format, project };
}

function isWorse(a: SessionReport, b: SessionReport, waste: Waste): boolean {
  const [these, those] = [a.saveable[waste], b.saveable[waste]];
  return (
    (these.dollars ?? 0) - (those.dollars ?? 0) > 0 ||
    ((these.dollars ?? 0) === (those.dollars ?? 0) && these.tokens > those.tokens)
  );
}

/** How many there are of a waste: loops, items of the history, calls, requests. */
function countOf({ loops, saveable }: SessionReport, waste: Waste): number {
  switch (waste) {
    case "loops":
      return loops.length;
    case "outdated":
      return Object.values(saveable.outdated.kinds).reduce((sum, { items }) => sum + items, 0);
    case "rereads":
      return saveable.rereads.calls;
    case "pauses":
      return saveable.pauses.requests;
  }
}

/** The sessions that wasted most, the worst first; where nothing was, those that cost most. */
export function worstFirst(sessions: readonly SessionReport[]): SessionReport[] {
  return [...sessions].sort(
    (a, b) =>
      weightOf(b.saveable) - weightOf(a.saveable) ||
      b.loops.length - a.loops.length ||
      (b.usage.dollars ?? 0) - (a.usage.dollars ?? 0) ||
      b.usage.tokens - a.usage.tokens,
  );
}

/** In dollars; where no prices are known, by what a million tokens may cost from a cache. */
function weightOf({
  dollars,
  loops,
  outdated,
  rereads,
  pauses,
}: SessionReport["saveable"]): number {
  const tokens = loops.tokens + outdated.tokensSent + rereads.tokensSent + pauses.tokens;
  return dollars ?? tokens * 3e-7;
}
