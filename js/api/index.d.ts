// What turnkeeper exports, and the types that this needs.
// Written by `cargo xtask api`. Do not edit.

type AdapterOption<T> = [T] extends [AgentEvent]
  ? {
      adapter?: StreamAdapter<T>;
    }
  : {
      adapter: StreamAdapter<T>;
    };

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

declare class AgentSession extends Machine {
  #private;
  constructor(options: AgentSessionOptions);
  get loop(): LoopDetector;
  get assembler(): GhostBlockAssembler;
  get terminals(): TerminalSelector;
  get summaries(): SummaryInjector;
  beginTurn(turn: {
    prompt: string;
    promptId?: string;
    task?: string | null;
    model?: string;
  }): number;
  assemble(
    host: AssemblerHost,
    options?: {
      environment?: string;
      signal?: AbortSignal;
    },
  ): Promise<{
    role: "user";
    content: AssembledPrompt["parts"];
  }>;
  buildPrompt<P extends Phase>(phase: P, parts: PromptParts): TurnPrompt<P>;
  guard<T>(stream: AsyncIterable<T>, options: SessionGuardOptions<T>): GuardedStream<T>;
  selectTerminal(request: TerminalRequest): TerminalChoice;
  dispose(): void;
  endTurn(result?: { summary?: string; insights?: string[] }): void;
  get log(): readonly SessionLogEntry[];
  snapshot(): Uint8Array & {
    readonly snapshotOf?: "agent_session";
  };
  static restore(snapshot: Snapshot<"agent_session">, options?: Restored): AgentSession;
}

interface AgentSessionOptions {
  assembler: AssemblerOptions;
  terminals: TerminalSelectorOptions | TerminalSelector;
  taskId?: string;
  loop?: LoopDetectorOptions;
  summaries?: SummaryInjectorOptions;
  environmentTags?: string[];
  environmentSeparator?: string;
}

interface AssembledPrompt {
  text: string;
  block: string;
  parts: (
    | {
        type: "text";
        text: string;
      }
    | {
        type: "image";
        alt: string;
        mediaType: string;
        data: string;
      }
  )[];
  items: readonly ContextItem[];
  omitted: readonly string[];
  diagnostics: Diagnostic[];
}

interface AssemblerHost {
  readFile(request: {
    path: string;
    startLine?: number;
    endLine?: number;
    knownVersion?: string;
  }): Promise<
    | string
    | {
        content: string;
        version?: string;
      }
    | {
        unchanged: true;
      }
    | {
        missing: true;
      }
    | {
        denied: string;
      }
  >;
  runTool?(request: { name: string; args: object }): Promise<string>;
  readImage?(request: { uri: string }): Promise<{
    mediaType: string;
    data: string;
  }>;
  listDirectory?(request: { path: string }): Promise<string>;
}

interface AssemblerOptions extends AssemblerOptions$1 {
  countTokens?: (text: string) => number;
}

type AssemblerOptions$1 = {
  root: string;
  allowedRoots?: Array<string>;
  workspaceFolders?: Record<string, string>;
  platform?: PathPlatform | PosixSystem;
  tools?: Array<string>;
  macros?: Record<string, string>;
  placement?: Placement;
  rememberTools?: RememberTools;
  maxTokens?: number;
  trustFiles?: boolean;
  remoteImages?: boolean;
  referencesInCode?: boolean;
  maxDepth?: number;
  maxItems?: number;
  maxItemBytes?: number;
  maxTotalBytes?: number;
  maxMacroExpansions?: number;
};

interface BlockOptions {
  tags?: string[];
  embedded?: boolean;
}

type CachePrices = {
  read?: number;
  write?: number;
};

