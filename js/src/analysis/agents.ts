import { FORMATS, type SessionFormat } from "../saved/saved-session.js";

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

/** Whose session it is, as far as its format tells; spread into a report. */
export function agentOf(format: SessionFormat): { agent?: string } {
  const { agent } = FORMATS[format];
  return agent === undefined ? {} : { agent };
}
