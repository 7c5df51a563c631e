// What turnkeeper/history-deduper exports, and the types that this needs.
// Written by `cargo xtask api`. Do not edit.

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

declare class HistoryDeduper extends Machine {
  #private;
  constructor(options?: DedupeOptions);
  push<M extends ProviderMessage>(message: M): M;
  get report(): DedupeReport;
}

type KeepBlock = "last" | "first";

type KeepFiles = "all" | "newest";

type KeepSections = "all" | "changed";

type KindTotals = {
  items: number;
  characters: number;
  tokens: number;
  requestCharacters: number;
};

declare abstract class Machine {
  #private;
  dispose(): void;
  [DISPOSE](): void;
}

type ProviderMessage = {
  readonly role?: unknown;
  readonly content?: unknown;
  readonly parts?: unknown;
  readonly type?: unknown;
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

declare function dedupeHistory<M extends ProviderMessage>(
  messages: readonly M[],
  options?: DedupeOptions,
): {
  messages: M[];
  report: DedupeReport;
};

declare function preload(): Promise<void>;

declare function restoreHistory<M extends ProviderMessage>(
  messages: readonly M[],
  report: DedupeReport,
): M[];

declare function stripEnvironment<C>(
  content: C,
  options?: BlockOptions & Pick<EnvironmentOptions, "separator">,
): C;

declare function withEnvironment<C>(content: C, details: string, options?: EnvironmentOptions): C;

export { DedupeOptions };

export { DedupeReport };

export { HistoryDeduper };

export { SupersededFile };

export { TurnkeeperError };

export { dedupeHistory };

export { preload };

export { restoreHistory };

export { stripEnvironment };

export { withEnvironment };
