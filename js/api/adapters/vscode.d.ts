// What turnkeeper/adapters/vscode exports, and the types that this needs.
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

interface AnyMessage<H extends object = object> {
  readonly role?: unknown;
  readonly content?: unknown;
  readonly [HOST]?: H;
}

declare const DISPOSE: typeof Symbol.dispose;

type DirectoryCertainty = "reported" | "expected" | "uncertain";

declare const HOST: unique symbol;

declare abstract class Machine {
  #private;
  dispose(): void;
  [DISPOSE](): void;
}

interface Message<H extends object = object> {
  readonly role: string;
  readonly content: string | readonly MessagePart[];
  readonly [HOST]?: H;
}

interface MessagePart {
  readonly type?: string;
  readonly text?: string;
  readonly thinking?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly tool_use_id?: string;
  readonly content?: string | readonly MessagePart[];
  readonly is_error?: boolean;
  readonly [field: string]: unknown;
}

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

type StreamAdapter<T> = (event: T) => AgentEvent | readonly AgentEvent[] | undefined;

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

interface Vscode {
  readonly window: VscodeWindow;
}

interface VscodeAdoption {
  workingDirectory?: string;
  taskId?: string;
  shell?: Shell | (string & {});
}

interface VscodeChat {
  readonly LanguageModelChatMessage: new (role: any, content: any) => object;
  readonly LanguageModelTextPart: new (value: string) => object;
  readonly LanguageModelToolCallPart: new (callId: string, name: string, input: object) => object;
  readonly LanguageModelToolResultPart: new (callId: string, content: any[]) => object;
  readonly LanguageModelDataPart?: new (data: any, mimeType: string) => object;
}

interface VscodeDisposable {
  dispose(): unknown;
}

interface VscodeEnvironmentMutator {
  readonly type: number;
  readonly value: string;
}

type VscodeEvent<T> = (listener: (event: T) => unknown) => VscodeDisposable;

interface VscodeExecution {
  read(): AsyncIterable<string>;
}

type VscodeRun = PromiseLike<VscodeRunResult> &
  AsyncIterable<string> & {
    readonly result: Promise<VscodeRunResult>;
  };

interface VscodeRunRequest {
  command: string;
  workingDirectory?: string;
  taskId?: string;
  shell?: Shell;
  cleanEnvironment?: boolean;
  onOutput?: (data: string) => void;
  signal?: AbortSignal;
}

interface VscodeRunResult {
  outcome: "exited" | "sent" | "closed" | "aborted" | "failed";
  exitCode: number | undefined;
  output: string;
  omitted: number;
  terminalId: number;
  terminal: VscodeTerminal;
  choice: TerminalChoice;
  later: Promise<VscodeRunResult> | undefined;
}

type VscodeSelector = Pick<
  TerminalSelector,
  "register" | "update" | "select" | "cancel" | "terminals"
>;

interface VscodeShellIntegration {
  readonly cwd:
    | {
        readonly fsPath: string;
      }
    | undefined;
  executeCommand(commandLine: string): VscodeExecution;
}

interface VscodeTerminal {
  readonly name: string;
  readonly processId: PromiseLike<number | undefined>;
  readonly creationOptions: object;
  readonly exitStatus: object | undefined;
  readonly shellIntegration: VscodeShellIntegration | undefined;
  readonly state: object;
  sendText(text: string, shouldExecute?: boolean): void;
  show(preserveFocus?: boolean): void;
  dispose(): void;
}

interface VscodeTerminalOptions {
  name?: string;
  cwd?: string;
  shellPath?: string;
  shellArgs?: string[] | string;
  env?: Record<string, string | null | undefined>;
  hideFromUser?: boolean;
  isTransient?: boolean;
}

interface VscodeTerminals extends VscodeDisposable {
  run(request: VscodeRunRequest): VscodeRun;
  adopt(terminal: VscodeTerminal, adoption?: VscodeAdoption): Promise<number>;
  terminal(id: number): VscodeTerminal | undefined;
  readonly ready: Promise<void>;
  dispose(): void;
  [Symbol.dispose](): void;
}

interface VscodeTerminalsOptions {
  provider?: string;
  shellIntegrationTimeout?: number;
  environmentVariableCollection?: Iterable<readonly [string, VscodeEnvironmentMutator]>;
  maxOutput?: number;
  terminal?: VscodeTerminalOptions | ((request: VscodeRunRequest) => VscodeTerminalOptions);
}

interface VscodeWindow {
  readonly terminals: readonly VscodeTerminal[];
  createTerminal(options: VscodeTerminalOptions): VscodeTerminal;
  readonly onDidOpenTerminal: VscodeEvent<VscodeTerminal>;
  readonly onDidCloseTerminal: VscodeEvent<VscodeTerminal>;
  readonly onDidChangeTerminalState?: VscodeEvent<VscodeTerminal>;
  readonly onDidChangeTerminalShellIntegration: VscodeEvent<{
    readonly terminal: VscodeTerminal;
  }>;
  readonly onDidStartTerminalShellExecution: VscodeEvent<{
    readonly terminal: VscodeTerminal;
    readonly execution: VscodeExecution;
  }>;
  readonly onDidEndTerminalShellExecution: VscodeEvent<{
    readonly terminal: VscodeTerminal;
    readonly execution: VscodeExecution;
    readonly exitCode: number | undefined;
  }>;
}

declare function connectVscodeTerminals(
  vscode: Vscode,
  selector: VscodeSelector,
  options?: VscodeTerminalsOptions,
): VscodeTerminals;

declare function fromMessages<H extends object>(messages: readonly H[]): Message<H>[];

declare function streamAdapter(): StreamAdapter<unknown>;

declare function toMessages<H extends object = any>(
  messages: readonly AnyMessage<H>[],
  vscode?: VscodeChat,
): H[];

export { Message };

export { MessagePart };

export { VscodeRunResult };

export { VscodeTerminals };

export { VscodeTerminalsOptions };

export { connectVscodeTerminals };

export { fromMessages };

export { streamAdapter };

export { toMessages };
