// What turnkeeper/sessions exports, and the types that this needs.
// Written by `cargo xtask api`. Do not edit.

type AgentEvent =
  | {
      type: "text";
      text: string;
    }
  | {
      type: "reasoning";
      text: string;
    }
  | {
      type: "tool_call";
      id?: string;
      name: string;
      args?: unknown;
    }
  | {
      type: "tool_result";
      id?: string;
      output: string | readonly object[];
      isError?: boolean;
      exitCode?: number;
    }
  | {
      type: "turn_started";
    }
  | {
      type: "user_message";
    }
  | {
      type: "finished";
    }
  | {
      type: "condensation";
    }
  | {
      type: "retry";
    }
  | {
      type: "loop_reported";
      by?: string;
      detail?: string;
    }
  | {
      type: "other";
    };

interface ReadSessionOptions {
  name?: string;
}

interface SavedSession {
  format: SessionFormat;
  events: AgentEvent[];
  messages?: object[];
  title?: string;
  model?: string;
  workingDirectory?: string;
  cutOff?: {
    line: number;
    reason: string;
  };
}

type SessionFormat =
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

declare function detectFormat(start: string | Uint8Array, name?: string): SessionFormat | undefined;

declare function eventsOf(messages: readonly object[], format?: SessionFormat): AgentEvent[];

declare function readSession(
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
  options?: ReadSessionOptions,
): Promise<SavedSession>;

export { AgentEvent };

export { ReadSessionOptions };

export { SavedSession };

export { SessionFormat };

export { detectFormat };

export { eventsOf };

export { readSession };
