// Cline's functions over a state that is the host's: a plain object, which it may save and change. So
// they count for themselves; the tracker leaves that to a detector, and tests hold the two together.

import { withSortedKeys } from "../sorted-keys.js";

/** At which counts something happens. */
export interface LoopDetectionConfig {
  /** A run of exactly this many identical calls is a warning. */
  softThreshold: number;
  /** This many, or more, end the run. */
  hardThreshold: number;
}

/** The last call, and the length of its run. */
export interface LoopDetectionState {
  lastToolName: string;
  lastToolSignature: string;
  consecutiveIdenticalCount: number;
}

/** What a call means. */
export type LoopCheckResult = {
  /** It is the one that makes the soft threshold. */
  softWarning: boolean;
  /** It reaches the hard threshold. */
  hardEscalation: boolean;
};

const NOTHING_CALLED: LoopDetectionState = {
  lastToolName: "",
  lastToolSignature: "",
  consecutiveIdenticalCount: 0,
};

/** The state before the first call. */
export function createLoopDetectionState(): LoopDetectionState {
  return { ...NOTHING_CALLED };
}

/** Makes a state as it was before the first call. */
export function resetLoopDetectionState(state: LoopDetectionState): void {
  Object.assign(state, NOTHING_CALLED);
}

/**
 * The text by which the inputs of calls are compared: JSON with the keys of every object sorted. Texts
 * stand for themselves, so the text `"1"` equals the number, and a missing input equals `"null"`.
 */
export function toolCallSignature(input: unknown): string {
  if (input === undefined) return "null";
  if (typeof input !== "object" || input === null) return asText(input);
  try {
    return JSON.stringify(withSortedKeys(input));
  } catch {
    // A cycle, a bigint, or an input that is nested too deep.
    return asText(input);
  }
}

function asText(value: unknown): string {
  return String(value);
}

/**
 * Counts a call in the state, and says which thresholds it reaches.
 *
 * @param signature What {@link toolCallSignature} made of the call's input.
 */
export function checkRepeatedToolCall(
  state: LoopDetectionState,
  toolName: string,
  signature: string,
  config: LoopDetectionConfig,
): LoopCheckResult {
  const isIdentical = state.lastToolName === toolName && state.lastToolSignature === signature;
  const count = isIdentical ? state.consecutiveIdenticalCount + 1 : 1;
  Object.assign(state, {
    lastToolName: toolName,
    lastToolSignature: signature,
    consecutiveIdenticalCount: count,
  } satisfies LoopDetectionState);
  return {
    softWarning: count === config.softThreshold,
    hardEscalation: count >= config.hardThreshold,
  };
}
