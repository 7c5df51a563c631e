import type { LoopProfile } from "turnkeeper";

import type { AnyProfile } from "./worker/shapes.js";

/** Every rule set, in the order in which they are shown, and whether it is the package's own. */
const KNOWN = {
  standard: true,
  adaptive: true,
  "gemini-cli": false,
  deepv: false,
  roo: false,
  cline: false,
  // The compiler says so if a profile is missing here, or is none.
} satisfies Record<AnyProfile, boolean>;

export const PROFILES = Object.keys(KNOWN) as AnyProfile[];

/** The rule set that judges where none is named. */
export const DEFAULT_PROFILE: LoopProfile = "adaptive";

export function isProfile(name: string): name is AnyProfile {
  return Object.hasOwn(KNOWN, name);
}

/** Whether a profile is the package's own, whose thresholds can be set. */
export function isOwn(profile: string): profile is LoopProfile {
  return isProfile(profile) && KNOWN[profile];
}
