// VS Code's terminals and the selector's, side by side.

import { checkObject, invalidArgument, refusal } from "../../boundary/arguments.js";
import { TurnkeeperError } from "../../boundary/errors.js";
import type {
  Shell,
  TerminalChange,
  TerminalChoice,
  TerminalRequest,
} from "../../boundary/generated/shapes.js";
import { type Ending, Run } from "./run.js";
import { shellOf } from "./shell-of.js";
import type {
  VscodeAdoption,
  VscodeDisposable,
  VscodeEnvironmentMutator,
  VscodeRun,
  VscodeRunRequest,
  VscodeRunResult,
  VscodeSelector,
  VscodeShellIntegration,
  VscodeTerminal,
  VscodeTerminalOptions,
  VscodeTerminals,
  VscodeTerminalsOptions,
  VscodeWindow,
} from "./shapes.js";

const MACHINE = "vscode_terminals";
const PROVIDER = "vscode";
const NAME = "Agent";
const SHELL_INTEGRATION_TIMEOUT = 5_000;
const MAX_OUTPUT = 1_000_000;
/** A shell reports its directory some milliseconds after it has reported that a command ended. */
const SETTLING = 100;
/**
 * So many milliseconds a terminal that is found again may be without its name: none at first, then
 * its shell's. Only one that has another's number by chance is waited for that long.
 */
const NAMING = 5_000;
/** So many milliseconds a window that is restored may take until its terminals are there. */
const RESTORING = 8_000;
/** Milliseconds after which a request for which there was no terminal asks again, if not sooner. */
const ASKING_AGAIN = 1_000;
/** What every terminal that is made here has in its environment. */
const MARK = "TURNKEEPER_TERMINAL";

/** A new terminal whose shell is named by the request alone is made with this. */
const PROGRAMS: Partial<Record<Shell, string>> = { powershell: "powershell.exe", cmd: "cmd.exe" };

/** What a window must have; the last of them are there since VS Code 1.93. */
const NEEDED = [
  "createTerminal",
  "onDidOpenTerminal",
  "onDidCloseTerminal",
  "onDidChangeTerminalShellIntegration",
  "onDidStartTerminalShellExecution",
  "onDidEndTerminalShellExecution",
] as const;

/** Where a command can be sent. */
interface Place {
  id: number;
  terminal: VscodeTerminal;
  isNew: boolean;
}

/** What was chosen, and where that is. */
interface Chosen {
  choice: TerminalChoice;
  place: Place;
}

export class Terminals implements VscodeTerminals {
  readonly ready: Promise<void>;
  readonly #window: VscodeWindow;
  readonly #selector: VscodeSelector;
  readonly #options: VscodeTerminalsOptions;
  readonly #open = new Map<number, VscodeTerminal>();
  readonly #ids = new Map<VscodeTerminal, number>();
  readonly #runs = new Map<VscodeTerminal, Run>();
  readonly #listeners: VscodeDisposable[];
  /** What the extension did to a terminal's environment when it was made. */
  readonly #environments = new WeakMap<VscodeTerminal, Map<string, string>>();
  /** Terminals that were waited for in vain. */
  readonly #silent = new WeakSet<VscodeTerminal>();
  /** Terminals that were made here, so that the selector cannot know them from an earlier extension host. */
  readonly #made = new WeakSet<VscodeTerminal>();
  /** How many commands were begun in a terminal. */
  readonly #begun = new WeakMap<VscodeTerminal, number>();
  /** What has to be known of terminals before one is chosen. */
  readonly #unsettled = new Set<Promise<void>>();
  #isDisposed = false;
  /** Who waits for news of a terminal. */
  readonly #waiting = new Set<(terminal: VscodeTerminal | undefined) => void>();

