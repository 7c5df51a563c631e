// What turnkeeper/summary-injector exports, and the types that this needs.
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

type CurrentTurn = {
  number: number;
  task?: string;
  workspace?: string;
};

declare const DISPOSE: typeof Symbol.dispose;

type Diagnostic = {
  severity: Severity;
  code: DiagnosticCode;
  message: string;
  line: number;
  column: number;
  source?: string;
};

type DiagnosticCode = PromptDiagnosticCode | SummaryDiagnosticCode;

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

type FoldRequest = {
  fromTurn: number;
  toTurn: number;
  prompt: string;
  text: string;
};

type HistoryMessage = {
  role: string;
  content: unknown;
  id?: string;
  [field: string]: unknown;
};

type InjectorTexts = {
  reminder?: string;
  thinkingRule?: string;
};

declare abstract class Machine {
  #private;
  dispose(): void;
  [DISPOSE](): void;
}

type Phase = "thinking" | "action";

type PromptDiagnosticCode =
  | "unclosed_fence"
  | "unclosed_directive"
  | "unknown_command"
  | "bad_directive"
  | "stray_else"
  | "stray_endif"
  | "unclosed_condition"
  | "undefined_macro"
  | "read_only_macro"
  | "macro_cycle"
  | "macro_limit"
  | "bad_pattern"
  | "condition_limit"
  | "unclosed_reference"
  | "empty_reference"
  | "bad_path"
  | "bad_range"
  | "bad_arguments"
  | "denied"
  | "unreadable"
  | "cycle"
  | "limit"
  | "tool_failed"
  | "image"
  | "bad_front_matter"
  | "unreadable_block"
  | "over_budget";

interface PromptParts {
  capability: string;
  direction: string;
  workspace: string;
}

type Severity = "error" | "warning";

type Snapshot<Name extends string> = Uint8Array & {
  readonly snapshotOf?: Name;
};

type SummaryDiagnosticCode =
  "unreadable_summary" | "unreadable_field" | "goal_dropped" | "no_open_point" | "summary_too_long";

type SummaryEvent = "turn_completed" | "summaries_cut" | "over_budget";

declare class SummaryInjector extends Machine {
  #private;
  constructor(options?: SummaryInjectorOptions);
  startTurn(turn?: { task?: string | null; workspace?: string }): number;
  addMessage(message: { id?: string; role: string; content: unknown; turn?: number }): void;
  addThinkingRound(content: string): void;
  addToolCall(toolCall: ToolCallRecord): void;
  setNotes(notes: Record<string, unknown>, turn?: number): void;
  turns(range?: { from?: number; to?: number; last?: number }): TurnRecord[];
  search(words: readonly string[]): TurnRecord[];
  exportTurns(): {
    turns: TurnRecord[];
  };
  static importTurns(
    exported: {
      turns: readonly TurnRecord[];
    },
    options?: SummaryInjectorOptions,
  ): SummaryInjector;
  storeSummary(summary: { summary: string; insights?: string[]; turn?: number }): void;
  completeTurn(): void;
  get currentTurn(): CurrentTurn | undefined;
  accumulatedSummaries(): string;
  actionContext(workspace: string): string;
  thinkingContext(workspace: string): string;
  systemPrompt(parts: { capability: string; direction: string; phase?: Phase }): string;
  recall(what: {
    turns?: number[];
    turnNumbers?: number[];
    ids?: string[];
    keywords?: string[];
  }): number;
  requestSucceeded(): void;
  buildPrompt<P extends Phase>(phase: P, parts: PromptParts): TurnPrompt<P>;
  takeSummaryRequest(): SummaryRequest | undefined;
  answerSummaryRequest(
    answer: unknown,
    state?: {
      finished?: boolean;
    },
  ): {
    diagnostics: Diagnostic[];
  };
  dropSummaryRequest(): void;
  takeFoldRequest(): FoldRequest | undefined;
  answerFoldRequest(
    answer:
      | string
      | {
          summary: string;
          insights?: string[];
        },
  ): {
    diagnostics: Diagnostic[];
  };
  dropFoldRequest(): void;
  thinkingMessage():
    | {
        role: "system";
        content: string;
      }
    | undefined;
  get thinkingTools(): readonly {
    name: string;
    description: string;
    parameters: object;
  }[];
  get log(): readonly SummaryLogEntry[];
  snapshot(): Uint8Array & {
    readonly snapshotOf?: "summary_injector";
  };
  static restore(snapshot: Snapshot<"summary_injector">): SummaryInjector;
}

type SummaryInjectorOptions = {
  maxTokens?: number;
  maxRecalledMessages?: number;
  maxMessages?: number;
  maxRequestTokens?: number;
  texts?: InjectorTexts;
};

type SummaryLogEntry = {
  turn: number;
  what: SummaryEvent;
  why: string;
};

type SummaryRequest = {
  turn: number;
  prompt: string;
  schema: object;
  text: string;
};

type ToolCallRecord = {
  name: string;
  turn?: number;
  [field: string]: unknown;
};

type TurnPrompt<P extends Phase = Phase> = {
  systemPrompt: string;
  workspaceContext: string;
  conversationHistory: P extends "thinking" ? string[] : HistoryMessage[];
};

type TurnRecord = {
  number: number;
  isOpen: boolean;
  task?: string;
  workspace?: string;
  messages: HistoryMessage[];
  rounds: string[];
  toolCalls: ToolCallRecord[];
  summary?: string;
  insights: string[];
  notes?: Record<string, unknown>;
};

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

declare class WorkLedger extends Machine {
  constructor();
  observe(event: AgentEvent): void;
  prompt(text: string): void;
  text(options?: { maxCharacters?: number }): string;
  snapshot(): Uint8Array & {
    readonly snapshotOf?: "work_ledger";
  };
  static restore(snapshot: Snapshot<"work_ledger">): WorkLedger;
}

declare function preload(): Promise<void>;

export { CurrentTurn };

export { Diagnostic };

export { FoldRequest };

export { SummaryInjector };

export { SummaryInjectorOptions };

export { SummaryLogEntry };

export { SummaryRequest };

export { ToolCallRecord };

export { TurnPrompt };

export { TurnRecord };

export { TurnkeeperError };

export { WorkLedger };

export { preload };
