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
  /** The message that it is, in the shape that the deduper looks at. */
  message?: SavedMessage;
  /** The provider's own message or item, where the file holds it; with all its fields. */
  original?: object;
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

/** A message, and where it is in the value that was read. */
export interface SavedMessage {
  role: string;
  content: unknown;
  /** The keys that lead from the value to the content. */
  path: readonly string[];
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

export type FormatName = SessionFormat;

/** The formats' names for people. */
export const FORMAT_TITLES: Record<FormatName, string> = {
  events: "event lines",
  cline: "Cline, Roo or Kilo history",
  "cline-ui": "Cline, Roo or Kilo ui_messages",
  "cline-markdown": "Cline, Roo or Kilo export",
  "gemini-cli": "gemini-cli session",
  gemini: "Gemini contents",
  "claude-code": "Claude Code session",
  "claude-stream": "Claude Code stream-json output",
  "gemini-stream": "gemini-cli stream-json output",
  codex: "Codex rollout",
  openhands: "OpenHands events",
  "openhands-eval": "OpenHands evaluation output",
  "swe-agent": "SWE-agent trajectory",
  "mini-swe-agent": "mini-swe-agent trajectory",
  pi: "pi session",
  opencode: "opencode session",
  goose: "goose session",
  "copilot-chat": "VS Code Copilot chat",
  "copilot-cli": "Copilot CLI session",
  "qwen-code": "Qwen Code session",
  kimi: "Kimi CLI session",
  crush: "crush session",
  atif: "ATIF trajectory",
  anthropic: "Anthropic messages",
  openai: "OpenAI messages",
  "ai-sdk": "AI SDK messages",
  messages: "chat messages",
};

/** Makes records of values, one after another. */
export interface RecordReader {
  /** The format; it may become known as values are read. */
  readonly format: FormatName;
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