type CacheState = {
  idleMs: number;
  lifetimeMs?: number;
  requests?: number;
  prices?: CachePrices;
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

type CheckWithModel = (
  request: ModelCheckRequest,
  options: {
    signal: AbortSignal;
  },
) => Promise<unknown>;

type ContextItem = {
  type: ItemType;
  key: string;
  content?: string;
  error?: string;
  args?: object;
  from: ItemOrigin;
};

type CopySource = "read" | "edit" | "mention";

type CoreErrorCode =
  | "invalid_config"
  | "invalid_argument"
  | "limit_exceeded"
  | "wrong_order"
  | "unknown_id"
  | "snapshot_corrupt"
  | "snapshot_version"
  | "wrong_machine";

type CoreReport = DedupeReport$1;

type Counts = {
  tool?: string;
  run: number;
  threshold: number;
};

type CurrentTurn = {
  number: number;
  task?: string;
  workspace?: string;
};

declare const DISPOSE: typeof Symbol.dispose;

type DedupeChange = {
  index: number;
  blocks: number;
  characters: number;
  tokens: number;
  reason: DedupeReason;
};

type DedupeKinds = {
  duplicate: KindTotals;
  environment: KindTotals;
  file: KindTotals;
  result: KindTotals;
  write: KindTotals;
};

type DedupeOptions = {
  tags?: Array<string>;
  embedded?: boolean;
  keep?: KeepBlock;
  recent?: number;
  sections?: KeepSections;
  files?: KeepFiles;
  writes?: boolean;
  repeatedResults?: boolean;
  readTools?: Record<string, string>;
  root?: string;
  economy?: Economy;
  targetTokens?: number;
  cache?: CacheState;
};

type DedupeReason = "moved" | "duplicates" | "sections" | "recent" | "results" | "writes" | "files";

interface DedupeReport extends CoreReport {
  files: SupersededFile[];
  results: SupersededResult[];
  undo: (UndoneMessage | UndoneContent)[];
}

type DedupeReport$1 = {
  messagesChanged: number;
  blocksRemoved: number;
  charactersSaved: number;
  tokensSaved: number;
  kinds: DedupeKinds;
  changes: Array<DedupeChange>;
  waiting: DedupeWaiting;
};

type DedupeWaiting = {
  blocks: number;
  shortened: number;
  files: number;
  results: number;
  characters: number;
  tokens: number;
};

type Diagnostic = {
  severity: Severity;
  code: DiagnosticCode;
  message: string;
  line: number;
  column: number;
  source?: string;
};

type DiagnosticCode = PromptDiagnosticCode | SummaryDiagnosticCode;

type DirectoryCertainty = "reported" | "expected" | "uncertain";

type Economy = "resume" | "compact";

interface EnvironmentChange {
  blocks: number;
  characters: number;
}

interface EnvironmentOptions extends BlockOptions {
  onExisting?: "replace" | "keep";
  separator?: string;
  onChange?: (change: EnvironmentChange) => void;
}

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

declare class GhostBlockAssembler extends Machine {
  #private;
  constructor(options: AssemblerOptions);
  setRules(
    rules: readonly {
      name: string;
      content: string;
      path?: string;
    }[],
  ): void;
  inspect(prompt: string): {
    references: Reference[];
    diagnostics: Diagnostic[];
  };
  assemble(
    prompt: string,
    host: AssemblerHost,
    options?: {
      signal?: AbortSignal;
    },
  ): Promise<AssembledPrompt>;
  resolve(
    prompt: string,
    host: AssemblerHost,
    options?: {
      signal?: AbortSignal;
    },
  ): Promise<{
    items: readonly ContextItem[];
    diagnostics: Diagnostic[];
  }>;
  preprocess(
    text: string,
    macros?: Readonly<Record<string, string>>,
  ): {
    text: string;
    diagnostics: Diagnostic[];
  };
  expandDocument(
    text: string,
    host: AssemblerHost,
    options?: {
      signal?: AbortSignal;
    },
  ): Promise<{
    content: string;
    diagnostics: Diagnostic[];
  }>;
  prepareSkill(
    text: string,
    host: AssemblerHost,
    options?: {
      signal?: AbortSignal;
    },
  ): Promise<PreparedSkill>;
  scanHistory(messages: readonly ProviderMessage[]): number;
  get historyDiagnostics(): readonly Diagnostic[];
  get items(): readonly ContextItem[];
  get macros(): Readonly<Record<string, string>>;
  forget(key: string): boolean;
  snapshot(): Uint8Array & {
    readonly snapshotOf?: "ghost_block_assembler";
  };
  static restore(
    snapshot: Snapshot<"ghost_block_assembler">,
    options?: Pick<AssemblerOptions, "countTokens">,
  ): GhostBlockAssembler;
  dispose(): void;
}

interface GuardSettings {
  onLoopDetected: LoopListener;
  abort?: AbortController;
  checkWithModel?: CheckWithModel;
}

type GuardStreamOptions<T> = GuardSettings & AdapterOption<T>;

interface GuardedStream<T> extends AsyncGenerator<T, void, void> {
  result(result: ToolResult): LoopVerdict;
}

declare class HistoryDeduper extends Machine {
  #private;
  constructor(options?: DedupeOptions);
  push<M extends ProviderMessage>(message: M): M;
  get report(): DedupeReport;
}

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

type ItemOrigin = {
  source: OriginSource;
  name?: string;
  path?: string;
  firstTurn: number;
  lastTurn: number;
};

type ItemType = "file" | "tool" | "rule";

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

type KeepBlock = "last" | "first";

type KeepFiles = "all" | "newest";

type KeepSections = "all" | "changed";

type KindTotals = {
  items: number;
  characters: number;
  tokens: number;
  requestCharacters: number;
};

type Lack = "calls" | "arguments" | "results" | "prompts" | "events";

interface LoopDetectedEvent {
  type: "loop_detected";
  verdict: Exclude<
    LoopVerdict,
    {
      action: "ok";
    }
  >;
}

declare class LoopDetector extends Machine {
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
  static restore(snapshot: Snapshot<"loop_detector">): LoopDetector;
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

type OriginSource = "prompt" | "rule" | "history";

type PathOptions = {
  platform?: PathPlatform | PosixSystem;
  caseSensitive?: boolean;
};

type PathPlatform = "posix" | "win32";

type PathRelation = "same" | "parent" | "child" | "unrelated";

type PeerCallRule =
  | "identical_calls"
  | "identical_calls_limit"
  | "identical_calls_thresholds"
  | "repeated_cycle"
  | "monitored_calls";

type PeerProfile = "gemini-cli" | "deepv" | "roo" | "cline";

type PeerTextRule = "repeated_windows";

type Phase = "thinking" | "action";

type Placement = "latest" | "delta";

type PosixSystem =
  | "aix"
  | "android"
  | "cygwin"
  | "darwin"
  | "freebsd"
  | "haiku"
  | "linux"
  | "netbsd"
  | "openbsd"
  | "sunos";

type PreparedSkill = {
  content: string;
  description: string;
  params: Array<string>;
  diagnostics: Array<Diagnostic>;
};

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

type PromptInfo = {
  id?: string;
  ids: Array<string>;
  model?: string;
  isPreview: boolean;
  calls: number;
};

interface PromptParts {
  capability: string;
  direction: string;
  workspace: string;
}

type ProviderMessage = {
  readonly role?: unknown;
  readonly content?: unknown;
  readonly parts?: unknown;
  readonly type?: unknown;
};

type Reachable = "related" | "anywhere";

type Reference = {
  kind: ReferenceKind;
  start: number;
  end: number;
  path?: string;
  startLine?: number;
  endLine?: number;
  name?: string;
};

type ReferenceKind = "file" | "tool" | "image" | "macro";

type RememberTools = "always" | "last" | "never";

interface Restored {
  countTokens?: AssemblerOptions["countTokens"];
  terminals?: TerminalSelector;
}

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

type SessionGuardOptions<T> = Omit<GuardSettings, "onLoopDetected"> &
  Partial<Pick<GuardSettings, "onLoopDetected">> &
  AdapterOption<T>;

type SessionLogEntry = {
  turn: number;
  machine: string;
  what: string;
  why: string;
  detail?: unknown;
};

type Severity = "error" | "warning";

type Shell = "bash" | "zsh" | "sh" | "fish" | "pwsh" | "powershell" | "cmd" | "nu";

type Snapshot<Name extends string> = Uint8Array & {
  readonly snapshotOf?: Name;
};

type StreamAdapter<T> = (event: T) => AgentEvent | readonly AgentEvent[] | undefined;

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

type SupersededFile = {
  kind: Exclude<SupersededKind, "result">;
  from: CopySource;
  path: string;
  index: number;
  part: number;
  characters: number;
  newest: number;
};

type SupersededKind = "file" | "write" | "result";

type SupersededResult = Omit<SupersededFile, "kind" | "from" | "path">;

type TerminalChange = {
  closed?: true;
  taskId?: string | null;
  reset?: true;
  failed?: true;
  environment?: Array<string>;
  workingDirectory?: string | null;
  busy?: boolean;
  unobserved?: true;
};

type TerminalChoice =
  | {
      action: "reuse";
      terminalId: number;
      tier: 1 | 3;
      relation: "same";
      directory: "reported";
      changesLeft: number;
      close?: Array<number>;
      command: string;
      reason: string;
    }
  | {
      action: "reuse_with_cd";
      terminalId: number;
      tier: 1 | 2 | 3 | 4;
      relation: PathRelation;
      directory: DirectoryCertainty;
      changesLeft: number;
      close?: Array<number>;
      command: string;
      reason: string;
    }
  | {
      action: "create";
      terminalId?: undefined;
      tier?: undefined;
      relation?: undefined;
      directory?: undefined;
      changesLeft?: undefined;
      close?: Array<number>;
      workingDirectory: string;
      command: string;
      reason: string;
    }
  | {
      action: "wait";
      terminalId?: undefined;
      tier?: undefined;
      relation?: undefined;
      directory?: undefined;
      changesLeft?: undefined;
      close?: undefined;
      waitFor: Array<number>;
      command: string;
      reason: string;
    };

type TerminalRegistration = {
  id: number;
  provider: string;
  shell?: Shell | (string & {});
  workingDirectory?: string | null;
  taskId?: string;
  busy?: boolean;
};

type TerminalRequest = {
  command?: string;
  workingDirectory?: string;
  terminalId?: number;
  taskId?: string;
  provider: string;
  shell?: Shell;
  cleanEnvironment?: boolean;
};

declare class TerminalSelector extends Machine {
  #private;
  constructor(options: TerminalSelectorOptions);
  register(terminal: TerminalRegistration): void;
  sync(terminals: readonly TerminalRegistration[]): readonly {
    id: number;
    field: string;
    message: string;
  }[];
  update(id: number, change: TerminalChange): void;
  releaseTask(taskId: string): void;
  cancel(terminalId: number): void;
  select(request: TerminalRequest): TerminalChoice;
  get terminals(): readonly TerminalState[];
  get log(): readonly TerminalChoice[];
  snapshot(): Uint8Array & {
    readonly snapshotOf?: "terminal_selector";
  };
  static restore(snapshot: Snapshot<"terminal_selector">): TerminalSelector;
}

type TerminalSelectorOptions = {
  platform: PathPlatform | PosixSystem;
  caseSensitive?: boolean;
  maxDirectoryChanges?: number;
  stealFromOtherTasks?: boolean;
  maxTerminals?: number;
  reachable?: Reachable;
};

type TerminalState = {
  id: number;
  provider: string;
  shell?: Shell | "other";
  busy: boolean;
  failed: boolean;
  taskId?: string;
  workingDirectory?: string;
  directory?: DirectoryCertainty;
  closing: boolean;
  directoryChanges: number;
  environment: Array<string>;
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

type ToolCallRecord = {
  name: string;
  turn?: number;
  [field: string]: unknown;
};

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

type ToolResult = Omit<
  Extract<
    AgentEvent,
    {
      type: "tool_result";
    }
  >,
  "type"
>;

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

interface UndoneContent {
  index: number;
  field?: "content" | "parts" | "output" | "tool_calls" | "arguments";
  content: UndoneText | string | UndonePart[];
  hash: string;
}

interface UndoneMessage {
  index: number;
  message: unknown;
}

type UndonePart =
  | {
      kept: number;
    }
  | {
      part: unknown;
    };

interface UndoneText {
  start: number;
  end: number;
  was: string;
}

type Wasted = {
  calls: number;
  characters: number;
};

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

declare function dedupeHistory<M extends ProviderMessage>(
  messages: readonly M[],
  options?: DedupeOptions,
): {
  messages: M[];
  report: DedupeReport;
};

declare function guardStream<T>(
  source: AsyncIterable<T>,
  detector: LoopDetector,
  options: GuardStreamOptions<T>,
): GuardedStream<T>;

declare function pathRelation(a: string, b: string, options?: PathOptions): PathRelation;

declare function preload(): Promise<void>;

declare function restoreHistory<M extends ProviderMessage>(
  messages: readonly M[],
  report: DedupeReport,
): M[];

declare function stripEnvironment<C>(
  content: C,
  options?: BlockOptions & Pick<EnvironmentOptions, "separator">,
): C;

declare function stripGhostBlocks<M extends ProviderMessage>(messages: readonly M[]): M[];

declare function withEnvironment<C>(content: C, details: string, options?: EnvironmentOptions): C;

export { AgentEvent };

export { AgentSession };

export { AgentSessionOptions };

export { AssembledPrompt };

export { AssemblerHost };

export { AssemblerOptions };

export { ContextItem };

export { Counts };

export { CurrentTurn };

export { DedupeOptions };

export { DedupeReport };

export { Diagnostic };

export { ErrorCode };

export { FoldRequest };

export { GhostBlockAssembler };

export { GuardStreamOptions };

export { GuardedStream };

export { HistoryDeduper };

export { Lack };

export { LoopDetectedEvent };

export { LoopDetector };

export { LoopDetectorOptions };

export { LoopProfile };

export { LoopReport };

export { LoopType };

export { LoopVerdict };

export { ModelCheckRequest };

export { PathRelation };

export { PreparedSkill };

export { PromptInfo };

export { Reference };

export { SessionLogEntry };

export { Shell };

export { StreamAdapter };

export { SummaryInjector };

export { SummaryInjectorOptions };

export { SummaryLogEntry };

export { SummaryRequest };

export { SupersededFile };

export { TerminalChange };

export { TerminalChoice };

export { TerminalRegistration };

export { TerminalRequest };

export { TerminalSelector };

export { TerminalSelectorOptions };

export { TerminalState };

export { ToolCallRecord };

export { ToolResult };

export { TurnPrompt };

export { TurnRecord };

export { TurnkeeperError };

export { WorkLedger };

export { dedupeHistory };

export { guardStream };

export { pathRelation };

export { preload };

export { restoreHistory };

export { stripEnvironment };

export { stripGhostBlocks };

export { withEnvironment };
