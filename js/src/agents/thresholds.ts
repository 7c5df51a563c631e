/** The user's own thresholds of the detector's rules. */

import type { LoopDetector, LoopDetectorOptions } from "turnkeeper";

/** The names of options, and the count at which a rule fires; `false` switches it off. */
export type Thresholds = Readonly<Record<string, number | false>>;

/** A detector with these thresholds, but for those that it does not know, and why it does not take them. */
export function detectorWith(
  Detector: typeof LoopDetector,
  options: LoopDetectorOptions,
  thresholds: Thresholds,
): { detector: LoopDetector; mistakes: string[] } {
  const mistakes: string[] = [];
  const left: Record<string, number | false> = { ...thresholds };
  for (;;) {
    try {
      return { detector: new Detector({ ...options, ...left }), mistakes };
    } catch (error) {
      const field = fieldOf(error);
      if (field === undefined || !Object.hasOwn(left, field)) throw error;
      mistakes.push((error as Error).message);
      delete left[field];
    }
  }
}

/** The option at fault. The error may be of another copy of the package, so its class is not asked for. */
function fieldOf(error: unknown): string | undefined {
  return (error as { detail?: { field?: string } }).detail?.field;
}
