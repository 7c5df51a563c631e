/** Decides what is said at an event of a hook: the same for every agent. */

import type { LoopDetector, LoopReport, LoopVerdict, WorkLedger } from "turnkeeper";

import type { Mode } from "./agents.js";
import type { Dialect, FinishedCall, HookEvent, Reply } from "./hook-event.js";
import { hearId, hearMessage } from "./prompts.js";
import { callKey, isFirst, noteAsked, noteResults } from "./requests.js";
import type { SessionRecord } from "./session-record.js";
import { type Thresholds, detectorWith } from "./thresholds.js";
import { asNote, messageFor } from "./words.js";

/** The classes that an event may need; a hook loads each when it is asked for. */
export interface Machines {
  LoopDetector: typeof LoopDetector;
  WorkLedger: typeof WorkLedger;
}

export interface Setting {
  mode: Mode;
  dialect: Pick<Dialect, "requests" | "tellsResults" | "tellsPrompts">;
  /** When this process began, in milliseconds since 1970. */
  startedAt: number;
  machines: Machines;
  /** The user's own thresholds, and whether calls of a tool are left out. */
  thresholds?: Thresholds;
  isExempt?: (tool: string) => boolean;
  /** Hears why a snapshot could not be read; the detector then begins afresh. */
  broken: (error: unknown) => void;
}

export interface Judgement {
  reply: Reply;
  /** What the detector found. */
  verdict?: Exclude<LoopVerdict, { action: "ok" }>;
}

const SILENT: Judgement = { reply: {} };

/** Judges an event, and changes the record of its session accordingly. */
export function judge(event: HookEvent, record: SessionRecord, setting: Setting): Judgement {
  const { happened } = event;
  if (happened.type === "prompt") {
    hearMessage(happened.text, event.promptId, record);
    return { reply: withUntold(record, {}) };
  }
  hearId(event, record);
  switch (happened.type) {
    case "request":
      record.requestBegan = true;
      return endedAlready(record, setting, "end") ?? SILENT;
    case "compacted":
      record.compacted = true;
      delete record.results;
      return SILENT;
    case "call_asked":
      return askedFor(happened.name, happened.args, record, setting);
    case "results":
      return resultsOf(happened, record, setting);
    case "subagent_asked":
      return SILENT;
  }
}

function endedAlready(
  { ended }: SessionRecord,
  { mode }: Setting,
  field: "end" | "refusal",
): Judgement | undefined {
  return ended === undefined || mode !== "stop" ? undefined : { reply: { [field]: ended.reason } };
}

function askedFor(name: string, args: unknown, record: SessionRecord, setting: Setting): Judgement {
  const ended = endedAlready(record, setting, "refusal");
  if (ended) return ended;
  if (!setting.dialect.tellsResults) {
    return detect([{ name, args }], record, setting);
  }
  if (record.refuseNext?.call === callKey({ name, args })) {
    const { fact } = record.refuseNext;
    delete record.refuseNext;
    return { reply: { refusal: fact } };
  }
  noteAsked({ name, args }, record);
  return SILENT;
}

function resultsOf(
  happened: Extract<HookEvent["happened"], { type: "results" }>,
  record: SessionRecord,
  setting: Setting,
): Judgement {
  const ended = endedAlready(record, setting, "end");
  if (ended || happened.calls.length === 0) return ended ?? SILENT;
  noteResults(happened, record, setting.dialect, setting.startedAt);
  const judgement = detect(happened.calls, record, setting);
  record.resultsAt = Date.now();
  const { context } = judgement.reply;
  if (happened.contextIsLate && context !== undefined) {
    record.refuseNext = { call: callKey(happened.calls.at(-1)!), fact: context };
  }
  return judgement;
}

/** A call that has run, or one that has only been asked for. */
type SeenCall = FinishedCall | { name: string; args: unknown };

