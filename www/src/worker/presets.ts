import type { dedupeHistory } from "turnkeeper";

/** Options for the history deduper. */
export type DedupeOptions = NonNullable<Parameters<typeof dedupeHistory>[1]>;

/** Ways to make a history smaller that people can choose; the words for them are in `words/`. */
export const PRESETS = {
  /** What `turnkeeper repair` does. */
  duplicates: {},
  sections: { sections: "changed" },
  recent: { recent: 1 },
  files: { files: "newest" },
  resume: { economy: "resume" },
  compact: { economy: "compact" },
} as const satisfies Record<string, DedupeOptions>;

export type Preset = keyof typeof PRESETS;

/** A preset, and the size to reach with `compact`, in tokens. */
export interface Repair {
  preset: Preset;
  targetTokens: number | undefined;
}

export function optionsOf({ preset, targetTokens }: Repair): DedupeOptions {
  const options = PRESETS[preset];
  return preset === "compact" && targetTokens !== undefined
    ? { ...options, targetTokens }
    : options;
}
