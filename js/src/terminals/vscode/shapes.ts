// What the terminals of VS Code look like to this package, and what it hands out.
//
// The shapes of VS Code are this package's own and say no more than it needs, so that it depends on
// no version of `vscode`, which the host hands in.

import type { Shell, TerminalChoice } from "../../boundary/generated/shapes.js";
import type { TerminalSelector } from "../terminal-selector.js";

/** What is needed of a `TerminalSelector`: any object that has these members of it. */
export type VscodeSelector = Pick<
  TerminalSelector,
  "register" | "update" | "select" | "cancel" | "terminals"
>;

/** What can be taken back. */
export interface VscodeDisposable {
  dispose(): unknown;
}

/** An event that listeners are told of. */
export type VscodeEvent<T> = (listener: (event: T) => unknown) => VscodeDisposable;

/** A command that a shell runs. */
export interface VscodeExecution {
  read(): AsyncIterable<string>;
}

/** What VS Code knows of a terminal whose shell reports to it. */
export interface VscodeShellIntegration {
  readonly cwd: { readonly fsPath: string } | undefined;
  executeCommand(commandLine: string): VscodeExecution;
}

/** A terminal. */
export interface VscodeTerminal {
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

/** Terminals, and what happens to them. */
export interface VscodeWindow {
  readonly terminals: readonly VscodeTerminal[];
  createTerminal(options: VscodeTerminalOptions): VscodeTerminal;
  readonly onDidOpenTerminal: VscodeEvent<VscodeTerminal>;
  readonly onDidCloseTerminal: VscodeEvent<VscodeTerminal>;
  /** Without it, what a shell is may be learnt later. */
  readonly onDidChangeTerminalState?: VscodeEvent<VscodeTerminal>;
  readonly onDidChangeTerminalShellIntegration: VscodeEvent<{ readonly terminal: VscodeTerminal }>;
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

/** The module `vscode`, as far as it is needed; version 1.93 or newer. */
export interface Vscode {
  readonly window: VscodeWindow;
}

/** With what a terminal is made; VS Code's own options with these names. */
export interface VscodeTerminalOptions {
  name?: string;
  cwd?: string;
  shellPath?: string;
  shellArgs?: string[] | string;
  env?: Record<string, string | null | undefined>;
  hideFromUser?: boolean;
  isTransient?: boolean;
}

/** What an extension does to a variable of the terminals' environment. */
export interface VscodeEnvironmentMutator {
  readonly type: number;
  readonly value: string;
}

/** The settings of {@link connectVscodeTerminals}. */
export interface VscodeTerminalsOptions {
  /** By this name the selector knows the terminals; `"vscode"`. */
  provider?: string;
  /**
   * So long, in milliseconds, a new terminal may take until its shell reports to VS Code; 5,000.
   * After that its commands are typed in, and nothing is known of how they end unless it reports later.
   * If it does, the next terminals with the same `shellPath` may take twice as long as that did, up to twelve
   * times this limit.
   */
  shellIntegrationTimeout?: number;
  /**
   * The extension's own collection, `context.environmentVariableCollection`. A terminal has what was
   * in it when the terminal was made; what has changed since is told to the selector, so that requests
   * with `cleanEnvironment` leave the terminal out. Other changes of environments VS Code does not tell.
   */
  environmentVariableCollection?: Iterable<readonly [string, VscodeEnvironmentMutator]>;
  /** So much of a command's output, in UTF-16 code units, is kept: the newest; 1,000,000. */
  maxOutput?: number;
  /**
   * With what a terminal is made, beside its directory; `{ name: "Agent" }`. A function is asked
   * for each terminal; those are not found again after the window was reloaded, which is done by
   * their name, too.
   */
  terminal?: VscodeTerminalOptions | ((request: VscodeRunRequest) => VscodeTerminalOptions);
}

/** A command, and where it is to run. */
export interface VscodeRunRequest {
  /** One line or several, in the words of the terminal's shell. */
  command: string;
  /** The directory that it is to run in, absolute. Left out, it is where the task left off. */
  workingDirectory?: string;
  /** The task whose terminals are preferred. */
  taskId?: string;
  /** The shell that the command is written for. A new terminal is made with it. */
  shell?: Shell;
  /** Whether terminals whose environment has changed are left out; true for what another task had. */
  cleanEnvironment?: boolean;
  /** Is told of each piece of output as it comes, escape sequences included; of a `later` result's, too. */
  onOutput?: (data: string) => void;
  /**
   * Ends the command with an interrupt, as a user does with Ctrl+C. One that was typed in is interrupted
   * as soon as its shell has reported that it began.
   */
  signal?: AbortSignal;
}

/** What is known of a terminal that is handed over. */
export interface VscodeAdoption {
  /** Its working directory; by default, what its shell says. */
  workingDirectory?: string;
  /** The task that it is bound to. */
  taskId?: string;
  /** What it runs, by its name or its path; by default, what VS Code says. */
  shell?: Shell | (string & {});
}

/** What became of a command. */
export interface VscodeRunResult {
  /**
   * `exited`: it ended. `sent`: it was typed into a terminal whose shell does not report, or not
   * yet, and nothing more is known; see `later`. `closed`: its terminal was closed first. `aborted`: it was interrupted.
   * `failed`: it could not be sent to two terminals in turn.
   */
  outcome: "exited" | "sent" | "closed" | "aborted" | "failed";
  /** As the shell says; undefined where it is not known. */
  exitCode: number | undefined;
  /** The text that it printed, without escape sequences, its lines ended by `\n`. */
  output: string;
  /** The UTF-16 code units of older output that were left out of it. */
  omitted: number;
  /** The selector's number of the terminal. */
  terminalId: number;
  /** Where it ran. */
  terminal: VscodeTerminal;
  /** Why there. */
  choice: TerminalChoice;
  /**
   * Of `sent`, what becomes of the command if its shell reports after all; undefined of any other outcome.
   * Resolves, and never rejects:
   *
   * - to `exited` when the command has ended, with its exit code, and with as much of its output as VS Code
   *   still hands out, which may be none of a quick command. If the shell's first report comes when the command
   *   is over, the exit code is undefined, and this takes 5 seconds;
   * - to `closed`, `aborted` or, when another command was sent to the terminal, `sent`.
   *
   * While nothing is known it is pending: in a shell that never reports, as long as its terminal is open.
   */
  later: Promise<VscodeRunResult> | undefined;
}

/** A command that runs: await it for its result, or iterate over what it prints. */
export type VscodeRun = PromiseLike<VscodeRunResult> &
  AsyncIterable<string> & {
    /** The same as a promise. */
    readonly result: Promise<VscodeRunResult>;
  };

/** Terminals that are kept true in a selector, and the commands that run in them. */
export interface VscodeTerminals extends VscodeDisposable {
  /**
   * Runs a command in the terminal that the selector chooses, or in a new one. If a command cannot
   * be sent to that, another one is chosen, once.
   *
   * The result comes when the command has ended, and the terminal may be chosen again then. A
   * command that was only typed in leaves its terminal busy, since nobody can tell when it ends.
   * If its shell reports later, however late that is, the terminal may be chosen again when the command has
   * ended, and {@link VscodeRunResult.later} tells how. Otherwise a host that can tell says so with
   * `selector.update(id, { busy: false })`. Under a limit such a terminal is the first to be closed.
   *
   * Terminals that the choice names for closing are disposed of. Where the choice is to wait, the
   * command waits until there is room; if `signal` is aborted first, the result is rejected with the
   * signal's reason, and with `disposed` if these terminals are.
   *
   * The result is rejected with a `TurnkeeperError`: the selector's, such as `invalid_argument` for
   * a directory that is not absolute, or `host_failed` with VS Code's own as its `cause`.
   */
  run(request: VscodeRunRequest): VscodeRun;
  /**
   * Hands a terminal over that the host made itself. Resolves to the selector's number of it, which
   * is the number of its process.
   */
  adopt(terminal: VscodeTerminal, adoption?: VscodeAdoption): Promise<number>;
  /** The terminal with that number, if it is open. */
  terminal(id: number): VscodeTerminal | undefined;
  /**
   * Settled when the terminals of a restored selector have been found again. {@link run} waits for
   * it by itself.
   */
  readonly ready: Promise<void>;
  /**
   * Stops listening. The terminals stay; whoever waits for a command gets `aborted`, also as a `later`
   * result, and whoever waits for a terminal a `disposed` error.
   */
  dispose(): void;
  [Symbol.dispose](): void;
}
