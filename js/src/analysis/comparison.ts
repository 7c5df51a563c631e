import type { LoopReport } from "turnkeeper";

import type { SessionLine } from "../saved/event-lines.js";
import type { AnyProfile, ProfileRules } from "./profiles.js";
import { Player, type Lack, type PlayerOptions, type Saved, type Step } from "./player.js";

/** A nudge or a stop, and where in the session it came. */
export interface Finding {
  action: "nudge" | "stop";
  /**
   * The call that it came at, or else the last one before it. Calls count from 0 over the whole
   * session; null if there was none yet.
   */
  call: number | null;
  /**
   * The number of calls that had been made when it came. A call at which the verdict comes is not among
   * them, for it has not been run yet; one whose result brings the verdict is.
   */
  callsBefore: number;
  /** Counts from 1. */
  line: number;
  report: LoopReport;
}

/** What one profile says to a session. */
export interface ProfileFindings {
  profile: AnyProfile;
  /** In their order; what comes after a stop of the same prompt is not there. */
  findings: Finding[];
  /** Events and calls after stops. */
  saved: Saved;
  /** What the session's events lack. */
  blind: Lack[];
}

/** One session, and what every profile says to it. */
export interface SessionFindings {
  events: number;
  calls: number;
  profiles: ProfileFindings[];
}

interface Compared {
  profile: AnyProfile;
  player: Player;
  findings: Finding[];
}

/** Plays one session by several rules at once. The command and the page compare with this one. */
export class Comparison {
  readonly #players: Compared[];
  #events = 0;
  #calls = 0;

  constructor(
    file: string,
    rules: readonly ProfileRules[],
    options: Omit<PlayerOptions, "settings" | "continue">,
  ) {
    this.#players = rules.map((settings) => ({
      profile: settings.profile,
      player: new Player(file, { ...options, settings, continue: false }),
      findings: [],
    }));
  }

  /** The longest run of calls under way, by the first rules. */
  get counts(): Player["counts"] {
    return this.#players[0]!.player.counts;
  }

  /** What each of the rules says to a line. */
  play(line: SessionLine): Step[] {
    const isCall = line.value.type === "tool_call";
    const steps = this.#players.map(({ player, findings }) => {
      const step = player.play(line);
      if (step.kind === "prompt" || step.saved || step.verdict.action === "ok") return step;
      const { action, report } = step.verdict;
      const call = isCall ? this.#calls : this.#calls - 1;
      const at = call < 0 ? null : call;
      findings.push({ action, call: at, callsBefore: this.#calls, line: step.line, report });
      return step;
    });
    if (steps.some(({ kind }) => kind === "event")) this.#events += 1;
    if (isCall) this.#calls += 1;
    return steps;
  }

  /** Ends the session; the comparison is of no more use. */
  end(): SessionFindings {
    const profiles = this.#players.map(({ profile, player, findings }) => {
      player.end();
      return { profile, findings, saved: player.tally.saved, blind: player.tally.blind };
    });
    return { events: this.#events, calls: this.#calls, profiles };
  }
}

/** The first nudge and the first stop. */
export function firsts({ findings }: ProfileFindings): { nudge?: Finding; stop?: Finding } {
  const nudge = findings.find(({ action }) => action === "nudge");
  const stop = findings.find(({ action }) => action === "stop");
  return { ...(nudge && { nudge }), ...(stop && { stop }) };
}
