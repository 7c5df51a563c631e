import type { AnyProfile, ProfileRules } from "../../../js/src/analysis/profiles.js";
import type { LoopReport } from "turnkeeper";

import { Comparison, type Finding } from "../../../js/src/analysis/comparison.js";
import type { Lack } from "../../../js/src/analysis/player.js";
import { oneLine } from "../../../js/src/analysis/plain-text.js";
import type { Player, Step } from "../../../js/src/analysis/player.js";

import { Breath } from "./breath.js";
import type { KeptRecord, SavedFile } from "./saved-file.js";
import { asInputError } from "./too-deep.js";

/** Where a profile told the model, or stopped it, in what crosses to the page. */
export interface Mark {
  action: "nudge" | "stop";
  /** The call that it came at, or the last before it; from 0 over the session, null before the first. */
  call: number | null;
  /** Calls that had been run by then. */
  callsBefore: number;
  type: LoopReport["type"];
  rule: string;
  tool: string | undefined;
  channel: "text" | "reasoning" | undefined;
  count: number;
  threshold: number;
  /** In the package's words, for the user and for the model. */
  message: string;
  feedback: string;
  evidence: string;
}

/** What one profile says to a session. */
export interface ProfilePlay {
  profile: AnyProfile;
  marks: Mark[];
  /** What came after stops in their prompts: calls, events, and their estimated tokens. */
  saved: { calls: number; events: number; tokens: number };
  blind: Lack[];
}

/** Who wants to see every step of the first rules. */
interface Watcher {
  onStep?: (step: Step, counts: Player["counts"]) => void;
  onProgress?: (part: number) => void;
}

/** Texts of a report are cut: evidence of a megabyte says no more. */
const LONGEST = 4_000;
/** The most that are shown; a session with more is stuck anyway. */
const MOST_MARKS = 2_000;

/** Plays a session by several rules, as `turnkeeper replay --compare` does. */
export async function playsOf(
  file: SavedFile,
  rules: readonly ProfileRules[],
  model: string | undefined,
  signal: AbortSignal,
  { onStep, onProgress }: Watcher = {},
): Promise<ProfilePlay[]> {
  const options = { model, promptId: undefined, prompts: "session" } as const;
  const comparison = new Comparison(file.name, rules, options);
  const breath = new Breath();
  let place = 0;
  let found;
  try {
    for (const [at, record] of file.records.entries()) {
      place = record.place;
      for (const { event } of withModel(record, model).items) {
        const [step] = comparison.play({ number: place, value: event });
        onStep?.(step!, comparison.counts);
      }
      if (at % 64 === 0) onProgress?.(at / file.records.length);
      await breath.take(signal);
    }
  } catch (error) {
    signal.throwIfAborted();
    // What came before it is shown.
    asInputError(error, file.name, place);
  } finally {
    found = comparison.end();
  }
  return found.profiles.map(({ profile, findings, saved: { calls, events, tokens }, blind }) => ({
    profile,
    marks: findings.slice(0, MOST_MARKS).map(markOf),
    saved: { calls, events, tokens: Math.round(tokens) },
    blind,
  }));
}

function markOf({ report, action, call, callsBefore }: Finding): Mark {
  const { type, rule, tool, channel, count, threshold, message, feedback, evidence } = report;
  return {
    action,
    call,
    callsBefore,
    type,
    rule,
    tool: tool === undefined ? undefined : oneLine(tool, 120),
    channel,
    count,
    threshold,
    message: oneLine(message, 600),
    feedback: feedback.slice(0, LONGEST),
    evidence: evidence.slice(0, LONGEST),
  };
}

/** The record as if another model had answered, where a prompt names one. */
export function withModel(record: KeptRecord, model: string | undefined): KeptRecord {
  const names = ({ event }: KeptRecord["items"][number]): boolean =>
    (event.type as string) === "prompt_started";
  if (model === undefined || !record.items.some(names)) return record;
  const items = record.items.map((item) =>
    names(item) ? { ...item, event: { ...item.event, model } } : item,
  );
  return { ...record, items };
}
