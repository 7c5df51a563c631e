import type { LoopDetectorOptions, LoopProfile } from "turnkeeper";
import type { PeerOptions, PeerProfile } from "turnkeeper/peers";

/** A rule set of the package's own, or another agent's. */
export type AnyProfile = LoopProfile | PeerProfile;

const KNOWN = {
  standard: true,
  adaptive: true,
  "gemini-cli": true,
  deepv: true,
  roo: true,
  cline: true,
  // The compiler says so if a profile is missing here, or is none.
} satisfies Record<AnyProfile, true>;

/** Every rule set, in the order in which they are shown. */
export const PROFILES = Object.keys(KNOWN) as AnyProfile[];

/** The rule set that judges where none is named. */
export const DEFAULT_PROFILE: LoopProfile = "adaptive";

/** The rules of a profile, perhaps with thresholds of one's own. */
export type ProfileRules = (LoopDetectorOptions & { profile: LoopProfile }) | PeerOptions;

/** Whether a profile is the package's own, whose thresholds can be set. */
export function isOwn(profile: string): profile is LoopProfile {
  return profile === "adaptive" || profile === "standard";
}
