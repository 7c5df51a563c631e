// What turnkeeper/ghost-block exports, and the types that this needs.
// Written by `cargo xtask api`. Do not edit.

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

type ContextItem = {
  type: ItemType;
  key: string;
  content?: string;
  error?: string;
  args?: object;
  from: ItemOrigin;
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

type ItemOrigin = {
  source: OriginSource;
  name?: string;
  path?: string;
  firstTurn: number;
  lastTurn: number;
};

type ItemType = "file" | "tool" | "rule";

declare abstract class Machine {
  #private;
  dispose(): void;
  [DISPOSE](): void;
}

type OriginSource = "prompt" | "rule" | "history";

type PathPlatform = "posix" | "win32";

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

type ProviderMessage = {
  readonly role?: unknown;
  readonly content?: unknown;
  readonly parts?: unknown;
  readonly type?: unknown;
};

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

type Severity = "error" | "warning";

type Snapshot<Name extends string> = Uint8Array & {
  readonly snapshotOf?: Name;
};

type SummaryDiagnosticCode =
  "unreadable_summary" | "unreadable_field" | "goal_dropped" | "no_open_point" | "summary_too_long";

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

declare function preload(): Promise<void>;

declare function stripGhostBlocks<M extends ProviderMessage>(messages: readonly M[]): M[];

export { AssembledPrompt };

export { AssemblerHost };

export { AssemblerOptions };

export { ContextItem };

export { Diagnostic };

export { GhostBlockAssembler };

export { PreparedSkill };

export { Reference };

export { TurnkeeperError };

export { preload };

export { stripGhostBlocks };
