// What turnkeeper/terminal-selector exports, and the types that this needs.
// Written by `cargo xtask api`. Do not edit.

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

type DirectoryCertainty = "reported" | "expected" | "uncertain";

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

declare abstract class Machine {
  #private;
  dispose(): void;
  [DISPOSE](): void;
}

type PathOptions = {
  platform?: PathPlatform | PosixSystem;
  caseSensitive?: boolean;
};

type PathPlatform = "posix" | "win32";

type PathRelation = "same" | "parent" | "child" | "unrelated";

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

type Reachable = "related" | "anywhere";

type Shell = "bash" | "zsh" | "sh" | "fish" | "pwsh" | "powershell" | "cmd" | "nu";

type Snapshot<Name extends string> = Uint8Array & {
  readonly snapshotOf?: Name;
};

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

declare function pathRelation(a: string, b: string, options?: PathOptions): PathRelation;

declare function preload(): Promise<void>;

export { PathRelation };

export { Shell };

export { TerminalChange };

export { TerminalChoice };

export { TerminalRegistration };

export { TerminalRequest };

export { TerminalSelector };

export { TerminalSelectorOptions };

export { TerminalState };

export { TurnkeeperError };

export { pathRelation };

export { preload };
