/** Decides what is said at an event of a hook: the same for every agent. */

import type { LoopDetector, LoopReport, LoopVerdict, WorkLedger } from "turnkeeper";

import type { Mode } from "./agents.js";
import type { Dialect, FinishedCall, HookEvent, Reply } from "./hook-event.js";
import type { SessionRecord } from "./session-record.js";
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
    beginPrompt(record, event.promptId);
    return { reply: withUntold(record, {}) };
  }
  if (event.promptId !== undefined && event.promptId !== record.promptId) {
    beginPrompt(record, event.promptId);
  }
  switch (happened.type) {
    case "request":
      record.requestBegan = true;
      return endedAlready(record, "end") ?? SILENT;
    case "compacted":
      record.compacted = true;
      delete record.results;
      return SILENT;
    case "call_asked":
      return askedFor(happened.name, happened.args, record, setting);
    case "results":
      return resultsOf(happened, record, setting);
  }
}

function beginPrompt(record: SessionRecord, id: string | undefined): void {
  record.prompts += 1;
  record.promptId = id ?? `${record.prompts}`;
  record.promptBegan = true;
  record.requestBegan = true;
  delete record.ended;
  delete record.refuseNext;
}

function endedAlready(record: SessionRecord, field: "end" | "refusal"): Judgement | undefined {
  return record.ended === undefined ? undefined : { reply: { [field]: record.ended } };
}

function askedFor(name: string, args: unknown, record: SessionRecord, setting: Setting): Judgement {
  const ended = endedAlready(record, "refusal");
  if (ended) return ended;
  if (!setting.dialect.tellsResults) {
    return detect([{ name, args }], record, setting);
  }
  if (record.refuseNext?.call !== callKey(name, args)) return SILENT;
  const { fact } = record.refuseNext;
  delete record.refuseNext;
  return { reply: { refusal: fact } };
}

function resultsOf(
  happened: Extract<HookEvent["happened"], { type: "results" }>,
  record: SessionRecord,
  setting: Setting,
): Judgement {
  const ended = endedAlready(record, "end");
  if (ended || happened.calls.length === 0) return ended ?? SILENT;
  if (beginsRequest(happened.request, record, setting)) record.requestBegan = true;
  const judgement = detect(happened.calls, record, setting);
  record.resultsAt = Date.now();
  if (happened.request !== undefined) record.lastRequest = happened.request;
  const { context } = judgement.reply;
  const last = happened.calls.at(-1)!;
  if (happened.contextIsLate && context !== undefined) {
    record.refuseNext = { call: callKey(last.name, last.args), fact: context };
  }
  return judgement;
}

/** Whether results belong to another request than those before them. */
function beginsRequest(
  request: string | undefined,
  record: SessionRecord,
  { dialect, startedAt }: Setting,
): boolean {
  switch (dialect.requests) {
    case "batch":
      return true;
    case "marked":
      return false;
    case "numbered":
      return request === undefined || request !== record.lastRequest;
    case "untold":
      // The agent asks the model again when its hooks have ended; one that began before the last ended runs
      // beside it.
      return startedAt > record.resultsAt;
  }
}

/** A call that has run, or one that has only been asked for. */
type SeenCall = FinishedCall | { name: string; args: unknown };

function detect(calls: readonly SeenCall[], record: SessionRecord, setting: Setting): Judgement {
  const detector = detectorOf(record, setting);
  try {
    if (record.promptBegan) detector.startPrompt(record.promptId ?? "1");
    if (record.compacted) detector.observe({ type: "condensation" });
    if (record.requestBegan) {
      detector.observe({ type: "turn_started" });
      delete record.requestCalls;
    }
    record.promptBegan = record.compacted = record.requestBegan = false;
    const verdict = observe(
      detector,
      calls.filter((call) => isFirst(call, record, setting)),
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

/** No model asks for more at once: an agent that seems to has stopped telling where a request begins. */
const MOST_AT_ONCE = 16;

/**
 * Whether a call is the first of its kind in its request: equal ones that ran beside it are the same step,
 * which the detector sees for itself where the agent tells of all of them at once.
 */
function isFirst({ name, args }: SeenCall, record: SessionRecord, { dialect }: Setting): boolean {
  if (dialect.requests === "batch" || !dialect.tellsResults) return true;
  const key = callKey(name, args);
  const seen = (record.requestCalls ??= []);
  if (seen.length >= MOST_AT_ONCE) return true;
  return seen.push(key) === seen.indexOf(key) + 1;
}

function detectorOf(record: SessionRecord, { dialect, machines, broken }: Setting): LoopDetector {
  const { LoopDetector } = machines;
  if (record.detector !== undefined) {
    try {
      return LoopDetector.restore(record.detector);
    } catch (error) {
      broken(error);
      record.promptBegan = true;
    }
  }
  // The rules of `adaptive` compare results.
  return new LoopDetector(dialect.tellsResults ? {} : { profile: "standard" });
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
  if (reply.end !== undefined && dialect.tellsPrompts) record.ended = reply.end;
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

const LONGEST_KEY = 4_000;

function callKey(name: string, args: unknown): string {
  return `${name} ${JSON.stringify(args)}`.slice(0, LONGEST_KEY);
}