function detect(calls: readonly SeenCall[], record: SessionRecord, setting: Setting): Judgement {
  const { dialect, isExempt } = setting;
  const watched = calls.filter(({ name }) => !isExempt?.(name));
  if (watched.length === 0 && calls.length > 0) return SILENT;
  const detector = detectorOf(record, setting);
  try {
    if (record.promptBegan) beginPrompt(detector, record);
    if (record.compacted) detector.observe({ type: "condensation" });
    if (record.requestBegan) {
      detector.observe({ type: "turn_started" });
      delete record.requestCalls;
    }
    record.promptBegan = record.compacted = record.requestBegan = false;
    const verdict = observe(
      detector,
      watched.filter((call) => isFirst(call, record, dialect)),
    );
    const judgement = conclude(verdict, record, setting);
    // Where the turn goes on, the detector watches on.
    if (verdict?.action === "stop" && record.ended === undefined) detector.clear();
    record.detector = detector.snapshot();
    return judgement;
  } finally {
    detector.dispose();
  }
}

/**
 * The user's message begins a prompt for certain, whatever it says. Whether a new id does, of which no message has
 * told though the agent tells of others, the detector decides.
 */
function beginPrompt(
  detector: LoopDetector,
  { prompts, words, tellsMessages }: SessionRecord,
): void {
  if (words !== undefined || !tellsMessages) detector.observe({ type: "user_message" });
  detector.startPrompt(`${prompts}`, words ? { userPrompt: words } : {});
}

function detectorOf(record: SessionRecord, setting: Setting): LoopDetector {
  const { dialect, machines, thresholds = {}, broken } = setting;
  const { LoopDetector } = machines;
  const wanted = JSON.stringify(thresholds);
  const isAsWanted = (record.thresholds ?? "{}") === wanted;
  if (record.detector !== undefined && isAsWanted) {
    try {
      return LoopDetector.restore(record.detector);
    } catch (error) {
      broken(error);
    }
  }
  if (record.detector !== undefined) record.promptBegan = true;
  record.thresholds = wanted;
  // The rules of `adaptive` compare results.
  const options = dialect.tellsResults ? {} : ({ profile: "standard" } as const);
  return detectorWith(LoopDetector, options, thresholds).detector;
}

/** The last nudge, or the first stop. Calls come first: they were all made before any had a result. */
function observe(detector: LoopDetector, calls: readonly SeenCall[]): Judgement["verdict"] {
  let said: Judgement["verdict"];
  const hear = (verdict: LoopVerdict): boolean => {
    if (verdict.action !== "ok") said = verdict;
    return verdict.action === "stop";
  };
  for (const { name, args, ...rest } of calls) {
    const id = "id" in rest ? rest.id : undefined;
    if (
      hear(detector.observe({ type: "tool_call", name, args, ...(id !== undefined && { id }) }))
    ) {
      return said;
    }
  }
  for (const call of calls) {
    if (!("output" in call)) continue;
    const { name: _name, args: _args, ...result } = call;
    if (hear(detector.observe({ type: "tool_result", ...result }))) return said;
  }
  return said;
}

function conclude(
  verdict: Judgement["verdict"],
  record: SessionRecord,
  { mode, dialect }: Setting,
): Judgement {
  if (verdict === undefined) return { reply: mode === "watch" ? {} : withUntold(record, {}) };
  if (mode === "watch") return { reply: {}, verdict };
  const reply = replyTo(verdict.action, verdict.report, mode);
  // Without the beginning of a prompt nothing would lift the stop.
  if (reply.end !== undefined && dialect.tellsPrompts) {
    const { rule, tool, count } = verdict.report;
    const isAbout = tool === undefined ? { rule, count } : { rule, tool, count };
    record.ended = { reason: reply.end, ...isAbout, isTold: false };
  }
  return { reply: withUntold(record, reply), verdict };
}

function replyTo(action: "nudge" | "stop", report: LoopReport, mode: "hint" | "stop"): Reply {
  const context = asNote(report.fact);
  if (action === "nudge") return { context };
  if (mode === "hint") return { context, notice: messageFor(report, true) };
  return { context, end: messageFor(report, false) };
}

/** A reply with the facts that the model has not been told yet. */
function withUntold(record: SessionRecord, reply: Reply): Reply {
  if (record.untold.length === 0 || reply.end !== undefined) return reply;
  const facts = record.untold.splice(0);
  if (reply.context !== undefined) facts.push(reply.context);
  return { ...reply, context: facts.join("\n\n") };
}
