import { SAMPLE_FILES } from "samples";

import type { View } from "./frame/address.js";
import { DEFAULT_PROFILE } from "./profiles.js";

/** The samples in the order in which they are offered; their titles are in `words/`. */
export const SAMPLE_NAMES = [
  "stuckTests",
  "sameSearch",
  "fileAfterFile",
  "resumedTask",
  "brokenCommand",
  "patchAgain",
  "sameWords",
  "healthy",
] as const;
export type SampleName = (typeof SAMPLE_NAMES)[number];

export const SAMPLES = Object.fromEntries(
  SAMPLE_NAMES.map((name) => [name, SAMPLE_FILES[name]!]),
) as Record<SampleName, { name: string; text: string }>;

export function isSample(name: string): name is SampleName {
  return (SAMPLE_NAMES as readonly string[]).includes(name);
}

/** Those that are histories, of which a repair can take something out. */
const HISTORIES: ReadonlySet<SampleName> = new Set(["stuckTests", "resumedTask"]);

/** The samples that a view has something to say of. */
export function samplesOf(view: View): readonly SampleName[] {
  return view === "context" ? SAMPLE_NAMES.filter((name) => HISTORIES.has(name)) : SAMPLE_NAMES;
}

/** The sample that is shown first, whose answer is in the page from the beginning. */
export const FIRST_SAMPLE: SampleName = "stuckTests";

/** The profile that a sample is there to show. */
export function profileOf(name: string): string {
  return name === "fileAfterFile" ? "standard" : DEFAULT_PROFILE;
}
