import type { LoopProfile, LoopReport } from "turnkeeper";

import type { SessionLine } from "../saved/event-lines.js";
import { Player, type PlayerOptions, type Saved } from "./player.js";

/** A nudge or a stop, and where in the session it came. */
export interface Finding {
  action: "nudge" | "stop";
  /**
   * The call that it came at, or else the last one before it. Calls count from 0 over the whole
   * session; null if there was none yet.
   */
  call: number | null;
  /**
   * How many calls had been made when it came. A call at which the verdict comes is not among them,
   * for it has not been run yet; one whose result brings the verdict is.
   */
  callsBefore: number;
  /** Counts from 1. */
  line: number;
  type: LoopReport["type"];
  rule: string;
}

/** What one profile says to a session. */
export interface ProfileFindings {
  profile: LoopProfile;
  /** In their order; what comes after a stop of the same prompt is not there. */
  findings: Finding[];
  /** Events and calls after stops. */
  saved: Saved;
  /** What the session's events lack. */
  blind: ("arguments" | "results")[];
}

/** One session, and what every profile says to it. */
export interface SessionFindings {
  events: number;
  calls: number;
  profiles: ProfileFindings[];
}

/** Plays one session through several profiles at once. */
export class Comparison {
  readonly #players: { profile: LoopProfile; player: Player; findings: Finding[] }[];
  #events = 0;
  #calls = 0;

  constructor(
    file: string,
    profiles: readonly LoopProfile[],
    options: Omit<PlayerOptions, "settings" | "continue">,
  ) {
    this.#players = profiles.map((profile) => ({
      profile,
      player: new Player(file, { ...options, settings: { profile }, continue: false }),
      findings: [],
    }));
  }

  play(line: SessionLine): void {
    const isCall = line.value.type === "tool_call";
    let isEvent = false;
    for (const { player, findings } of this.#players) {
      const step = player.play(line);
      if (step.kind === "prompt") continue;
      isEvent = true;
      if (step.saved || step.verdict.action === "ok") continue;
      const { action, report } = step.verdict;
      const call = isCall ? this.#calls : this.#calls - 1;
      findings.push({
        action,
        call: call < 0 ? null : call,
        callsBefore: this.#calls,
        line: step.line,
        type: report.type,
        rule: report.rule,
      });
    }
    if (isEvent) this.#events += 1;
    if (isCall) this.#calls += 1;
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
