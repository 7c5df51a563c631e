import type { AgentEvent } from "../boundary/generated/shapes.js";

/** An event of a saved session, and what the detector does not look at. */
export interface SavedItem {
  event: AgentEvent;
  /** What the user or the host said, for events that carry no text; a block of environment. */
  said?: { kind: "user" | "system" | "environment"; text: string };
}

/** What one line, or one element of an array, of a saved session says. */
export interface SavedRecord {
  /** The line or the element, from 1; 0 for what is said beside the elements. */
  place: number;
  items: SavedItem[];
  /** The provider's own message or item, where the file holds it; with all its fields. */
  original?: object;
  /** The keys that lead from the value to the content of that message, if the deduper is to look at it. */
  path?: readonly string[];
  /** The directory that commands run in from here on. */
  workingDirectory?: string;
  /** The session's name, if the value gives it one; a later one counts. */
  title?: string;
  /** The model that answers from here on. */
  model?: string;
  /** Whether it belongs to another conversation (a subagent's) that is left out. */
  leftOut?: boolean;
  /** What it records of tokens and money. */
  usage?: RecordedUsage[];
  /** When it was written, in milliseconds since 1970. */
  time?: number;
}

/** What an agent recorded that an answer of a model used. */
export interface RecordedUsage {
  /** The same in every copy of the answer, in this file and in others. Without it each stands for itself. */
  id?: string;
  /** Whether the id means something in this file alone. */
  isLocal?: boolean;
  /** The session's sum so far instead of an answer: the last one counts, and its dollars are those of all. */
  isSum?: boolean;
  /** The model that answered. */
  model?: string;
  /** When, in milliseconds since 1970. */
  time?: number;
  /** Tokens that were sent and neither read from a cache nor kept in one. */
  input: number;
  /** Tokens that were read from the prompt cache. */
  cacheRead: number;
  /** Tokens that were sent and kept in the prompt cache. */
  cacheWrite: number;
  /** Of these, those that are kept for an hour. */
  cacheWriteLong?: number;
  /** Tokens that the model wrote, thinking included. */
  output: number;
  /** What the agent says that it cost, in US dollars. */
  dollars?: number;
}

/** The formats that are read. */
export type SessionFormat =
  | "events"
  | "cline"
  | "cline-ui"
  | "cline-markdown"
  | "gemini-cli"
  | "gemini"
  | "claude-code"
  | "claude-stream"
  | "gemini-stream"
  | "codex"
  | "openhands"
  | "openhands-eval"
  | "swe-agent"
  | "mini-swe-agent"
  | "pi"
  | "opencode"
  | "goose"
  | "copilot-chat"
  | "copilot-cli"
  | "qwen-code"
  | "kimi"
  | "crush"
  | "atif"
  | "anthropic"
  | "openai"
  | "ai-sdk"
  | "messages";

/** The facts about a format. */
interface Known {
  /** Its name for people. */
  title: string;
  /** The agent that writes it, if only one does. */
  agent?: string;
  /** Whether it is what an agent sends again, so that it can be repaired, and no record of what happened. */
  isHistory?: true;
}

export const FORMATS: Readonly<Record<SessionFormat, Known>> = {
  events: { title: "event lines" },
  cline: { title: "Cline, Roo or Kilo history", isHistory: true },
  "cline-ui": { title: "Cline, Roo or Kilo ui_messages" },
  "cline-markdown": { title: "Cline, Roo or Kilo export" },
  "gemini-cli": { title: "gemini-cli session", agent: "gemini-cli" },
  gemini: { title: "Gemini contents", isHistory: true },
  "claude-code": { title: "Claude Code session", agent: "claude-code", isHistory: true },
  "claude-stream": { title: "Claude Code stream-json output", agent: "claude-code" },
  "gemini-stream": { title: "gemini-cli stream-json output", agent: "gemini-cli" },
  codex: { title: "Codex rollout", agent: "codex" },
  openhands: { title: "OpenHands events", agent: "openhands" },
  "openhands-eval": { title: "OpenHands evaluation output" },
  "swe-agent": { title: "SWE-agent trajectory" },
  "mini-swe-agent": { title: "mini-swe-agent trajectory", isHistory: true },
  pi: { title: "pi session", agent: "pi" },
  opencode: { title: "opencode session", agent: "opencode" },
  goose: { title: "goose session", agent: "goose" },
  "copilot-chat": { title: "VS Code Copilot chat", agent: "copilot-chat" },
  "copilot-cli": { title: "Copilot CLI session", agent: "copilot-cli" },
  "qwen-code": { title: "Qwen Code session", agent: "qwen-code" },
  kimi: { title: "Kimi CLI session", agent: "kimi" },
  crush: { title: "crush session", agent: "crush" },
  atif: { title: "ATIF trajectory" },
  anthropic: { title: "Anthropic messages", isHistory: true },
  openai: { title: "OpenAI messages", isHistory: true },
  "ai-sdk": { title: "AI SDK messages", isHistory: true },
  messages: { title: "chat messages", isHistory: true },
};

/** The formats' names for people. */
export const FORMAT_TITLES = Object.fromEntries(
  Object.entries(FORMATS).map(([format, { title }]) => [format, title]),
) as Record<SessionFormat, string>;

/** Makes records of values, one after another. */
export interface RecordReader {
  /** The format; it may become known as values are read. */
  readonly format: SessionFormat;
  /**
   * @param place the value's line or element, which the record has if it has none itself
   * @throws {@link Unreadable} if the value is not of the format
   */
  read(value: unknown, place: number): ReadRecord;
  /** What a property beside the session's elements says, in a file that is one object. */
  property?(key: string, value: unknown): SessionFacts;
  /** What was waiting for the next value. */
  end?(): SavedRecord | undefined;
}

/** What is said of a session as a whole. */
export type SessionFacts = Pick<SavedRecord, "title" | "model" | "workingDirectory">;

export type ReadRecord = Omit<SavedRecord, "place"> & { place?: number };

/** A value is not what its format says; the message completes "line 3 …". */
export class Unreadable extends Error {}
