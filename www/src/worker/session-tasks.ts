// What the view of sessions asks for.

import type { LoopDetectorOptions } from "turnkeeper";

import { PROFILES } from "../profiles.js";

import { analysis, answered, release, type RawJudgement } from "./analysis.js";
import { Breath } from "./breath.js";
import type { Way } from "./exchange.js";
import { InputProblem } from "./input-problem.js";
import { readChunks } from "./saved-file.js";
import type {
  AnyProfile,
  JudgedSession,
  ProfilePlay,
  ReadSession,
  Row,
  WholeRow,
} from "./shapes.js";

/** What can be set of the rules that judge. */
export type Rules = { profile: AnyProfile } & Pick<
  LoopDetectorOptions,
  "identicalCalls" | "repeatedPassages"
> & {
    /** Judge as if this model had answered; undefined for the one that the session names. */
    model?: string;
  };

/** A session that has been read. */
export interface OpenedSession extends ReadSession {
  id: number;
  name: string;
}

/** The session that is open. The file itself is read again where its bytes are needed. */
interface OpenFile {
  session: OpenedSession;
  blob: Blob;
  raw: InstanceType<Awaited<ReturnType<typeof analysis>>["RawPageSession"]>;
}

/** How many records are looked at before the clock is. */
const SLICE = 32;

let lastId = 0;
let opened: OpenFile | undefined;
/** The judgement that the list of events is of. */
let judged: RawJudgement | undefined;

/** The session that is open, which the history's view shows as well. */
export function openFile(id: number): OpenFile {
  if (opened?.session.id !== id)
    throw new DOMException("another session has been opened", "AbortError");
  return opened;
}

/** Reads a session; news are the part that has been read. */
export async function openSession(
  { name, blob }: { name: string; blob: Blob },
  { signal, tell }: Way,
): Promise<OpenedSession> {
  const { RawPageSession } = await analysis();
  const raw = new RawPageSession(name);
  try {
    await readChunks({ name, blob }, signal, (bytes) => raw.push(bytes), tell);
    type Ended = { read: ReadSession } | { refused: { message: string; line?: number } };
    const ended = answered<Ended>(raw.end());
    if ("refused" in ended) throw new InputProblem(name, ended.refused.message, ended.refused.line);
    release(opened?.raw);
    opened = { session: { id: ++lastId, name, ...ended.read }, blob, raw };
    keep(undefined);
    return opened.session;
  } finally {
    if (opened?.raw !== raw) release(raw);
  }
}

/** Judges the open session as the command does; news are the part that has been judged. */
export async function judgeSession(
  { id, rules }: { id: number; rules: Rules },
  { signal, tell }: Way,
): Promise<JudgedSession> {
  const judgement = openFile(id).raw.judge(JSON.stringify(rules));
  try {
    await goThrough(judgement, signal, tell);
    keep(judgement);
    return answered<JudgedSession>(judgement.result());
  } finally {
    if (judged !== judgement) release(judgement);
  }
}

/** Plays the open session by the rules of every profile; news are the result of each. */
export async function compareProfiles(
  { id }: { id: number },
  { signal, tell }: Way,
): Promise<void> {
  for (const profile of PROFILES) {
    const play = openFile(id).raw.compare(profile);
    try {
      await goThrough(play, signal);
      tell(answered<ProfilePlay>(play.result()));
    } finally {
      release(play);
    }
  }
}

/** Goes through a session in slices, between which the worker hears that nobody wants the result any more. */
async function goThrough(
  work: { go(records: number): number },
  signal: AbortSignal,
  onProgress: (part: number) => void = () => {},
): Promise<void> {
  const breath = new Breath();
  for (let part = 0; part < 1;) {
    part = work.go(SLICE);
    onProgress(part);
    await breath.take(signal);
  }
}

function keep(judgement: RawJudgement | undefined): void {
  release(judged);
  judged = judgement;
}

/** Some rows of the list of events, from `from` up to `to`. */
export function sessionRows({ id, from, to }: { id: number; from: number; to: number }): Row[] {
  openFile(id);
  return judged ? answered(judged.rows(from, to)) : [];
}

/** All that a row stands for. */
export function sessionRow({ id, at }: { id: number; at: number }): WholeRow | undefined {
  openFile(id);
  const row = judged?.row(at);
  return row === undefined ? undefined : answered(row);
}

/** The report of the session as a page of its own, with the session's texts or without. */
export function savedPage({
  id,
  language,
  hasTexts,
}: {
  id: number;
  language: string;
  hasTexts: boolean;
}): Blob {
  openFile(id);
  const page = judged?.page(language, hasTexts, Date.now()) ?? "";
  return new Blob([page], { type: "text/html" });
}

/** The next row after a row that has these words, in whatever case; after the last comes the first. */
export function findRow({
  id,
  words,
  after,
}: {
  id: number;
  words: string;
  after: number;
}): number | undefined {
  openFile(id);
  return judged?.find(words, after);
}

/** The row of a call, from 0 over the session. */
export function rowOfCall({ id, call }: { id: number; call: number }): number {
  openFile(id);
  return judged?.rowOfCall(call) ?? 0;
}