  constructor(window: VscodeWindow, selector: VscodeSelector, options: VscodeTerminalsOptions) {
    checkObject(MACHINE, window, "vscode.window");
    for (const name of NEEDED) {
      if (typeof window[name] !== "function") {
        const must = "must be a function, which VS Code has from version 1.93 on";
        throw invalidArgument(MACHINE, `vscode.window.${name}`, must);
      }
    }
    this.#window = window;
    this.#selector = selector;
    this.#options = options;
    this.#listeners = [
      // When a window is restored, its terminals may open late.
      window.onDidOpenTerminal((terminal) => this.#wait(this.#findAgain(terminal))),
      window.onDidCloseTerminal((terminal) => this.#closed(terminal)),
      window.onDidChangeTerminalShellIntegration(({ terminal }) => this.#moved(terminal)),
      window.onDidStartTerminalShellExecution(({ terminal, execution }) => {
        this.#runs.get(terminal)?.begins(execution);
        this.#begins(terminal);
      }),
      window.onDidEndTerminalShellExecution(({ terminal, execution, exitCode }) => {
        const run = this.#runs.get(terminal);
        // A shell runs one command at a time, so that of another one this is late news.
        if (run !== undefined && run.execution !== execution) return;
        if (run?.end({ outcome: "exited", exitCode })) return;
        this.#wait(this.#settle(terminal));
      }),
    ];
    this.ready = this.#findAll();
  }

  run(request: VscodeRunRequest): VscodeRun {
    const max = this.#options.maxOutput ?? MAX_OUTPUT;
    return new Run(request, max, (run) => this.#run(run));
  }

  async adopt(terminal: VscodeTerminal, adoption: VscodeAdoption = {}): Promise<number> {
    await this.ready;
    const id = this.#ids.get(terminal) ?? (await this.#register(terminal, adoption));
    if (id === undefined) {
      throw invalidArgument(MACHINE, "terminal", "has no shell that runs");
    }
    return id;
  }

  terminal(id: number): VscodeTerminal | undefined {
    return this.#open.get(id);
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const listener of this.#listeners.splice(0)) listener.dispose();
    for (const run of this.#runs.values()) run.end({ outcome: "aborted" });
    this.#wake(undefined);
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  async #run(run: Run): Promise<VscodeRunResult> {
    // A host's object may change while this waits.
    const request = { ...run.request };
    await this.ready;
    for (let attempt = 1; ; attempt++) {
      const { choice, place } = await this.#choice(request);
      const ending = await this.#send(place, choice, run);
      if (ending !== undefined) return this.#result(run, place, choice, ending);
      this.#tell(place.terminal, { failed: true });
      if (attempt === 2) return this.#result(run, place, choice, { outcome: "failed" });
    }
  }

  /**
   * A terminal that the selector chose, or a new one. It waits for one as long as there may be no
   * more, unless the request is aborted.
   */
  async #choice(request: VscodeRunRequest): Promise<Chosen> {
    for (;;) {
      while (this.#unsettled.size > 0) await Promise.all(this.#unsettled);
      const choice = this.#choose(request);
      if (choice.action !== "wait") {
        for (const id of choice.close ?? []) this.#close(id);
        return { choice, place: this.#chosen(choice) ?? (await this.#make(request)) };
      }
      // As of any other call that takes a signal, its reason is what this throws.
      if (request.signal?.aborted) throw request.signal.reason;
      if (this.#isDisposed) {
        const message = `it was disposed of while a command waited: ${choice.reason}`;
        throw refusal("disposed", MACHINE, undefined, message);
      }
      await this.#change(request.signal);
    }
  }

  /** Closes a terminal that the selector has named. It tells of the end as of a user's. */
  #close(id: number): void {
    const terminal = this.#open.get(id);
    if (terminal !== undefined) hosted("a terminal could not be closed", () => terminal.dispose());
    // It was closed while nobody listened.
    else this.#selector.update(id, { closed: true });
  }

  /** Resolves when something happens to a terminal, or the signal is aborted. */
  #change(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#waiting.delete(end);
        signal?.removeEventListener("abort", end);
        resolve();
      };
      // A host may release a task, of which nobody here is told.
      const timer = setTimeout(end, ASKING_AGAIN);
      this.#waiting.add(end);
      signal?.addEventListener("abort", end, { once: true });
    });
  }

