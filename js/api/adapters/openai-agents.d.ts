// What turnkeeper/adapters/openai-agents exports, and the types that this needs.
// Written by `cargo xtask api`. Do not edit.

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

interface LoopDetectedEvent {
  type: "loop_detected";
  verdict: Exclude<
    LoopVerdict,
    {
      action: "ok";
    }
  >;
}

type LoopListener = (event: LoopDetectedEvent) => void;

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

declare class LoopStopped extends Error {
  readonly name = "LoopStopped";
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

declare const MODES: readonly ["watch", "hint", "stop"];

type Mode = (typeof MODES)[number];

type OpenAiAgentsCall<I extends OpenAiAgentsItem = OpenAiAgentsItem> = {
  modelData: {
    input: I[];
    instructions?: string;
  };
  agent?: object;
  context?: unknown;
};

type OpenAiAgentsItem = object;

type PeerCallRule =
  | "identical_calls"
  | "identical_calls_limit"
  | "identical_calls_thresholds"
  | "repeated_cycle"
  | "monitored_calls";

type PeerProfile = "gemini-cli" | "deepv" | "roo" | "cline";

type PeerTextRule = "repeated_windows";

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

interface TextLoopReport extends LoopReportFields {
  type: TextLoopType;
  rule: TextRule | PeerTextRule;
  channel: Channel;
  tool?: never;
  callKey?: never;
}

type TextLoopType = "chanting_identical_sentences" | "monologue";

type TextRule = "idle_messages" | "repeated_passages";

type Wasted = {
  calls: number;
  characters: number;
};

interface WatchOptions {
  mode?: Mode;
  dedupe?: boolean;
  onLoopDetected?: LoopListener;
  onStop?: (message: string) => void;
}

declare function turnkeeperFilter(options?: WatchOptions): <I extends OpenAiAgentsItem>({
  modelData,
  agent,
}: OpenAiAgentsCall<I>) => {
  input: I[];
  instructions?: string;
};

export { LoopStopped };

export { WatchOptions };

export { turnkeeperFilter };
