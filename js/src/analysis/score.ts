import type { LoopProfile } from "turnkeeper";

import type { Finding, ProfileFindings } from "./comparison.js";
import type { Label } from "./labels.js";

/**
 * How a profile did on one labelled session. A verdict is a nudge or a stop.
 *
 * A session with a loop: the verdicts from `tolerance` calls before the labelled start on are *in
 * time*; those before are *early*, false alarms that say nothing of the loop. The loop is found if a
 * verdict is in time, and stopped if a stop is. A session without a loop: every verdict is a false
 * alarm.
 */
export type Score = LoopScore | HealthyScore;

export interface LoopScore {
  label: "loop";
  /** The labelled start. */
  start: number;
  /** The first verdict in time. */
  found: Finding | undefined;
  /** The first stop in time. */
  stopped: Finding | undefined;
  /** The first early verdict. */
  early: Finding | undefined;
  /** Calls that were made from the labelled start until the loop was found. */
  wasted: number | undefined;
  /** Calls that were made from the labelled start until it was stopped. */
  wastedUntilStop: number | undefined;
}

export interface HealthyScore {
  label: "no-loop";
  /** The first verdict. */
  falseAlarm: Finding | undefined;
  /** The first stop. */
  falseStop: Finding | undefined;
}

/** Compares what a profile says with what a person says. */
export function score(findings: readonly Finding[], label: Label, tolerance: number): Score {
  const isStop = ({ action }: Finding): boolean => action === "stop";
  if (label.label === "no-loop") {
    return { label: "no-loop", falseAlarm: findings[0], falseStop: findings.find(isStop) };
  }
  const { start } = label;
  const isInTime = ({ callsBefore }: Finding): boolean => callsBefore >= start - tolerance;
  const inTime = findings.filter(isInTime);
  const found = inTime[0];
  const stopped = inTime.find(isStop);
  return {
    label: "loop",
    start,
    found,
    stopped,
    early: findings.find((finding) => !isInTime(finding)),
    wasted: wasted(found, start),
    wastedUntilStop: wasted(stopped, start),
  };
}

function wasted(finding: Finding | undefined, start: number): number | undefined {
  return finding && Math.max(0, finding.callsBefore - start);
}

/** A session by name, with the verdict that put it on a list. */
export interface Named {
  file: string;
  finding?: Finding;
}

/** How a profile did on all labelled sessions. */
export interface Total {
  profile: LoopProfile;
  /** Sessions with a loop: all, those found, and those of them that were stopped. */
  loops: number;
  found: number;
  stopped: number;
  missed: Named[];
  /** Sessions with a loop in which a verdict came before it. */
  early: Named[];
  /** Sessions without a loop: all, those with a verdict, and those of them with a stop. */
  healthy: number;
  falseAlarms: Named[];
  falseStops: Named[];
  /** Calls wasted in each loop that was found, in rising order. */
  wasted: number[];
  wastedUntilStop: number[];
}

/** Adds up the scores of one profile. */
export class Tally {
  readonly total: Total;

  constructor(profile: LoopProfile) {
    this.total = {
      profile,
      loops: 0,
      found: 0,
      stopped: 0,
      missed: [],
      early: [],
      healthy: 0,
      falseAlarms: [],
      falseStops: [],
      wasted: [],
      wastedUntilStop: [],
    };
  }

  add(file: string, result: Score): void {
    const { total } = this;
    if (result.label === "no-loop") {
      total.healthy += 1;
      list(total.falseAlarms, file, result.falseAlarm);
      list(total.falseStops, file, result.falseStop);
      return;
    }
    total.loops += 1;
    if (result.found) total.found += 1;
    else total.missed.push({ file });
    if (result.stopped) total.stopped += 1;
    list(total.early, file, result.early);
    insert(total.wasted, result.wasted);
    insert(total.wastedUntilStop, result.wastedUntilStop);
  }
}

function list(names: Named[], file: string, finding: Finding | undefined): void {
  if (finding) names.push({ file, finding });
}

function insert(sorted: number[], value: number | undefined): void {
  if (value === undefined) return;
  const at = sorted.findIndex((other) => other > value);
  sorted.splice(at < 0 ? sorted.length : at, 0, value);
}

/** The middle of values in rising order, or the mean of the two in the middle. */
export function median(sorted: readonly number[]): number | undefined {
  if (sorted.length === 0) return undefined;
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1]! + sorted[half]!) / 2;
}

/** The first nudge and the first stop of a session. */
export function firsts({ findings }: ProfileFindings): { nudge?: Finding; stop?: Finding } {
  const nudge = findings.find(({ action }) => action === "nudge");
  const stop = findings.find(({ action }) => action === "stop");
  return { ...(nudge && { nudge }), ...(stop && { stop }) };
}