  /** Only among terminals that are open: one that is not was closed while nobody listened. */
  #choose(request: VscodeRunRequest): TerminalChoice {
    const { command, cwd, taskId, shell, cleanEnvironment } = request;
    const wanted: TerminalRequest = {
      command,
      workingDirectory: cwd,
      provider: this.#provider,
      ...defined({ taskId, shell, cleanEnvironment }),
    };
    for (const terminal of this.#open.values()) this.#compareEnvironment(terminal);
    for (;;) {
      const choice = this.#selector.select(wanted);
      const id = choice.terminalId;
      if (id === undefined || this.#open.has(id)) return choice;
      this.#selector.update(id, { closed: true });
    }
  }

  #chosen({ terminalId: id }: TerminalChoice): Place | undefined {
    if (id === undefined) return undefined;
    return { id, terminal: this.#open.get(id)!, isNew: false };
  }

  /** A new terminal, which is busy. */
  async #make(request: VscodeRunRequest): Promise<Place> {
    const { cwd, taskId, shell } = request;
    const { terminal: given } = this.#options;
    const own = typeof given === "function" ? given(request) : given;
    const options: VscodeTerminalOptions = { name: NAME, ...own, cwd };
    options.env = { ...options.env, [MARK]: "1" };
    if (shell !== undefined) options.shellPath ??= PROGRAMS[shell] ?? shell;
    const terminal = hosted("a terminal could not be created", () =>
      this.#window.createTerminal(options),
    );
    this.#made.add(terminal);
    // Until its shell has begun to report, others see that it is there, and nobody exceeds the limit.
    this.#wait(this.#announce(terminal, taskId));
    const id = await this.#register(terminal, { cwd, busy: true, ...defined({ taskId, shell }) });
    if (id === undefined) {
      throw refusal(
        "host_failed",
        MACHINE,
        undefined,
        "VS Code started no shell in a new terminal",
      );
    }
    return { id, terminal, isNew: true };
  }

