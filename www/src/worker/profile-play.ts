import type { LoopProfile, LoopReport } from "turnkeeper";

import { textOf } from "../../../js/src/messages/events.js";
import { oneLine } from "../../../js/src/analysis/plain-text.js";
import { Player, type EventStep, type Step } from "../../../js/src/analysis/player.js";
import { estimateTokens } from "../../../js/src/saved/tokens.js";

import { Breath } from "./breath.js";
import type { KeptRecord, SavedFile } from "./saved-file.js";
import type { Rules } from "./session-tasks.js";
import { asInputError } from "./too-deep.js";

/** Where a profile told the model, or stopped it. */
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

/** What one profile says to a session, as `turnkeeper replay --compare` does. */
export interface ProfilePlay {
  profile: LoopProfile;
  marks: Mark[];
  /** What came after stops in their prompts: calls, events, and their estimated tokens. */
  saved: { calls: number; events: number; tokens: number };
  blind: ("arguments" | "results")[];
  /** What ended the play before the session's end. */
  problem: string | undefined;
}

/** Who wants to see every step. */
interface Watcher {
  onStep?: (step: Step, counts: Player["counts"]) => void;
  onProgress?: (part: number) => void;
}

/** Texts of a report are cut: evidence of a megabyte says no more. */
const LONGEST = 4_000;
/** So many are shown; a session with more is stuck anyway. */
const MOST_MARKS = 2_000;

/** Plays a session through the loop detector. */
export async function playProfile(
  file: SavedFile,
  rules: Rules,
  signal: AbortSignal,
  { onStep, onProgress }: Watcher = {},
): Promise<ProfilePlay> {
  const { model, ...settings } = rules;
  const player = new Player(file.name, {
    settings,
    model,
    promptId: undefined,
    continue: false,
    prompts: "session",
  });
  const marks: Mark[] = [];
  const breath = new Breath();
  let calls = 0;
  let tokens = 0;
  let problem: string | undefined;
  let place = 0;
  try {
    for (const [at, record] of file.records.entries()) {
      const { items } = withModel(record, model);
      place = record.place;
      for (const { event } of items) {
        const step = player.play({
          number: place,
          value: event,
        });
        onStep?.(step, player.counts);
        if (step.kind === "prompt") continue;
        const isCall = event.type === "tool_call";
        if (step.saved) tokens += tokensOf(step);
        else addMark(marks, step, calls, isCall);
        if (isCall) calls += 1;
      }
      if (at % 64 === 0) onProgress?.(at / file.records.length);
      await breath.take(signal);
    }
  } catch (error) {
    signal.throwIfAborted();
    problem = asInputError(error, file.name, place).message;
  } finally {
    player.end();
  }
  const { saved, blind } = player.tally;
  return {
    profile: rules.profile,
    marks,
    saved: { calls: saved.calls, events: saved.events, tokens: Math.round(tokens) },
    blind,
    problem,
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

function addMark(marks: Mark[], { verdict }: EventStep, calls: number, isCall: boolean): void {
  if (verdict.action === "ok" || marks.length >= MOST_MARKS) return;
  const { type, rule, tool, channel, count, threshold, message, feedback, evidence } =
    verdict.report;
  const call = isCall ? calls : calls - 1;
  marks.push({
    action: verdict.action,
    call: call < 0 ? null : call,
    callsBefore: calls,
    type,
    rule,
    tool: tool === undefined ? undefined : oneLine(tool, 120),
    channel,
    count,
    threshold,
    message: oneLine(message, 600),
    feedback: feedback.slice(0, LONGEST),
    evidence: evidence.slice(0, LONGEST),
  });
}

function tokensOf({ event }: EventStep): number {
  switch (event.type) {
    case "text":
    case "reasoning":
      return estimateTokens(event.text);
    case "tool_call":
      return estimateTokens(
        `${event.name} ${typeof event.args === "string" ? event.args : (JSON.stringify(event.args) ?? "")}`,
      );
    case "tool_result":
      return estimateTokens(textOf(event.output));
    default:
      return 0;
  }
}
