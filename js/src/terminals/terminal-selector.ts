import { RawTerminals, relationOfPaths } from "../../glue/turnkeeper.js";
import {
  checkArray,
  checkObject,
  checkString,
  invalidArgument,
  invalidConfig,
  isObject,
  notAnOption,
} from "../boundary/arguments.js";
import { TurnkeeperError } from "../boundary/errors.js";
import type {
  PathOptions,
  PathRelation,
  TerminalChange,
  TerminalChoice,
  TerminalRegistration,
  TerminalRequest,
  TerminalSelectorOptions,
  TerminalState,
  UnknownDirectory,
} from "../boundary/generated/shapes.js";
import { Machine, call, callFunction, rawOf, restore, type Snapshot } from "../boundary/machine.js";
import { type PlainValue, plainOptions, plainValue } from "../boundary/plain-value.js";

const MACHINE = "terminal_selector";

/** Under this name a session hears of the choices of a selector. Registered, since the two may be of different entries. */
export const CHOICES: unique symbol = Symbol.for("turnkeeper.choices") as never;

/** A session that hears of each choice, with the task of its request. */
export type ChoiceListener = (choice: TerminalChoice, taskId: string | undefined) => void;

/**
 * How directory `a` is related to directory `b`, both absolute paths: `parent` if `a` contains `b`, `child`
 * if `a` is inside `b`. Only their text is compared; no file system is looked at.
 *
 * `.` and `..` are resolved, and `..` at the root stays there. Repeated separators and those at the end do
 * not count, nor does, on `win32`, a dot or a space at the end of a name. A `win32` path after `\\?\` is
 * taken literally. Composed and decomposed letters are different names.
 *
 * Without a `platform`, the paths say it themselves: by a drive or a backslash, or by a leading slash.
 *
 * @throws `invalid_argument`, naming `a` or `b`, for a path that does not name one place: relative, empty,
 * without a drive on `win32`, with `~` or a NUL, a URI, a device path; `limit_exceeded` for more than 4,096
 * UTF-16 code units; `invalid_config` for options, and at `platform` if the paths do not say the same one.
 */
export function pathRelation(a: string, b: string, options: PathOptions = {}): PathRelation {
  checkText(a, "a");
  checkText(b, "b");
  return withRules(options, (rules) => relationOfPaths(a, b, rules) as PathRelation);
}

/** Calls into the module with the options of a function that compares paths. */
function withRules<T>(options: PathOptions, work: (rules: PlainValue) => T): T {
  checkObject(MACHINE, options, "options");
  // The options of a selector will do.
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined && !Object.hasOwn(SELECTOR_OPTIONS, name)) {
      throw invalidConfig(MACHINE, name, notAnOption(["platform", "caseSensitive"]));
    }
  }
  const { platform, caseSensitive } = options;
  const rules = plainOptions(MACHINE, { platform, caseSensitive });
  return callFunction(MACHINE, () => work(rules));
}

/**
 * Knows the terminals of a host, and chooses one for each command: one that is in the directory,
 * one that gets there by a `cd`, or a new one.
 *
 * {@link register} each terminal, {@link update} it when something happens to it, and {@link select} for
 * each command. A chosen terminal is reserved until an update for it, so no two requests get the same one.
 * Names of directories are quoted for the shell, whatever is in them, and if the `cd` fails, nothing of
 * the command runs. The selector itself runs nothing and looks at no file system.
 *
 * Every method throws `disposed` after {@link dispose}.
 *
 * @example
 * ```ts
 * const selector = new TerminalSelector({ platform: "posix" });
 * selector.register({ id: 1, provider: "vscode", shell: "bash", workingDirectory: "/project/src" });
 * const choice = selector.select({
 *   command: "npm test",
 *   workingDirectory: "/project",
 *   provider: "vscode",
 * });
 * if (choice.action === "reuse_with_cd") console.log(choice.terminalId, choice.command);
 * ```
 */
export class TerminalSelector extends Machine {
  /** @internal */
  readonly [CHOICES] = new Set<ChoiceListener>();

  /** @throws `invalid_config`, naming the option in `detail.field`. */
  constructor(options: TerminalSelectorOptions) {
    // What is missing is told by name.
    super(MACHINE, RawTerminals, plainOptions(MACHINE, options === undefined ? {} : options));
  }

  /**
   * Makes a terminal known. It is not chosen until its working directory is known. Its shell is a name or
   * the path of a program; one that no command line can be written for is kept as `other`. Properties that
   * {@link TerminalRegistration} does not name are ignored.
   *
   * @throws `invalid_argument`, naming the field, for an id that is registered already, for what is
   * of the wrong type, and for a directory that does not name one place; `limit_exceeded` for a text
   * of more than 4,096 UTF-16 code units. Nothing is changed then.
   */
  register(terminal: TerminalRegistration): void {
    this.#call((raw) => raw.register(readRegistration("terminal", terminal)));
  }