  /** Tells the selector of a terminal of which no more is known yet. */
  async #announce(terminal: VscodeTerminal, taskId: string | undefined): Promise<void> {
    const id = await processOf(terminal);
    if (id === undefined || terminal.exitStatus !== undefined || this.#open.has(id)) return;
    if (this.#isKnown(id)) this.#selector.update(id, { closed: true });
    this.#selector.register({ id, provider: this.#provider, busy: true, ...defined({ taskId }) });
  }

  /** The terminal's number; undefined if it has no process. */
  async #register(
    terminal: VscodeTerminal,
    { cwd, taskId, shell, busy = false }: VscodeAdoption & { busy?: boolean },
  ): Promise<number | undefined> {
    const id = await processOf(terminal);
    // What it runs shows at the latest when that begins to report.
    await this.#integration(terminal);
    if (id === undefined) return undefined;
    if (terminal.exitStatus !== undefined) {
      this.#forget(id);
      return undefined;
    }
    if (cwd === undefined && terminal.shellIntegration !== undefined) {
      await this.#until(terminal, SETTLING, () => directoryOf(terminal) !== undefined);
    }
    const found = shell ?? shellOf(terminal);
    const known = cwd ?? directoryOf(terminal);
    // It was announced, or handed over before the extension host was restarted, or had its number from
    // another.
    this.#forget(id);
    this.#selector.register({
      id,
      provider: this.#provider,
      busy,
      ...defined({ taskId, workingDirectory: cwd, shell: found }),
    });
    this.#know(id, terminal);
    // What a shell reports may be no directory that can be understood.
    if (cwd === undefined) this.#tell(terminal, { workingDirectory: known ?? null });
    return id;
  }

  /** Has the selector forget a terminal unless it is one that is used. */
  #forget(id: number): void {
    if (this.#isKnown(id) && !this.#open.has(id)) this.#selector.update(id, { closed: true });
  }

  /** Undefined if the command could not be sent. */
  async #send(
    { id, terminal, isNew }: Place,
    { action, command }: TerminalChoice,
    run: Run,
  ): Promise<Ending | undefined> {
    const integration = await this.#integration(terminal);
    if (!this.#ids.has(terminal) || terminal.exitStatus !== undefined) return undefined;
    if (run.request.signal?.aborted) {
      if (isNew) this.#tell(terminal, { busy: false });
      else this.#selector.cancel(id);
      return { outcome: "aborted" };
    }
    this.#begins(terminal);
    if (integration === undefined) {
      hosted("a command could not be typed", () => terminal.sendText(command));
      this.#tell(terminal, { unobserved: true });
      return { outcome: "sent" };
    }
    this.#runs.set(terminal, run);
    const before = directoryOf(terminal);
    let ending: Ending | undefined;
    try {
      ending = await run.follow(() => integration.executeCommand(command), terminal);
    } finally {
      this.#runs.delete(terminal);
    }
    // Of another ending the end of the command is still to come.
    if (ending?.outcome === "exited") {
      // Of a line that began with a change of directory nothing had run if that had failed.
      const wasLed = action === "reuse_with_cd" && ending.exitCode === 0;
      await this.#settle(terminal, wasLed ? { from: before, to: run.request.cwd } : undefined);
    }
    return ending;
  }

  /** VS Code's hold on the shell, for which a terminal is waited for once. */
  async #integration(terminal: VscodeTerminal): Promise<VscodeShellIntegration | undefined> {
    const limit = this.#options.shellIntegrationTimeout ?? SHELL_INTEGRATION_TIMEOUT;
    const reports = () => terminal.shellIntegration !== undefined;
    if (!this.#silent.has(terminal) && !(await this.#until(terminal, limit, reports))) {
      this.#silent.add(terminal);
    }
    return terminal.shellIntegration;
  }

  /** A command has ended: the terminal is idle as soon as its shell has reported its directory. */
  async #settle(
    terminal: VscodeTerminal,
    led?: { from: string | undefined; to: string },
  ): Promise<void> {
    const begun = this.#begun.get(terminal);
    const before = directoryOf(terminal);
    if (led === undefined) {
      await this.#until(terminal, SETTLING, () => directoryOf(terminal) !== before);
    } else {
      // What comes first may be late news of the command before.
      await this.#until(terminal, 3 * SETTLING, () => directoryOf(terminal) === led.to);
    }
    // The user may have begun another one by now.
    if (this.#begun.get(terminal) !== begun) return;
    const said = directoryOf(terminal);
    // Where it was before it was led is late news, and where it was led is only expected.
    const workingDirectory = led !== undefined && said === led.from ? undefined : said;
    this.#tell(terminal, { busy: false, ...defined({ workingDirectory }) });
    this.#wake(terminal);
  }

  /** Whether it came to hold within that many milliseconds; not once the terminal is closed. */
  #until(terminal: VscodeTerminal, milliseconds: number, holds: () => boolean): Promise<boolean> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#waiting.delete(look);
        resolve(holds());
      };
      const look = (about: VscodeTerminal | undefined) => {
        if (about === terminal && (terminal.exitStatus !== undefined || holds())) end();
      };
      const timer = setTimeout(end, milliseconds);
      this.#waiting.add(look);
      look(terminal);
    });
  }

  #begins(terminal: VscodeTerminal): void {
    this.#begun.set(terminal, (this.#begun.get(terminal) ?? 0) + 1);
    this.#tell(terminal, { busy: true });
  }

  /** Its shell reports, or is elsewhere. */
  #moved(terminal: VscodeTerminal): void {
    this.#silent.delete(terminal);
    const workingDirectory = directoryOf(terminal);
    if (workingDirectory !== undefined) this.#tell(terminal, { workingDirectory });
    this.#wake(terminal);
  }

  #closed(terminal: VscodeTerminal): void {
    this.#tell(terminal, { closed: true });
    const id = this.#ids.get(terminal);
    if (id !== undefined) this.#open.delete(id);
    this.#ids.delete(terminal);
    this.#runs.get(terminal)?.end({ outcome: "closed" });
    this.#wake(terminal);
  }

  /** Lets nothing be chosen before that is done. */
  #wait(work: Promise<void>): void {
    const done = work.catch(() => {}).finally(() => this.#unsettled.delete(done));
    this.#unsettled.add(done);
  }

  /** Has those look who wait for news of a terminal, or of the end of all. */
  #wake(terminal: VscodeTerminal | undefined): void {
    for (const look of [...this.#waiting]) look(terminal);
  }

  #know(id: number, terminal: VscodeTerminal): void {
    this.#open.set(id, terminal);
    this.#ids.set(terminal, id);
    this.#environments.set(terminal, this.#environment());
  }

  /** What the extension does to the environment of terminals that are made now. */
  #environment(): Map<string, string> {
    const mutators = this.#options.environmentVariableCollection ?? [];
    const written = ([name, { type, value }]: readonly [string, VscodeEnvironmentMutator]) =>
      [name, `${type} ${value}`] as const;
    return new Map(Array.from(mutators, written));
  }

  /** Tells of the names that are not what they were when the terminal was made. */
  #compareEnvironment(terminal: VscodeTerminal): void {
    const then = this.#environments.get(terminal);
    if (then === undefined || this.#options.environmentVariableCollection === undefined) return;
    const now = this.#environment();
    const names = new Set([...then.keys(), ...now.keys()]);
    const environment = [...names].filter((name) => then.get(name) !== now.get(name));
    if (environment.length > 0) this.#tell(terminal, { environment });
  }

  async #findAll(): Promise<void> {
    if (this.#selector.terminals.length === 0) return;
    await Promise.all(this.#window.terminals.map((terminal) => this.#findAgain(terminal)));
    const isGone = ({ id }: { id: number }) => !this.#open.has(id);
    for (let waited = 0; waited < RESTORING; waited += SETTLING) {
      if (!this.#selector.terminals.some(isGone)) return;
      // They come all at once, so that those which are none of them by now never will be.
      if (this.#window.terminals.length > 0 && this.#unsettled.size === 0) return;
      await pause();
    }
  }

  /** Whether it is one that a restored selector knows. */
  async #findAgain(terminal: VscodeTerminal): Promise<void> {
    if (this.#ids.has(terminal)) return;
    const id = await terminal.processId;
    if (this.#made.has(terminal)) return;
    if (id === undefined || this.#open.has(id) || !this.#isKnown(id)) return;
    // After a reload of the window VS Code knows no more than the name, and says no word when that
    // comes.
    for (let waited = 0; !this.#isOwn(terminal); waited += SETTLING) {
      if (waited >= NAMING) return;
      await pause();
    }
    this.#know(id, terminal);
    this.#moved(terminal);
  }

  /** Whether it may have been made here, since numbers of processes are given again. */
  #isOwn(terminal: VscodeTerminal): boolean {
    const { env } = terminal.creationOptions as VscodeTerminalOptions;
    if (env?.[MARK] !== undefined) return true;
    const { terminal: given } = this.#options;
    return typeof given !== "function" && terminal.name === (given?.name ?? NAME);
  }

  #isKnown(id: number): boolean {
    return this.#selector.terminals.some((known) => known.id === id);
  }

  get #provider(): string {
    return this.#options.provider ?? PROVIDER;
  }

  /** Tells the selector what has happened to a terminal, if that is one of those that are used. */
  #tell(terminal: VscodeTerminal, change: TerminalChange): void {
    const id = this.#ids.get(terminal);
    if (id === undefined) return;
    try {
      this.#selector.update(id, change);
    } catch (error) {
      // What VS Code says of a terminal is no call of the host's that could fail: a directory on
      // another machine, or a selector that was disposed of.
      if (!(error instanceof TurnkeeperError)) throw error;
    }
  }

  #result(run: Run, place: Place, choice: TerminalChoice, ending: Ending): VscodeRunResult {
    return {
      outcome: ending.outcome,
      exitCode: ending.exitCode,
      output: run.output.text(),
      omitted: run.output.omitted,
      terminalId: place.id,
      terminal: place.terminal,
      choice,
    };
  }
}

async function processOf(terminal: VscodeTerminal): Promise<number | undefined> {
  try {
    return await terminal.processId;
  } catch (error) {
    throw refusal("host_failed", MACHINE, undefined, "a terminal has no process", error);
  }
}

/** Calls VS Code. What that throws becomes a `TurnkeeperError`. */
function hosted<T>(message: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw refusal("host_failed", MACHINE, undefined, message, error);
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, SETTLING));
}

/** Where its shell says that it is. */
function directoryOf(terminal: VscodeTerminal): string | undefined {
  return terminal.shellIntegration?.cwd?.fsPath;
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Without the properties that are undefined. */
function defined<T extends object>(values: T): Defined<T> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Defined<T>;
}
