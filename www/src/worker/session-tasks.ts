// What the view of sessions asks for.

import type { LoopDetectorOptions } from "turnkeeper";

import { agentOf } from "../../../js/src/analysis/agents.js";
import type { SessionReport } from "../../../js/src/analysis/audit-report.js";
import { SessionAudit } from "../../../js/src/analysis/audit-session.js";
import { type AnyProfile, PROFILES } from "../../../js/src/analysis/profiles.js";
import type { Stretch } from "../../../js/src/analysis/timeline.js";
import { PRICES } from "../../../js/src/analysis/token-prices.js";
import type { InputError } from "../../../js/src/saved/event-lines.js";
import type { SessionFormat } from "../../../js/src/saved/saved-session.js";

import { Breath } from "./breath.js";
import type { Way } from "./exchange.js";
import { playsOf, withModel, type ProfilePlay } from "./plays.js";
import { readFile, type SavedFile } from "./saved-file.js";
import { asInputError } from "./too-deep.js";
import { SessionRows, type Row, type WholeRow } from "./session-rows.js";

/** What can be set of the rules that judge. */
export type Rules = { profile: AnyProfile } & Pick<
  LoopDetectorOptions,
  "identicalCalls" | "repeatedPassages"
> & {
    /** Judge as if this model had answered; undefined for the one that the session names. */
    model?: string;
  };

/** A session that has been read. */
export interface OpenedSession {
  id: number;
  name: string;
  format: SessionFormat;
  unit: "line" | "element";
  bytes: number;
  /** What keeps the rest from being read. */
  problem: { message: string; line: number | undefined } | undefined;
}

/** The picture of a session. */
export interface JudgedSession {
  report: SessionReport;
  /** The calls by what they do; of a long session, stretches of them. */
  stretches: Stretch[];
  /** By the rules that were set. */
  play: ProfilePlay;
  /** How long the list of its events is. */
  rows: number;
  /** What keeps the rest from being judged. */
  problem: OpenedSession["problem"];
}

let opened: SavedFile | undefined;
let rows: SessionRows | undefined;

/** The session that is open, which the history's view shows as well. */
export function openFile(id: number): SavedFile {
  if (opened?.id !== id) throw new DOMException("another session has been opened", "AbortError");
  return opened;
}

/** Reads a session; news are the part that has been read. */
export async function openSession(
  { name, blob }: { name: string; blob: Blob },
  { signal, tell }: Way,
): Promise<OpenedSession> {
  const file = await readFile(name, blob, signal, tell);
  opened = file;
  rows = undefined;
  const { id, format, unit } = file;
  return { id, name, format, unit, bytes: blob.size, problem: problemOf(file.problem) };
}

function problemOf(error: InputError | undefined): OpenedSession["problem"] {
  return error && { message: error.message.slice(0, 2_000), line: error.line };
}

/** Judges the open session as the command does; news are the part that has been judged. */
export async function judgeSession(
  { id, rules }: { id: number; rules: Rules },
  { signal, tell }: Way,
): Promise<JudgedSession> {
  const file = openFile(id);
  const { model, ...own } = rules;
  const { profile, ...settings } = own;
  const { outdated } = file;
  const counted = { take: () => {}, end: () => outdated.end() };
  const audit = new SessionAudit(
    file.name,
    { profile, model, rules: settings, prices: PRICES },
    counted,
  );
  const breath = new Breath();
  let place = 0;
  let ended;
  let problem: JudgedSession["problem"];
  try {
    for (const [at, record] of file.records.entries()) {
      place = record.place;
      audit.take(withModel(record, model), file.format);
      if (at % 64 === 0) tell((at / file.records.length) * 0.5);
      await breath.take(signal);
    }
  } catch (error) {
    signal.throwIfAborted();
    problem = problemOf(asInputError(error, file.name, place));
  } finally {
    ended = audit.end(file.format);
  }
  const list = new SessionRows(file);
  const [play] = await playsOf(file, [own], model, signal, {
    onStep: (step, counts) => list.take(step, counts),
    onProgress: (part) => tell(0.5 + part * 0.5),
  });
  rows = list;
  return {
    report: {
      file: file.name,
      format: file.format,
      ...agentOf(file.format),
      ...ended.report,
    },
    stretches: audit.timeline.stretches(),
    play: play!,
    rows: list.length,
    problem,
  };
}

/** Plays the open session by the rules of every profile; news are the result of each. */
export async function compareProfiles(
  { id }: { id: number },
  { signal, tell }: Way,
): Promise<void> {
  const file = openFile(id);
  for (const profile of PROFILES) {
    const [play] = await playsOf(file, [{ profile }], undefined, signal);
    tell(play);
  }
}

/** Some rows of the list of events, from `from` up to `to`. */
export function sessionRows({ id, from, to }: { id: number; from: number; to: number }): Row[] {
  openFile(id);
  return rows?.between(from, to) ?? [];
}

/** All that a row stands for. */
export function sessionRow({ id, at }: { id: number; at: number }): WholeRow | undefined {
  openFile(id);
  return rows?.whole(at);
}

/** The row of a call, from 0 over the session. */
export function rowOfCall({ id, call }: { id: number; call: number }): number {
  openFile(id);
  return rows?.rowOfCall(call) ?? 0;
}
