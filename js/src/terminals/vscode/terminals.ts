// VS Code's terminals and the selector's, side by side.

import { checkObject, invalidArgument, refusal } from "../../boundary/arguments.js";
import type { Shell, TerminalChoice, TerminalRequest } from "../../boundary/generated/shapes.js";
import { Environments } from "./environments.js";
import { News } from "./news.js";
import { OpenTerminals, told } from "./open-terminals.js";
import { Patience } from "./patience.js";
import { MARK, Restored } from "./restored.js";
import { type Ending, type Output, Run } from "./run.js";
import { ShellNames, shellOf } from "./shell-names.js";
import type {
  VscodeAdoption,
  VscodeDisposable,
  VscodeRun,
  VscodeRunRequest,
  VscodeRunResult,
  VscodeSelector,
  VscodeTerminal,
  VscodeTerminalOptions,
  VscodeTerminals,
  VscodeTerminalsOptions,
  VscodeWindow,
} from "./shapes.js";
import { TypedCommand } from "./typed-command.js";

const MACHINE = "vscode_terminals";
const PROVIDER = "vscode";
const NAME = "Agent";
const SHELL_INTEGRATION_TIMEOUT = 5_000;
const MAX_OUTPUT = 1_000_000;
/** A shell reports its directory some milliseconds after it has reported that a command ended. */
const SETTLING = 100;
/** The same where a command was led elsewhere: if it does not report in time, it is expected to be there. */
const SETTLING_WHERE_LED = 300;
/** The same where such a command has failed, perhaps because it could not be led there. */
const SETTLING_WHERE_PERHAPS_LED = 1_000;
/** The time that a shell that reports may take to say where it is, in milliseconds; not every shell does. */
const FIRST_DIRECTORY = 2_000;
/**
 * How long a command that was typed ahead may take to begin after the shell's first report, in milliseconds.
 * Otherwise it has ended by then, unseen.
 */
const BEGINNING = 5_000;
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

/** What became of a command; `typed` goes on if it was typed in. */
interface Sent extends Ending {
  typed?: TypedCommand;
}

/** What was chosen, and where that is. */
interface Chosen {
  choice: TerminalChoice;
  place: Place;
}

export class Terminals implements VscodeTerminals {
  readonly ready: Promise<void>;
  readonly #open: OpenTerminals;
  readonly #restored: Restored;
  readonly #runs = new Map<VscodeTerminal, Run>();
  readonly #listeners: VscodeDisposable[];
  /** What was typed last into terminals whose shells did not report, and did not end as far as is known. */
  readonly #typed = new Map<VscodeTerminal, TypedCommand>();
  readonly #news = new News();
  readonly #patience: Patience;
  readonly #environments: Environments;
  readonly #shellNames: ShellNames;
  /** The number of commands that were begun in a terminal. */
  readonly #begun = new WeakMap<VscodeTerminal, number>();
  /** What has to be known of terminals before one is chosen. */
  readonly #unsettled = new Set<Promise<void>>();

