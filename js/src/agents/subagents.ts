/**
 * Subagents of an agent that gives them no ids. What happens between the call that runs one and its report happens
 * in it, or, if several run at once, in one of them: nobody can tell in which.
 */

import type { HookEvent } from "./hook-event.js";
import { callKey } from "./requests.js";
import type { RunningSubagents, SessionRecord } from "./session-record.js";

/**
 * Notes the beginning and the end of subagents in the record of their session.
 *
 * @returns those that the event is of, if it is of any
 */
export function subagentsOf(
  { happened }: HookEvent,
  record: SessionRecord,
): RunningSubagents | undefined {
  const running = record.subagents;
  switch (happened.type) {
    case "prompt":
      // One that was interrupted has made no report.
      delete record.subagents;
      return undefined;
    case "subagent_asked": {
      const begun = (record.subagents ??= none(record));
      begun.calls.push(callKey(happened));
      begun.most = Math.max(begun.most, begun.calls.length);
      return undefined;
    }
    case "results": {
      if (!happened.endsSubagent || running === undefined) return running;
      const at = happened.calls.map((call) => running.calls.indexOf(callKey(call)))[0] ?? -1;
      running.calls.splice(at, 1);
      if (running.calls.length === 0) delete record.subagents;
      return undefined;
    }
    default:
      return running;
  }
}

function none(record: SessionRecord): RunningSubagents {
  record.subagentsBegun = (record.subagentsBegun ?? 0) + 1;
  return { id: record.subagentsBegun, calls: [], most: 0, seen: {} };
}

const MOST_SEEN = 256;

/**
 * Whether a call counts. Where several subagents run at once, each may make it once: it counts again when it has
 * come more often than there are subagents, so a loop of one of them is found later, and none is blamed for all.
 */
export function counts(hash: string, { most, seen }: RunningSubagents): boolean {
  if (most === 1) return true;
  if (!Object.hasOwn(seen, hash) && Object.keys(seen).length >= MOST_SEEN) return true;
  const before = seen[hash] ?? 0;
  seen[hash] = before + 1;
  return before % most === 0;
}
