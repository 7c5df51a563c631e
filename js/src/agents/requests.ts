/** Which calls belong to one request to the model: they were all made before any had a result, and are one step. */

import type { Dialect, FinishedCall } from "./hook-event.js";
import type { AskedCalls, SessionRecord } from "./session-record.js";

type Results = { calls: readonly FinishedCall[]; request?: string };

/** A call that may have no result. */
type NamedCall = Pick<FinishedCall, "name" | "args">;

const LONGEST_KEY = 4_000;

export function callKey({ name, args }: NamedCall): string {
  return `${name} ${JSON.stringify(args)}`.slice(0, LONGEST_KEY);
}

/** A call that was refused gets no result, so no more than this many others wait for it. */
const MOST_LATE = 3;
const MOST_ASKED = 64;

/** Notes a call that is about to run. The first one after the results of all before it begins a request. */
export function noteAsked(call: NamedCall, record: SessionRecord): void {
  const asked = (record.asked ??= noneAsked());
  if (asked.isAnswered) {
    const isOpen = asked.calls.some(({ open }) => open > 0) && asked.late < MOST_LATE;
    if (isOpen) {
      asked.late += 1;
      asked.isAnswered = false;
    } else {
      record.requestBegan = true;
      Object.assign(asked, noneAsked());
    }
  }
  const key = callKey(call);
  const known = asked.calls.find((it) => it.call === key);
  if (known !== undefined) known.open += 1;
  else if (asked.calls.length < MOST_ASKED) asked.calls.push({ call: key, open: 1 });
}

function noneAsked(): AskedCalls {
  return { calls: [], isAnswered: false, late: 0 };
}

/** Notes results, which may be the first of a request that nothing else told of. */
export function noteResults(
  { calls, request }: Results,
  record: SessionRecord,
  dialect: Pick<Dialect, "requests">,
  startedAt: number,
): void {
  const wereAsked = calls.map((call) => noteAnswered(call, record)).every(Boolean);
  switch (dialect.requests) {
    case "batch":
      record.requestBegan = true;
      break;
    case "marked":
      break;
    case "numbered":
      if (request === undefined || request !== record.lastRequest) record.requestBegan = true;
      if (request !== undefined) record.lastRequest = request;
      break;
    case "untold":
      // The agent asks the model again when its hooks have ended; one that began before the last ended runs
      // beside it.
      if (!wereAsked && startedAt > record.resultsAt) record.requestBegan = true;
  }
}

/** Whether the agent told of the call before it ran, in this request. */
function noteAnswered(call: NamedCall, { asked }: SessionRecord): boolean {
  const key = callKey(call);
  const known = asked?.calls.find((it) => it.call === key);
  if (asked === undefined || known === undefined) return false;
  known.open = Math.max(known.open - 1, 0);
  asked.isAnswered = true;
  return true;
}

/** No model asks for more at once: an agent that seems to has stopped telling where a request begins. */
const MOST_AT_ONCE = 16;

/**
 * Whether a call is the first of its kind in its request: equal ones that ran beside it are the same step,
 * which the detector sees for itself where the agent tells of all of them at once.
 */
export function isFirst(
  call: NamedCall,
  record: SessionRecord,
  { requests, tellsResults }: Pick<Dialect, "requests" | "tellsResults">,
): boolean {
  if (requests === "batch" || !tellsResults) return true;
  const key = callKey(call);
  const seen = (record.requestCalls ??= []);
  if (seen.length >= MOST_AT_ONCE) return true;
  return seen.push(key) === seen.indexOf(key) + 1;
}