  /**
   * Makes the selector hold exactly these terminals: new ones are registered, known ones take the values
   * given, and all others are closed. For hosts that read the state of their terminals before each choice.
   *
   * A field that is left out is reset, as in {@link register}: no task, an unknown directory. `busy` is the
   * exception: left out, the terminal stays busy or reserved as it was. Directory changes, names of
   * environment variables and `failed` stay. It takes n log n time.
   *
   * A directory that cannot be understood counts as left out. The answer tells which those are, so that a
   * host with one strange terminal still has the others.
   *
   * @throws For anything else as {@link register}, naming `terminals[2].id`, for example. Nothing is changed
   * then.
   */
  sync(
    terminals: readonly TerminalRegistration[],
  ): readonly { id: number; field: string; message: string }[] {
    return this.#call((raw) => {
      checkArray(MACHINE, terminals, "terminals");
      const added = (terminals as readonly TerminalRegistration[]).map((terminal, at) =>
        readRegistration(`terminals[${at}]`, terminal, withoutHalves),
      );
      return raw.sync(added) as UnknownDirectory[];
    });
  }

  /**
   * Takes in what has changed about a terminal: all of it, or nothing if it throws. One exception: a
   * directory that cannot be understood leaves the terminal's directory unknown, because the one that was
   * known no longer holds. A terminal that becomes idle is where its command leads, unless
   * `workingDirectory` was reported after the command began. Properties that {@link TerminalChange} does
   * not name are ignored.
   *
   * @throws `unknown_id` for one that is not registered or was closed, and otherwise as
   * {@link register}.
   */
  update(id: number, change: TerminalChange): void {
    rawOf(this);
    checkObject(MACHINE, change, "change");
    const { closed, failed, reset, busy, unobserved, taskId, workingDirectory } = change;
    const environment = change.environment ?? [];
    checkArray(MACHINE, environment, "change.environment");
    const given = { closed, failed, reset, busy, unobserved, taskId };
    const changed: Record<string, unknown> = crossing("change", given);
    environment.forEach((name, at) => checkText(name, `change.environment[${at}]`));
    changed.environment = environment;
    // Here, null says something: the terminal is bound to no task, or its directory is not known.
    if (taskId === null) changed.taskId = null;
    if (workingDirectory !== undefined && workingDirectory !== null) {
      try {
        checkText(workingDirectory, "change.workingDirectory");
      } catch (error) {
        this.#forgetDirectory(id);
        throw error;
      }
    }
    if (workingDirectory !== undefined) changed.workingDirectory = workingDirectory;
    this.#call((raw) => raw.update(id, changed));
  }

  /**
   * Unbinds every terminal that is bound to the task, so that other tasks may use them.
   *
   * @throws `invalid_argument`
   */
  releaseTask(taskId: string): void {
    this.#call((raw) => {
      checkText(taskId, "taskId");
      raw.releaseTask(taskId);
    });
  }

  /**
   * Takes a choice back, if its command was not run: the terminal is idle, where it was and bound as it
   * was, and its change of directory does not count.
   *
   * @throws `unknown_id` for a terminal that is not registered or was closed, `wrong_order` for one that is
   * not reserved: it was not chosen, or there was an {@link update} for it since.
   */
  cancel(terminalId: number): void {
    this.#call((raw) => raw.cancel(terminalId));
  }

  /**
   * Chooses a terminal for a command, and reserves it: it is busy until {@link update} says that it
   * is busy or idle, or the choice is {@link cancel}led. It is bound to the request's task, if there
   * is one, and a change of directory counts. Send the choice's `command`, which has the `cd` in front if
   * one is needed. If the request has no `command`, that is the change of directory alone, or empty.
   *
   * With `terminalId`, the terminal is chosen already, and the choice is the line for it; if it is busy, `wait`.
   * Without `workingDirectory`, the command runs where the task left off.
   *
   * With `maxTerminals`, a choice may name terminals to `close`, or say `wait`.
   *
   * The time grows with the number of terminals, by some nanoseconds each.
   *
   * @throws `invalid_argument`, naming the field, and `limit_exceeded`, as {@link register}, and for a command
   * of more than 16,777,216 UTF-16 code units; `invalid_argument` also for a directory that is left out where
   * nobody knows where the task left off; `unknown_id` for a `terminalId` that is not registered. That no
   * terminal is suitable is no error: the choice is `create` or `wait`.
   */
  select(request: TerminalRequest): TerminalChoice {
    const choice = this.#choose(request);
    for (const heard of this[CHOICES]) heard(choice, request.taskId ?? undefined);
    return choice;
  }

  #choose(request: TerminalRequest): TerminalChoice {
    return this.#call((raw) => {
      checkObject(MACHINE, request, "request");
      const { command, provider } = request;
      checkText(provider, "request.provider");
      // Null says nothing, since an adapter that has nothing to say often says null.
      const directory = request.workingDirectory ?? undefined;
      if (directory !== undefined) checkText(directory, "request.workingDirectory");
      const id = request.terminalId ?? undefined;
      if (id !== undefined && !(Number.isSafeInteger(id) && id >= 0)) {
        throw invalidArgument(MACHINE, "request.terminalId", "must be an integer of at least 0");
      }
      const task = request.taskId ?? undefined;
      if (task !== undefined) checkText(task, "request.taskId");
      const shell = request.shell ?? undefined;
      if (shell !== undefined) checkText(shell, "request.shell");
      const isClean = request.cleanEnvironment ?? undefined;
      if (isClean !== undefined && typeof isClean !== "boolean") {
        throw invalidArgument(MACHINE, "request.cleanEnvironment", "must be true or false");
      }
      // Half of a character can be typed into no terminal, and cannot cross; nor can a NUL be typed, which
      // stands for it. The host gets its own text back.
      const sent = withoutHalves(command ?? undefined);
      if (sent !== undefined) checkString(MACHINE, sent, "request.command");
      const found = raw.select(sent, directory, id, task, provider, shell, isClean);
      const choice = found as TerminalChoice;
      if (typeof command === "string" && sent !== command) choice.command = command;
      return choice;
    });
  }

  /** Calls into the module; nothing is read of what is given after {@link dispose}. */
  #call<T>(work: (raw: RawTerminals) => T): T {
    return call(this, work);
  }

  /** A directory that cannot cross cannot be understood; one that can is forgotten by the core. */
  #forgetDirectory(id: unknown): void {
    try {
      this.#call((raw) => raw.update(id, { workingDirectory: null }));
    } catch (error) {
      // The id is unknown.
      if (!(error instanceof TurnkeeperError)) throw error;
    }
  }

  /** Every terminal that is registered, in order of id. */
  get terminals(): readonly TerminalState[] {
    return this.#call((raw) => raw.terminals()) as TerminalState[];
  }

  /**
   * The last 200 choices, the oldest first, as copies for display; fewer if their commands have more than
   * 1 MiB together. They are not part of a snapshot.
   */
  get log(): readonly TerminalChoice[] {
    return this.#call((raw) => raw.log()) as TerminalChoice[];
  }

  /**
   * The selector as versioned bytes with a checksum, the same on every platform: the options and
   * what is known of each terminal.
   */
  snapshot(): Uint8Array & { readonly snapshotOf?: "terminal_selector" } {
    return this.#call((raw) => raw.snapshot());
  }

  /**
   * A selector that goes on as if it had never stopped.
   *
   * @throws `snapshot_corrupt`, `wrong_machine`, `snapshot_version`; `invalid_argument` for what is not bytes.
   */
  static restore(snapshot: Snapshot<"terminal_selector">): TerminalSelector {
    return restore(MACHINE, RawTerminals, snapshot, make);
  }
}

