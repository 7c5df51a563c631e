import { checkOptions, invalidArgument, isBytes, optional } from "../boundary/arguments.js";
import { TurnkeeperError } from "../boundary/errors.js";
import type { AgentEvent, SessionFormat } from "../boundary/generated/shapes.js";
import { preload } from "../boundary/runtime.js";
import { hasMethod } from "../loop/stream-source.js";
import { MACHINE, SessionBatches, whole, type Batch } from "./batches.js";

/** A session that an agent has saved. */
export interface SavedSession {
  /** Whose session it is. */
  format: SessionFormat;
  /** All that was said, called and answered, in its order. */
  events: AgentEvent[];
  /**
   * The provider's messages, or the items of OpenAI's Responses, as they are in the file, to go on with;
   * the adapter's `fromMessages` takes them. Left out for formats that record what happened and not what
   * is sent.
   */
  messages?: object[];
  /** Its name, where the file has one. */
  title?: string;
  /** The model that was named last. */
  model?: string;
  /** The directory that its commands ran in last; absolute, in the words of its system. */
  workingDirectory?: string;
  /**
   * There if the last line is not whole, as when the agent was writing it: why it was left out, and which
   * it is, counting from 1.
   */
  cutOff?: { line: number; reason: string };
  /** There if anything else could not be read and was left out, in its order. */
  leftOut?: LeftOut[];
}

/** What of a session could not be read. */
export interface LeftOut {
  /** The line, or the element of an array, counting from 1. Neither is there if the file is meant. */
  line?: number;
  element?: number;
  /** Why. It completes "line 3 …". */
  reason: string;
}

/** The settings of {@link readSession}. */
export interface ReadSessionOptions {
  /** The file's name, for errors. It does not tell the format: the contents do. */
  name?: string;
}

/**
 * Reads a session that an agent has saved, in any of the formats that the command reads. Nothing is
 * opened: the host hands the content over, as text, as bytes, or as a stream of bytes, of which only one
 * line or element is held at a time beside the result. A stream may use one buffer for all of its pieces.
 *
 * A line or an element that cannot be read costs itself alone, and is told of ({@link SavedSession.leftOut}); so is the
 * last line, if the file ends in the middle of it ({@link SavedSession.cutOff}). What an agent has written twice, as when
 * a session is resumed, is given once.
 *
 * @throws `broken_session` where nothing of a session can be read, `unknown_format`
 * if it is no saved session, both with the reason in the message and `name` and, for lines, `line` in
 * `detail`; `invalid_argument` for content of another type. What the stream throws comes out as it is.
 * @example
 * ```js
 * import { readSession } from "turnkeeper/sessions";
 *
 * const lines = [
 *   { role: "user", content: "Fix it." },
 *   { role: "assistant", content: [{ type: "tool_use", id: "1", name: "ls", input: {} }] },
 * ];
 * const content = lines.map((line) => JSON.stringify(line)).join("\n");
 * const { format, events } = await readSession(content, { name: "session.jsonl" });
 * console.log(format, events.length); // anthropic 3
 * ```
 */
export async function readSession(
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
  options: ReadSessionOptions = {},
): Promise<SavedSession> {
  checkOptions(MACHINE, options, ["name"]);
  const name = optional(MACHINE, options.name, "string", "name") ?? "the session";
  const isContent = typeof content === "string" || isBytes(content);
  if (!isContent && !hasMethod(content, Symbol.asyncIterator)) {
    throw invalidArgument(MACHINE, "content", "must be text, bytes, or a stream of bytes");
  }
  await preload();
  const batches = new SessionBatches(name);
  const session = unread();
  try {
    for await (const piece of piecesOf(content)) take(session, batches.push(piece), name);
    const last = batches.end();
    take(session, last, name);
    if (session.events.length === 0) throw failure(name, "has no events");
    session.format = last.format!;
    const known = Object.entries(session).filter(([, value]) => value !== undefined);
    return Object.fromEntries(known) as unknown as SavedSession;
  } finally {
    batches.dispose();
  }
}

/** A session of which nothing has been read. Its properties stand in one order, however the file comes. */
function unread(): Unfinished {
  return {
    format: undefined,
    events: [],
    messages: undefined,
    title: undefined,
    model: undefined,
    workingDirectory: undefined,
    cutOff: undefined,
    leftOut: undefined,
  };
}

type Unfinished = Pick<SavedSession, "events"> & {
  [Name in Exclude<keyof SavedSession, "events">]: SavedSession[Name] | undefined;
};

/** @throws `broken_session` or `unknown_format`, if nothing could be read */
function take(session: Unfinished, batch: Batch, name: string): void {
  const { events, messages, title, model, workingDirectory, problems = [], error } = batch;
  for (const event of events) session.events.push(whole(event));
  for (const message of messages) (session.messages ??= []).push(message);
  if (title !== undefined) session.title = title;
  if (model !== undefined) session.model = model;
  if (workingDirectory !== undefined) session.workingDirectory = workingDirectory;
  if (error) throw failure(name, error.reason, error.line, error.kind === "unknown");
  for (const { place, reason, unit, isCutOff } of problems) {
    if (isCutOff) session.cutOff = { line: place, reason };
    else (session.leftOut ??= []).push({ ...(place > 0 && { [unit]: place }), reason });
  }
}

function failure(name: string, reason: string, line?: number, isUnknown = false): TurnkeeperError {
  return new TurnkeeperError({
    code: isUnknown ? "unknown_format" : "broken_session",
    machine: MACHINE,
    message: line === undefined ? `${name} ${reason}` : `${name}, line ${line}: ${reason}`,
    detail: { name, ...(line !== undefined && { line }) },
  });
}

/** How many bytes are read, or code units of a text, at a time. */
const AT_ONCE = 65_536;

async function* piecesOf(
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
): AsyncGenerator<string | Uint8Array, void, void> {
  if (typeof content === "string") return yield* textPieces(content);
  if (isBytes(content)) return yield* inPieces(content);
  for await (const chunk of content) {
    if (!isBytes(chunk)) throw invalidArgument(MACHINE, "content", "must give bytes");
    yield* inPieces(chunk);
  }
}

function* inPieces(content: Uint8Array): Generator<Uint8Array, void, void> {
  const { length } = content;
  for (let at = 0; at < length; at += AT_ONCE) {
    yield content.subarray(at, at + AT_ONCE);
  }
}

function* textPieces(content: string): Generator<string, void, void> {
  for (let at = 0; at < content.length;) {
    let end = Math.min(at + AT_ONCE, content.length);
    // A character that is a pair of units stays whole.
    if (end < content.length && (content.charCodeAt(end - 1) & 0xfc00) === 0xd800) end += 1;
    yield content.slice(at, end);
    at = end;
  }
}
