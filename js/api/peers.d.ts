// What turnkeeper/peers exports, and the types that this needs.
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

interface CallLoopReport extends LoopReportFields {
  type: CallLoopType;
  rule: CallRule | PeerCallRule;
  tool: string;
  callKey: string;
  channel?: never;
}

type CallLoopType =
  | "consecutive_identical_tool_calls"
  | "repeated_tool_cycle"
  | "same_tool_different_arguments"
  | "repeated_error";

type CallRule =
  | "identical_calls"
  | "repeated_results"
  | "repeated_waits"
  | "repeated_edits"
  | "rewrites"
  | "equal_errors"
  | "fruitless_searches"
  | "echo_calls"
  | "cycle_rounds"
  | "nothing_new"
  | "calls_at_once"
  | "compaction_rounds"
  | "blind_calls"
  | "blind_rounds"
  | "low_progress"
  | "preview_calls"
  | "preview_intensive_calls";

type Channel = "text" | "reasoning";

type ClineOptions = {
  softThreshold?: number | false;
  hardThreshold?: number | false;
  cosmeticArguments?: Array<string>;
  messages?: Partial<Record<LoopType, MessageTexts>>;
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

type Counts = {
  tool?: string;
  run: number;
  threshold: number;
};

declare const DISPOSE: typeof Symbol.dispose;

type DeepvOptions = {
  identicalCalls?: number | false;
  monitoredCalls?: number | false;
  monitoredTools?: Array<string>;
  previewModel?: string | RegExp;
  unit?: number;
  copies?: number | false;
  meanDistance?: number;
  distinctGaps?: number;
  history?: number;
  modelCheck?: false | ModelCheckOptions;
  messages?: Partial<Record<LoopType, MessageTexts>>;
};

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

type GeminiCliOptions = {
  rounds?: number | false;
  minPeriod?: number;
  maxPeriod?: number;
  unit?: number;
  copies?: number | false;
  meanDistance?: number;
  distinctGaps?: number;
  history?: number;
  modelCheck?: false | ModelCheckOptions;
  messages?: Partial<Record<LoopType, MessageTexts>>;
};

interface JudgedLoopReport extends LoopReportFields {
  type: JudgedLoopType;
  rule: JudgedRule;
  tool?: never;
  callKey?: never;
  period?: never;
  channel?: never;
}

type JudgedLoopType = "llm_detected_loop" | "host_detected_loop";

type JudgedRule = "model_check" | "host_report";

type Lack = "calls" | "arguments" | "results" | "prompts" | "events";

declare const LoopDetector: PeerLoopDetector;

type LoopDetector = LoopDetector$1;

declare class LoopDetector$1 extends Machine {
  #private;
  constructor(options?: LoopDetectorOptions);
  startPrompt(
    promptId: string,
    options?: {
      model?: string;
      userPrompt?: string;
    },
  ): void;
  observe(event: AgentEvent): LoopVerdict;
  observeAll(events: readonly AgentEvent[]): LoopVerdict;
  takeFeedback(): readonly string[];
  takeModelCheck(): ModelCheckRequest | undefined;
  answerModelCheck(answer: unknown): LoopVerdict;
  get stopped(): boolean;
  get verdict(): LoopVerdict;
  get counts(): Counts;
  get progress(): number;
  get prompt(): PromptInfo;
  get blind(): readonly Lack[];
  clear(): void;
  disable(): void;
  enable(): void;
  snapshot(): Uint8Array & {
    readonly snapshotOf?: "loop_detector";
  };
  static restore(snapshot: Snapshot<"loop_detector">): LoopDetector$1;
}

type LoopDetectorOptions = {
  profile?: LoopProfile;
  identicalCalls?: number | false;
  previewModel?: string | RegExp;
  previewCalls?: number | false;
  previewIntensiveCalls?: number | false;
  repeatedResults?: number | false;
  repeatedWaits?: number | false;
  repeatedEdits?: number | false;
  rewrites?: number | false;
  equalErrors?: number | false;
  fruitlessSearches?: number | false;
  echoCalls?: number | false;
  cycleRounds?: number | false;
  nothingNew?: number | false;
  callsAtOnce?: number | false;
  idleMessages?: number | false;
  compactionRounds?: number | false;
  longestCycle?: number;
  blindCalls?: number | false;
  blindRounds?: number | false;
  shortResult?: number;
  tools?: ToolLists;
  cosmeticArguments?: Array<string>;
  repeatedPassages?: number | false;
  longPassages?: number | false;
  lowProgress?: number | boolean;
  modelCheck?: false | ModelCheckOptions;
  messages?: Partial<Record<LoopType, MessageTexts>>;
};

type LoopProfile = "standard" | "adaptive";

type LoopReport = CallLoopReport | TextLoopReport | JudgedLoopReport;

interface LoopReportFields {
  type: LoopType;
  rule: RuleName | PeerCallRule | PeerTextRule;
  profile: LoopProfile | PeerProfile;
  tool?: string;
  callKey?: string;
  count: number;
  threshold: number;
  period?: number;
  strike: number;
  channel?: Channel;
  firstIndex: number;
  lastIndex: number;
  wasted: Wasted;
  evidence: string;
  fact: string;
  message: string;
  feedback: string;
}

type LoopType =
  | "consecutive_identical_tool_calls"
  | "repeated_tool_cycle"
  | "same_tool_different_arguments"
  | "repeated_error"
  | "chanting_identical_sentences"
  | "monologue"
  | "llm_detected_loop"
  | "host_detected_loop";

type LoopVerdict =
  | {
      action: "ok";
    }
  | {
      action: "nudge";
      report: LoopReport;
    }
  | {
      action: "stop";
      report: LoopReport;
    };

declare abstract class Machine {
  #private;
  dispose(): void;
  [DISPOSE](): void;
}

type MessageTexts = {
  fact?: string;
  message?: string;
  feedback?: string;
};

type ModelCheckOptions = {
  when?: "turns" | "doubt" | "either";
  progress?: number;
  minCalls?: number;
  cooldown?: number;
  afterTurns?: number;
  interval?: number;
  minInterval?: number;
  maxInterval?: number;
  historyCount?: number;
  confidence?: number;
  inclusive?: boolean;
};

type ModelCheckRequest = {
  historyCount: number;
  systemPrompt: string;
  prompt: string;
  reason: string;
  schema: object;
};

type PeerCallRule =
  | "identical_calls"
  | "identical_calls_limit"
  | "identical_calls_thresholds"
  | "repeated_cycle"
  | "monitored_calls";

interface PeerLoopDetector {
  new (options: PeerOptions): LoopDetector$1;
  restore(snapshot: Uint8Array): LoopDetector$1;
}

type PeerOptions =
  | ({
      profile: "gemini-cli";
    } & GeminiCliOptions)
  | ({
      profile: "deepv";
    } & DeepvOptions)
  | ({
      profile: "roo";
    } & RooOptions)
  | ({
      profile: "cline";
    } & ClineOptions);

type PeerProfile = "gemini-cli" | "deepv" | "roo" | "cline";

type PeerTextRule = "repeated_windows";

type PromptInfo = {
  id?: string;
  ids: Array<string>;
  model?: string;
  isPreview: boolean;
  calls: number;
};

type RooOptions = {
  limit?: number | false;
  skipScrolling?: boolean;
  messages?: Partial<Record<LoopType, MessageTexts>>;
};

type RuleName =
  | "identical_calls"
  | "repeated_results"
  | "repeated_waits"
  | "repeated_edits"
  | "rewrites"
  | "equal_errors"
  | "fruitless_searches"
  | "echo_calls"
  | "cycle_rounds"
  | "nothing_new"
  | "calls_at_once"
  | "idle_messages"
  | "compaction_rounds"
  | "blind_calls"
  | "blind_rounds"
  | "low_progress"
  | "preview_calls"
  | "preview_intensive_calls"
  | "repeated_passages"
  | "model_check"
  | "host_report";

type Snapshot<Name extends string> = Uint8Array & {
  readonly snapshotOf?: Name;
};

interface TextLoopReport extends LoopReportFields {
  type: TextLoopType;
  rule: TextRule | PeerTextRule;
  channel: Channel;
  tool?: never;
  callKey?: never;
}

type TextLoopType = "chanting_identical_sentences" | "monologue";

type TextRule = "idle_messages" | "repeated_passages";

type ToolLists = {
  edit?: Array<string>;
  write?: Array<string>;
  search?: Array<string>;
  command?: Array<string>;
  wait?: Array<string>;
  note?: Array<string>;
  intensive?: Array<string>;
  monitored?: Array<string>;
  stateful?: Array<string>;
  exempt?: Array<string>;
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

type Wasted = {
  calls: number;
  characters: number;
};

declare function preload(): Promise<void>;

export { AgentEvent };

export { LoopDetector };

export { LoopReport };

export { LoopVerdict };

export { ModelCheckRequest };

export { PeerOptions };

export { TurnkeeperError };

export { preload };
