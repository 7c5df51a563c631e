/** Every profile of the loop detector. */
export const PROFILES = [
  "standard",
  "adaptive",
  "gemini-cli",
  "deepv",
  "openhands",
  "roo",
  "cline",
  "crush",
  "openhands-sdk",
  "opencode",
  "qwen-code",
  "openclaw",
  "goose",
];
