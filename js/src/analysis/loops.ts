import type { LoopReport, LoopVerdict } from "turnkeeper";

import type { Count } from "./count.js";

/** A loop, from the first of its calls to the last at which it was found again. */
export interface Loop {
  /** The strongest verdict that it got. */
  action: "nudge" | "stop";
  type: LoopReport["type"];
  rule: string;
  tool?: string;
  /** Whose text repeats, if no calls do. */
  channel?: "text" | "reasoning";
  /** The calls that repeat, from 0 over the session; for a loop in text, the call before it, or null. */
  firstCall: Count | null;
  lastCall: Count | null;
  /** The line or element of the file where it was found first. */
  place: Count;
  /** How often it had repeated when it was found last. */
  count: Count;
  /** Why, in a sentence. */
  message: string;
  evidence: string;
}

/** Calls between two findings that still are one loop. */
const APART = 3;

/** Puts findings of the same loop together. */
export class LoopList {
  readonly loops: Loop[] = [];

  /**
   * @param call the call that it was found at, or the last before it; from 0 over the session
   * @param promptCalls how many calls there were before the prompt
   * @returns whether it is the loop that was found last
   */
  add(
    { action, report }: Exclude<LoopVerdict, { action: "ok" }>,
    place: number,
    call: number,
    promptCalls: number,
  ): boolean {
    const { type, rule, tool, channel, count, message, evidence } = report;
    const isWords = channel !== undefined;
    const firstCall = isWords ? (call < 0 ? null : call) : report.firstIndex + promptCalls;
    const lastCall = isWords ? firstCall : report.lastIndex + promptCalls;
    const last = this.loops.at(-1);
    const isSame =
      last !== undefined &&
      last.type === type &&
      last.tool === tool &&
      last.channel === channel &&
      (firstCall ?? -1) <= (last.lastCall ?? -1) + APART;
    if (isSame) {
      if (action === "stop") last.action = "stop";
      last.lastCall = lastCall;
      last.count = Math.max(last.count + (isWords ? 0 : 1), count);
      last.message = message;
      return true;
    }
    this.loops.push({
      action,
      type,
      rule,
      ...(tool !== undefined && { tool }),
      ...(channel !== undefined && { channel }),
      firstCall,
      lastCall,
      place,
      count,
      message,
      evidence,
    });
    return false;
  }
}
