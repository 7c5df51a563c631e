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
      key?: string;
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

type CoreErrorCode =
  | "invalid_config"
  | "invalid_argument"
  | "limit_exceeded"
  | "wrong_order"
  | "unknown_id"
  | "snapshot_corrupt"
  | "snapshot_version"
  | "wrong_machine";

type ErrorCode =
  | CoreErrorCode
  | "disposed"
  | "poisoned"
  | "not_initialized"
  | "broken_session"
  | "unknown_messages"
  | "unknown_format"
  | "csp_blocks_wasm"
  | "host_failed";

type ErrorDetail = {
  field?: string;
  name?: string;
  line?: number;
  panic?: string;
};

interface LeftOut {
  line?: number;
  element?: number;
  reason: string;
}

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
  leftOut?: LeftOut[];
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
  | "hermes"
  | "codebuddy"
  | "nanobot"
  | "kiro"
  | "continue"
  | "pydantic-ai"
  | "tau-bench"
  | "anthropic"
  | "openai"
  | "ai-sdk"
  | "messages";

declare class TurnkeeperError extends Error {
  readonly name = "TurnkeeperError";
  readonly code: ErrorCode;
  readonly machine: string;
  readonly detail?: ErrorDetail;
  constructor(about: {
    code: ErrorCode;
    machine: string;
    message: string;
    detail?: ErrorDetail;
    cause?: unknown;
  });
}

declare function detectFormat(start: string | Uint8Array, name?: string): SessionFormat | undefined;

declare function eventsOf(messages: readonly object[], format?: SessionFormat): AgentEvent[];

declare function preload(): Promise<void>;

declare function readSession(
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
  options?: ReadSessionOptions,
): Promise<SavedSession>;

export { AgentEvent };

export { LeftOut };

export { SavedSession };

export { SessionFormat };

export { TurnkeeperError };

export { detectFormat };

export { eventsOf };

export { preload };

export { readSession };