const SELECTOR_OPTIONS: Record<keyof TerminalSelectorOptions, true> = {
  platform: true,
  caseSensitive: true,
  maxDirectoryChanges: true,
  stealFromOtherTasks: true,
  maxTerminals: true,
  reachable: true,
};

/** For {@link restore}. */
function make(): TerminalSelector {
  return new TerminalSelector({ platform: "posix" });
}

const HALF_CHARACTERS = /\p{Surrogate}/gu;

/** Whether a text has no half of a surrogate pair. */
function isWellFormed(text: string): boolean {
  // ES2024 has it, and is quicker at it.
  const { isWellFormed } = text as { isWellFormed?: () => boolean };
  return isWellFormed?.call(text) ?? text.search(HALF_CHARACTERS) < 0;
}

/** A terminal as it crosses, with its directory as `toCross` has it. */
function readRegistration(
  name: string,
  terminal: TerminalRegistration,
  toCross: (path: unknown) => unknown = (path) => path,
): Record<string, PlainValue> {
  checkObject(MACHINE, terminal, name);
  const { id, provider, shell, workingDirectory, taskId, busy } = terminal;
  const given = { id, provider, shell, taskId, busy };
  return crossing(name, { ...given, workingDirectory: toCross(workingDirectory) });
}

/** A text that can cross: half of a character becomes a NUL, which no directory and no command can have. */
function withoutHalves<T>(text: T): T | string {
  const canCross = typeof text !== "string" || isWellFormed(text);
  return canCross ? text : text.replace(HALF_CHARACTERS, "\0");
}

/** Throws unless `value` is a string that can cross into the module. */
function checkText(value: unknown, field: string): asserts value is string {
  checkString(MACHINE, value, field);
  if (!isWellFormed(value)) {
    throw invalidArgument(MACHINE, field, "must not have half of a surrogate pair");
  }
}

/**
 * The fields as they cross; what each has to be, the module says. Null is left out, since an adapter that has
 * nothing to say often says null.
 */
function crossing(of: string, fields: Record<string, unknown>): Record<string, PlainValue> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  for (const [name, value] of given) {
    const field = `${of}.${name}`;
    if (typeof value === "string") checkText(value, field);
    else if (isObject(value)) throw invalidArgument(MACHINE, field, "must not be an object");
  }
  return plainValue(MACHINE, of, Object.fromEntries(given)) as Record<string, PlainValue>;
}