  constructor(
    private readonly window: VscodeWindow,
    private readonly selector: VscodeSelector,
    private readonly options: VscodeTerminalsOptions,
  ) {
    checkObject(MACHINE, window, "vscode.window");
    for (const name of NEEDED) {
      if (typeof window[name] !== "function") {
        const must = "must be a function, which VS Code has from version 1.93 on";
        throw invalidArgument(MACHINE, `vscode.window.${name}`, must);
      }
    }
    this.#open = new OpenTerminals(selector);
    const limit = options.shellIntegrationTimeout ?? SHELL_INTEGRATION_TIMEOUT;
    this.#patience = new Patience(limit, this.#news);
    this.#environments = new Environments(options.environmentVariableCollection);
    this.#shellNames = new ShellNames(selector, this.#news);
    this.#listeners = [
      // When a window is restored, its terminals may open late.
      window.onDidOpenTerminal((terminal) => this.#wait(this.#restored.opened(terminal))),
      window.onDidCloseTerminal((terminal) => this.#closed(terminal)),
      window.onDidChangeTerminalState?.((terminal) => this.#news.wake(terminal)),
      window.onDidChangeTerminalShellIntegration(({ terminal }) => this.#moved(terminal)),
      window.onDidStartTerminalShellExecution(({ terminal, execution }) => {
        this.#runs.get(terminal)?.begins(execution);
        // From now on somebody sees how it ends, so that it is begun anew for the selector.
        if (this.#typed.get(terminal)?.begins(execution))
          this.#open.tell(terminal, { busy: false });
        this.#begins(terminal);
      }),
      window.onDidEndTerminalShellExecution(({ terminal, execution, exitCode }) => {
        const run = this.#runs.get(terminal);
        // A shell runs one command at a time, so that of another one this is late news.
        if (run !== undefined && run.execution !== execution) return;
        if (run?.end({ outcome: "exited", exitCode })) return;
        const typed = this.#typed.get(terminal);
        if (typed) typed.exitCode = exitCode;
        this.#wait(this.#settle(terminal));
      }),
    ].filter((listener) => listener !== undefined);
    const { terminal } = options;
    const name = typeof terminal === "function" ? undefined : (terminal?.name ?? NAME);
    const own = { provider: this.#provider, name };
    this.#restored = new Restored(window, selector, this.#open, own, (id, found) => {
      this.#know(id, found);
      this.#moved(found);
    });
    this.ready = this.#restored.find(() => this.#unsettled.size === 0);
  }

  run(request: VscodeRunRequest): VscodeRun {
    return new Run(request, this.#maxOutput, (run) => this.#run(run));
  }

  async adopt(terminal: VscodeTerminal, adoption: VscodeAdoption = {}): Promise<number> {
    await this.ready;
    const id = this.#open.idOf(terminal) ?? (await this.#register(terminal, adoption));
    if (id === undefined) {
      throw invalidArgument(MACHINE, "terminal", "has no shell that runs");
    }
    return id;
  }

  terminal(id: number): VscodeTerminal | undefined {
    return this.#open.get(id);
  }

  dispose(): void {
    for (const listener of this.#listeners.splice(0)) listener.dispose();
    for (const run of this.#runs.values()) run.end({ outcome: "aborted" });
    for (const terminal of this.#typed.keys()) this.#endTyped(terminal, { outcome: "aborted" });
    this.#news.end();
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
      const result = (output: Output, ending: Ending, later?: Promise<VscodeRunResult>) =>
        resultOf(output, place, choice, ending, later);
      if (ending !== undefined) {
        const { typed } = ending;
        const later = typed?.ended.then((ending) => result(typed.output, ending));
        return result(run.output, ending, later);
      }
      this.#open.tell(place.terminal, { failed: true });
      if (attempt === 2) return result(run.output, { outcome: "failed" });
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
        if (choice.action !== "create") return { choice, place: this.#chosen(choice.terminalId) };
        const { workingDirectory } = choice;
        const place = await this.#make({ ...request, workingDirectory });
        return { choice: this.#led(request, choice, place), place };
      }
      // As of any other call that takes a signal, its reason is what this throws.
      if (request.signal?.aborted) throw request.signal.reason;
      if (this.#news.isOver) {
        const message = `it was disposed of while a command waited: ${choice.reason}`;
        throw refusal("disposed", MACHINE, undefined, message);
      }
      await this.#news.change(request.signal);
    }
  }

  /** A setting, or a file of the shell's, may have begun a new terminal elsewhere: it is led to where its command is to run. */
  #led(
    { command, taskId, shell }: VscodeRunRequest,
    choice: TerminalChoice & { action: "create" },
    { id, terminal }: Place,
  ): TerminalChoice {
    const { workingDirectory } = choice;
    const said = directoryOf(terminal);
    if (said === undefined || said === workingDirectory) return choice;
    this.#open.tell(terminal, { workingDirectory: said, busy: false });
    const again = this.selector.select({
      command,
      workingDirectory,
      terminalId: id,
      provider: this.#provider,
      ...defined({ taskId, shell }),
    });
    if (again.action === "reuse") return choice;
    if (again.action === "reuse_with_cd") return again;
    const message = `a new terminal is in ${said}, from where it cannot be led: ${again.reason}`;
    throw refusal("host_failed", MACHINE, undefined, message);
  }

  /** Closes a terminal that the selector has named. It tells of the end as of a user's. */
  #close(id: number): void {
    const terminal = this.#open.get(id);
    if (terminal !== undefined) hosted("a terminal could not be closed", () => terminal.dispose());
    // It was closed while nobody listened.
    else this.selector.update(id, { closed: true });
  }

  /** Only among terminals that are open: one that is not was closed while nobody listened. */
  #choose(request: VscodeRunRequest): TerminalChoice {
    const { command, workingDirectory, taskId, shell, cleanEnvironment } = request;
    const wanted: TerminalRequest = {
      command,
      provider: this.#provider,
      ...defined({ workingDirectory, taskId, shell, cleanEnvironment }),
    };
    for (const terminal of this.#open.all()) {
      const environment = this.#environments.changed(terminal);
      if (environment.length > 0) this.#open.tell(terminal, { environment });
    }
    this.#shellNames.correct(this.#open);
    for (;;) {
      const choice = this.selector.select(wanted);
      const id = choice.terminalId;
      if (id === undefined || this.#open.has(id)) return choice;
      this.selector.update(id, { closed: true });
    }
  }

  #chosen(id: number): Place {
    return { id, terminal: this.#open.get(id)!, isNew: false };
  }

  /** A new terminal, which is busy. */
  async #make(request: VscodeRunRequest & { workingDirectory: string }): Promise<Place> {
    const { workingDirectory, taskId, shell } = request;
    const { terminal: given } = this.options;
    const own = typeof given === "function" ? given(request) : given;
    const options: VscodeTerminalOptions = { name: NAME, ...own, cwd: workingDirectory };
    options.env = { ...options.env, [MARK]: "1" };
    if (shell !== undefined) options.shellPath ??= PROGRAMS[shell] ?? shell;
    const terminal = hosted("a terminal could not be created", () =>
      this.window.createTerminal(options),
    );
    this.#restored.isNew(terminal);
    // Until its shell has begun to report, others see that it is there, and nobody exceeds the limit.
    this.#wait(this.#announce(terminal, taskId));
    const id = await this.#register(terminal, {
      workingDirectory,
      busy: true,
      ...defined({ taskId, shell }),
    });
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
    if (this.#open.isKnown(id)) this.selector.update(id, { closed: true });
    this.selector.register({ id, provider: this.#provider, busy: true, ...defined({ taskId }) });
  }

  /** The terminal's number; undefined if it has no process. */
  async #register(
    terminal: VscodeTerminal,
    { workingDirectory, taskId, shell, busy = false }: VscodeAdoption & { busy?: boolean },
  ): Promise<number | undefined> {
    const id = await processOf(terminal);
    // What it runs shows at the latest when that begins to report.
    await this.#patience.integration(terminal);
    if (id === undefined) return undefined;
    if (terminal.exitStatus !== undefined) {
      this.#open.forget(id);
      return undefined;
    }
    if (terminal.shellIntegration !== undefined) {
      const limit = workingDirectory === undefined ? FIRST_DIRECTORY : SETTLING_WHERE_LED;
      await this.#news.until(terminal, limit, () => directoryOf(terminal) !== undefined);
    }
    const found = shell ?? shellOf(terminal);
    const known = workingDirectory ?? directoryOf(terminal);
    // It was announced, or handed over before the extension host was restarted, or had its number from
    // another.
    this.#open.forget(id);
    this.selector.register({
      id,
      provider: this.#provider,
      busy,
      ...defined({ taskId, workingDirectory, shell: found }),
    });
    this.#know(id, terminal);
    if (shell === undefined) {
      this.#shellNames.registered(terminal, found);
      this.#wait(this.#shellNames.known(id, terminal));
    }
    // A shell may report a directory that cannot be understood.
    if (workingDirectory === undefined)
      this.#open.tell(terminal, { workingDirectory: known ?? null });
    return id;
  }

  /** Undefined if the command could not be sent. */
  async #send(
    { id, terminal, isNew }: Place,
    { action, command }: TerminalChoice,
    run: Run,
  ): Promise<Sent | undefined> {
    const integration = await this.#patience.integration(terminal);
    if (this.#open.idOf(terminal) === undefined || terminal.exitStatus !== undefined)
      return undefined;
    if (run.request.signal?.aborted || this.#news.isOver) {
      if (isNew) this.#open.tell(terminal, { busy: false });
      else told(() => this.selector.cancel(id));
      return { outcome: "aborted" };
    }
    // The host takes a command that was typed before for ended.
    this.#endTyped(terminal, { outcome: "sent" });
    this.#begins(terminal);
    if (integration === undefined) return this.#type(terminal, command, run);
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
      const isLed = action === "reuse_with_cd";
      // Of a line that began with a change of directory nothing had run if that had failed.
      const isSure = ending.exitCode === 0;
      const to = run.request.workingDirectory ?? before;
      const led = isLed ? { from: before, to, isSure } : undefined;
      await this.#settle(terminal, led);
    }
    return ending;
  }

  /** Types a command into a shell that does not report, or not yet. */
  #type(terminal: VscodeTerminal, command: string, { request }: Run): Sent {
    hosted("a command could not be typed", () => terminal.sendText(command));
    const typed = new TypedCommand(terminal, request, this.#maxOutput);
    this.#typed.set(terminal, typed);
    this.#open.tell(terminal, { unobserved: true });
    return { outcome: "sent", typed };
  }

  #endTyped(terminal: VscodeTerminal, ending: Ending): void {
    this.#typed.get(terminal)?.end(ending);
    this.#typed.delete(terminal);
  }

  /** A shell reports late: it runs what was typed ahead now, or has run it unseen. */
  async #reportsLate(terminal: VscodeTerminal, typed: TypedCommand): Promise<void> {
    const isGone = () => this.#typed.get(terminal) !== typed;
    const isSeen = () => typed.hasBegun || isGone();
    if (!(await this.#news.until(terminal, BEGINNING, isSeen)) && !isGone()) {
      await this.#settle(terminal);
    }
  }

  /** A command has ended: the terminal is idle as soon as its shell has reported its directory. */
  async #settle(
    terminal: VscodeTerminal,
    led?: { from: string | undefined; to: string | undefined; isSure: boolean },
  ): Promise<void> {
    const begun = this.#begun.get(terminal);
    const before = directoryOf(terminal);
    if (led === undefined) {
      await this.#news.until(terminal, SETTLING, () => directoryOf(terminal) !== before);
    } else {
      // The first news may be late news of the command before.
      const limit = led.isSure ? SETTLING_WHERE_LED : SETTLING_WHERE_PERHAPS_LED;
      await this.#news.until(terminal, limit, () => directoryOf(terminal) === led.to);
    }
    // The user may have begun another one by now.
    if (this.#begun.get(terminal) !== begun) return;
    const said = directoryOf(terminal);
    // Where it was before it was led is late news, and where it was led is only expected.
    const workingDirectory = led?.isSure && said === led.from ? undefined : said;
    this.#open.tell(terminal, { busy: false, ...defined({ workingDirectory }) });
    this.#endTyped(terminal, { outcome: "exited", exitCode: this.#typed.get(terminal)?.exitCode });
    this.#news.wake(terminal);
  }

  #begins(terminal: VscodeTerminal): void {
    this.#begun.set(terminal, (this.#begun.get(terminal) ?? 0) + 1);
    this.#open.tell(terminal, { busy: true });
  }

  /** Its shell reports, or is elsewhere. */
  #moved(terminal: VscodeTerminal): void {
    const typed = this.#typed.get(terminal);
    if (this.#patience.reports(terminal) && typed) void this.#reportsLate(terminal, typed);
    const workingDirectory = directoryOf(terminal);
    if (workingDirectory !== undefined) this.#open.tell(terminal, { workingDirectory });
    this.#news.wake(terminal);
  }

  #closed(terminal: VscodeTerminal): void {
    this.#open.closed(terminal);
    this.#runs.get(terminal)?.end({ outcome: "closed" });
    this.#endTyped(terminal, { outcome: "closed" });
    this.#news.wake(terminal);
  }

  /** Lets nothing be chosen before that is done. */
  #wait(work: Promise<unknown>): void {
    const end = () => void this.#unsettled.delete(done);
    const done: Promise<void> = work.then(end, end);
    this.#unsettled.add(done);
  }

  #know(id: number, terminal: VscodeTerminal): void {
    this.#open.know(id, terminal);
    this.#environments.made(terminal);
  }

  get #provider(): string {
    return this.options.provider ?? PROVIDER;
  }

  get #maxOutput(): number {
    return this.options.maxOutput ?? MAX_OUTPUT;
  }
}

function resultOf(
  output: Output,
  { id: terminalId, terminal }: Place,
  choice: TerminalChoice,
  { outcome, exitCode }: Ending,
  later: Promise<VscodeRunResult> | undefined,
): VscodeRunResult {
  const { omitted } = output;
  return { outcome, exitCode, output: output.text(), omitted, terminalId, terminal, choice, later };
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
