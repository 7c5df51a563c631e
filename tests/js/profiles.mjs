/** The profiles of the loop detector. */
export const PROFILES = ["standard", "adaptive"];

/** Those of `turnkeeper/peers`. */
export const PEERS = ["gemini-cli", "deepv", "roo", "cline"];
