import type { LoopProfile } from "turnkeeper";

const KNOWN = {
  standard: true,
  adaptive: true,
  "gemini-cli": true,
  deepv: true,
  openhands: true,
  roo: true,
  cline: true,
  crush: true,
  "openhands-sdk": true,
  opencode: true,
  "qwen-code": true,
  openclaw: true,
  goose: true,
  // The compiler says so if a profile is missing here, or is none.
} satisfies Record<LoopProfile, true>;

/** Every rule set of the loop detector, in the order in which they are shown. */
export const PROFILES = Object.keys(KNOWN) as LoopProfile[];

/** The rule set that judges where none is named. */
export const DEFAULT_PROFILE: LoopProfile = "adaptive";
