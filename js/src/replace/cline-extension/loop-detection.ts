// The functions of Cline's extension, which count in its task's state. They differ from those of its SDK
// in what they leave out and in who keeps the last call.

import { withSortedKeys } from "../sorted-keys.js";

/** A run of exactly this many identical calls is a warning. */
export const LOOP_DETECTION_SOFT_THRESHOLD = 3;

/** Exactly this many are a case for the user. */
const HARD_THRESHOLD = 5;

/** Says how far the task is, and so changes from call to call. */
const PROGRESS = "task_progress";

/** What is read and written of Cline's `TaskState`, which can be given as it is. */
export interface TaskState {
  /** The call before, which the extension notes when it has been checked. */
  readonly lastToolName: string;
  readonly lastToolParams: string;
  consecutiveIdenticalToolCount: number;
}

/** What a call means. */
export interface LoopDetectionResult {
  /** It is the third of a run: warn the model. */
  softWarning: boolean;
  /** It is the fifth: ask the user. */
  hardEscalation: boolean;
}

/** The text by which parameters are compared: JSON with sorted keys, without `task_progress`. */
export function toolCallSignature(params: object | undefined): string {
  const { [PROGRESS]: _, ...compared } = (params ?? {}) as Record<string, unknown>;
  return JSON.stringify(withSortedKeys(compared));
}

/**
 * Counts a call in the task's state, before `lastToolName` and `lastToolParams` are set to it.
 *
 * @param currentSignature What {@link toolCallSignature} made of the call's parameters.
 *
 * @example
 * ```js
 * import { checkRepeatedToolCall, toolCallSignature } from "turnkeeper/replace/cline-extension";
 *
 * const taskState = { lastToolName: "", lastToolParams: "", consecutiveIdenticalToolCount: 0 };
 * const warnings = [1, 2, 3].map(() => {
 *   const signature = toolCallSignature({ path: "a.ts" });
 *   const { softWarning } = checkRepeatedToolCall(taskState, "read_file", signature);
 *   Object.assign(taskState, { lastToolName: "read_file", lastToolParams: signature });
 *   return softWarning;
 * });
 * console.log(warnings); // [ false, false, true ]
 * ```
 */
export function checkRepeatedToolCall(
  state: TaskState,
  toolName: string,
  currentSignature: string,
): LoopDetectionResult {
  const isIdentical = state.lastToolName === toolName && state.lastToolParams === currentSignature;
  const count = isIdentical ? state.consecutiveIdenticalToolCount + 1 : 1;
  state.consecutiveIdenticalToolCount = count;
  return {
    softWarning: count === LOOP_DETECTION_SOFT_THRESHOLD,
    hardEscalation: count === HARD_THRESHOLD,
  };
}
