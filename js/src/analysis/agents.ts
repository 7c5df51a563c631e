import type { FormatName } from "../saved/saved-session.js";

/** The agents whose folders are known, in the order in which they are named to people. */
export const AGENT_TITLES = {
  "claude-code": "Claude Code",
  codex: "Codex",
  "gemini-cli": "gemini-cli",
  "qwen-code": "Qwen Code",
  "copilot-cli": "Copilot CLI",
  "copilot-chat": "VS Code Copilot chat",
  cline: "Cline",
  roo: "Roo Code",
  kilo: "Kilo Code",
  opencode: "opencode",
  crush: "crush",
  goose: "goose",
  pi: "pi",
  openhands: "OpenHands",
  kimi: "Kimi CLI",
} as const;

export type AgentName = keyof typeof AGENT_TITLES;

export const AGENT_NAMES = Object.keys(AGENT_TITLES) as AgentName[];

/** Formats that only one agent writes. */
const OF_FORMAT: Partial<Record<FormatName, AgentName>> = {
  "claude-code": "claude-code",
  "claude-stream": "claude-code",
  codex: "codex",
  "gemini-cli": "gemini-cli",
  "gemini-stream": "gemini-cli",
  "qwen-code": "qwen-code",
  "copilot-cli": "copilot-cli",
  "copilot-chat": "copilot-chat",
  opencode: "opencode",
  crush: "crush",
  goose: "goose",
  pi: "pi",
  openhands: "openhands",
  kimi: "kimi",
};

/** Whose session it is, as far as its format tells; spread into a report. */
export function agentOf(format: FormatName): { agent?: AgentName } {
  const agent = OF_FORMAT[format];
  return agent === undefined ? {} : { agent };
}
