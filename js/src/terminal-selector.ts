import { RawTerminals, pathsRelation } from "../glue/turnkeeper.js";
import { checkArray, checkString, optional } from "./arguments.js";
import type {
  PathPlatform,
  PathRelation,
  TerminalChange,
  TerminalChoice,
  TerminalRegistration,
  TerminalRequest,
  TerminalSelectorOptions,
  TerminalState,
} from "./generated/shapes.js";
import { Machine, call, fault, known, rawOf, restore } from "./machine.js";
import { wasm } from "./runtime.js";
import { sendText } from "./text-buffer.js";

const MACHINE = "terminal_selector";

const RELATIONS = ["same", "parent", "child", "unrelated"] as const;
/** So many decisions are kept for display. */
const DECISIONS = 200;
/** Texts of more units are too long. */
const LONGEST = 4_096;

/** What there is to `RawTerminals.tell`. */
const enum Tell {
  Register,
  Change,
  Environment,
  Cancel,
  Release,
}
/** What a text is whose number is asked for; and where it stands, which is added. */
const enum Text {
  Directory = 8,
  Shell,
  Provider,
  Task,
  Name,
}
const enum Of {
  Request = 0,
  Terminal = 8,
  Change = 16,
  Nothing = 24,
}
/** What there is to `RawTerminals.ask`. */
const enum Ask {
  Choice,
  Packed,
  Id,
  ChangesLeft,
  IsStale,
}
/** A choice in a number: its reason, and 16 times the relation; or what it needs. */
const enum Packed {
  Create = 4,
  Reason = 15,
  Line = 64,
}
/** The number of a text that is left out. */
const NONE = -1;

interface Raw extends Omit<RawTerminals, "ask" | "tell"> {
  ask(what: Ask, task?: number, at?: number, who?: number, shell?: number, clean?: boolean): number;
  tell(what: Tell, id: unknown, text?: number, at?: number, who?: number, bits?: number): number;
  tell(what: Text, text: unknown): number;
}

/** Whose rules paths follow. */
export interface PathOptions {
  /** Chosen by the host, never by where the code runs. */
  platform: PathPlatform;
  /** Whether names that differ in case alone are two; true on `posix`, false on `win32`. */
  caseSensitive?: boolean;
}

/**
 * How directory `a` lies to directory `b`, both absolute: `parent` if it contains it, `child` if it
 * is inside it. By their text alone; no file system is looked at.
 *
 * `.` and `..` are followed, and `..` stays at the top. Separators repeated and at the end do not
 * count, nor does, on `win32`, a dot or a space at the end of a name. A `win32` path behind `\\?\` is
 * taken literally. Composed and decomposed letters are different names.
 *
 * @throws `invalid_argument`, naming `a` or `b`, for what does not say one place: paths that are
 * relative, empty or without a drive, `~`, URIs, device paths, a NUL; `limit_exceeded` for more than
 * 4,096 UTF-16 code units; `invalid_config` for options.
 */
export function pathRelation(a: string, b: string, options: PathOptions): PathRelation {
  checkString(MACHINE, a, "a");
  checkString(MACHINE, b, "b");
  return RELATIONS[relation(a, b, options, false)]!;
}

/**
 * Whether a terminal may be led from one directory to another by `cd`: they are the same, or one
 * contains the other.
 *
 * @throws As {@link pathRelation}, naming `from` or `to`.
 */
export function canChangeDirectory(from: string, to: string, options: PathOptions): boolean {
  checkString(MACHINE, from, "from");
  checkString(MACHINE, to, "to");
  return relation(from, to, options, true) < 3;
}

function relation(a: string, b: string, options: PathOptions, isMove: boolean): number {
  wasm();
  try {
    const { platform, caseSensitive } = options;
    const rules = ["posix", "win32"].indexOf(platform);
    const cased = [false, true, undefined].indexOf(caseSensitive);
    const middle = Math.min(a.length, LONGEST + 1);
    return sendText(a.slice(0, middle) + b.slice(0, LONGEST + 1), (units) =>
      pathsRelation(units, middle, rules, cased, isMove),
    );
  } catch (error) {
    throw known(error, MACHINE, "options");
  }
}

/**
 * Knows the terminals of a host, and says which one a command runs in: one that stands in its
 * directory, one that is led there by a `cd`, or a new one.
 *
 * {@link register} each terminal, {@link update} what happens to it, and {@link select} for each
 * command. Who is chosen is taken until it is heard of, so no two requests get the same terminal.
 * Whatever a directory is called, its name is inert in the command line, and if the `cd` fails,
 * nothing of the command runs. Nothing is run and no file system is looked at.
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
 * if (choice.action !== "create") console.log(choice.terminalId, choice.command);
 * ```
 */
export class TerminalSelector extends Machine {
  /** The numbers by which the module knows texts. */
  #numbers = noNumbers();
  /** Whether the module may have given other numbers since they were used last. */
  #mayBeStale = false;
  readonly #reasons: string[] = [];
  readonly #journal: TerminalChoice[] = [];
  #decisions = 0;

  /** @throws `invalid_config`, naming the option in `detail.field`. */
  constructor(options: TerminalSelectorOptions) {
    super(MACHINE, RawTerminals, options);
  }

  /**
   * Makes a terminal known. As long as its directory is not, it is not chosen.
   *
   * @throws `invalid_argument`, naming the field, for an id that is registered already, for what is
   * of the wrong type, and for a directory that does not say one place; `limit_exceeded` for a text
   * of more than 4,096 UTF-16 code units. Nothing is changed then.
   */
  register(terminal: TerminalRegistration): void {
    this.#run("terminal", () => {
      const { id, provider, shell, workingDirectory, taskId, busy } = terminal;
      const isBusy = optional(MACHINE, busy, "boolean", "terminal.busy");
      const raw = this.#raw();
      const who = this.#number(Text.Provider, Of.Terminal, provider);
      const task = this.#optional(Text.Task, Of.Terminal, taskId);
      const at = this.#optional(Text.Directory, Of.Terminal, workingDirectory);
      const runs = Math.max(0, this.#optional(Text.Shell, Of.Terminal, shell));
      raw.tell(Tell.Register, id, task, at, who, isBusy ? runs + 16 : runs);
    });
  }

  /**
   * Takes in what has changed of a terminal: all of it, or nothing if it throws. A terminal that
   * falls idle after a `cd` stands where that led, unless `workingDirectory` was reported since.
   *
   * @throws `unknown_id` for one that is not registered or was closed, and otherwise as
   * {@link register}.
   */
  update(id: number, change: TerminalChange): void {
    this.#run("change", () => {
      const { closed, failed, reset, busy, taskId, workingDirectory, environment } = change;
      let bits = taskId === undefined ? 0 : 32;
      for (const [at, flag] of [closed, failed, reset, busy].entries()) {
        const name = ["closed", "failed", "reset", "busy"][at]!;
        const is = optional(MACHINE, flag, "boolean", "change", name);
        if (is !== undefined) bits |= at < 3 ? Number(is) << at : is ? 16 : 8;
      }
      const changed: unknown = environment ?? [];
      checkArray(MACHINE, changed, "change.environment");
      const texts = Array.from(changed);
      const raw = this.#raw();
      const names = texts.map((text) => this.#number(Text.Name, Of.Change, text));
      const task = this.#optional(Text.Task, Of.Change, taskId);
      const at = this.#optional(Text.Directory, Of.Change, workingDirectory);
      raw.tell(Tell.Change, id, task, at, 0, bits);
      for (const name of names) raw.tell(Tell.Environment, id, name);
    });
  }

  /**
   * Unbinds every terminal that is bound to the task; others may have them then.
   *
   * @throws `invalid_argument`
   */
  releaseTask(taskId: string): void {
    this.#run("taskId", () => {
      this.#raw().tell(Tell.Release, 0, this.#number(Text.Task, Of.Nothing, taskId));
    });
  }

  /**
   * Takes a choice back: the terminal is idle, stands where it stood, is bound as it was, and its
   * change of directory does not count.
   *
   * @throws `unknown_id` for one that is not registered or was closed, `wrong_order` for one that is
   * not reserved: it was not chosen, or has been heard of since.
   */
  cancel(terminalId: number): void {
    call(this, (raw: RawTerminals) => (raw as Raw).tell(Tell.Cancel, terminalId));
  }

  /**
   * Chooses a terminal for a command, and reserves it: it is busy until {@link update} says that it
   * is busy or idle, or the choice is {@link cancel}led. It is bound to the request's task, if there
   * is one, and a change of directory counts.
   *
   * Linear in the number of terminals, at a few nanoseconds each; a directory is read when it is
   * seen first.
   *
   * @throws `invalid_argument`, naming the field, and `limit_exceeded`, as {@link register}. That no
   * terminal will do is no error.
   */
  select(request: TerminalRequest): TerminalChoice {
    return this.#run("request", () => {
      const { command, workingDirectory, taskId, provider, shell, cleanEnvironment } = request;
      checkString(MACHINE, command, "request.command");
      const isClean = optional(MACHINE, cleanEnvironment, "boolean", "request.cleanEnvironment");
      const raw = this.#raw();
      const at = this.#number(Text.Directory, Of.Request, workingDirectory);
      const who = this.#number(Text.Provider, Of.Request, provider);
      const task = this.#optional(Text.Task, Of.Request, taskId);
      const runs = this.#optional(Text.Shell, Of.Request, shell);
      let packed = raw.ask(Ask.Choice, task, at, who, runs, isClean);
      let line = "";
      if (packed === Packed.Line) {
        // Half of a character cannot be sent to a terminal, nor can a NUL.
        line = raw.text(packed, isWhole(command) ? command : "\0");
        packed = raw.ask(Ask.Packed);
      }
      const choice = this.#choice(raw, packed, line || command);
      this.#journal[this.#decisions++ % DECISIONS] = { ...choice };
      return choice;
    });
  }

  /** Every terminal that is registered, in order of id. */
  get terminals(): readonly TerminalState[] {
    const json = call(this, (raw: RawTerminals) => raw.text(Packed.Line, ""));
    return JSON.parse(json) as TerminalState[];
  }

  /**
   * The last 200 choices, the oldest first, as copies for display. They are not part of a snapshot.
   */
  get journal(): readonly TerminalChoice[] {
    rawOf(this);
    const first = this.#decisions - this.#journal.length;
    return this.#journal.map((_, at) => ({ ...this.#journal[(first + at) % DECISIONS]! }));
  }

  /**
   * The selector as versioned bytes with a checksum, the same on every platform: the options and
   * what is known of each terminal.
   */
  snapshot(): Uint8Array {
    this.#mayBeStale = true;
    return call(this, (raw: RawTerminals) => raw.snapshot());
  }

  /**
   * A selector that goes on as if it had never stopped.
   *
   * @throws `snapshot_corrupt` for bytes that are cut, altered or no snapshot, `wrong_machine` for
   * another machine's, `snapshot_version` for those of a newer version, `invalid_argument` for
   * what is not a `Uint8Array`.
   */
  static restore(snapshot: Uint8Array): TerminalSelector {
    return restore(MACHINE, RawTerminals, snapshot, make);
  }

  #choice(raw: Raw, packed: number, command: string): TerminalChoice {
    const code = packed & Packed.Reason;
    const reason = (this.#reasons[code] ??= raw.text(code, ""));
    if (code >= Packed.Create) return { action: "create", command, reason };
    const relation = RELATIONS[packed >> 4]!;
    return {
      action: relation === "same" ? "reuse" : "reuse_with_cd",
      terminalId: raw.ask(Ask.Id),
      tier: (code + 1) as 1 | 2 | 3 | 4,
      relation,
      changesLeft: raw.ask(Ask.ChangesLeft),
      command,
      reason,
    };
  }

  /** For calls with numbers, behind the last of the host's code: it may call, too. */
  #raw(): Raw {
    const raw = rawOf<RawTerminals>(this) as Raw;
    if (this.#mayBeStale && raw.ask(Ask.IsStale) !== 0) this.#numbers = noNumbers();
    this.#mayBeStale = false;
    return raw;
  }

  /** The number by which the module knows a text. */
  #number(what: Text, of: Of, text: unknown): number {
    const numbers = this.#numbers[what - Text.Directory]!;
    let number = numbers.get(text);
    if (number === undefined) {
      // What is too long, or is no text, is refused whatever it says.
      const isText = typeof text === "string" && isWhole(text);
      const given = isText && text.length > LONGEST ? "-".repeat(LONGEST + 1) : text;
      number = (rawOf<RawTerminals>(this) as Raw).tell(
        (what + of) as Text,
        isText ? given : undefined,
      );
      numbers.set(text, number);
      this.#mayBeStale = true;
    }
    return number;
  }

  #optional(what: Text, of: Of, text: unknown): number {
    return text === undefined || text === null ? NONE : this.#number(what, of, text);
  }

  #run<T>(field: string, work: () => T): T {
    rawOf(this);
    try {
      return work();
    } catch (error) {
      throw known(fault(this, error), MACHINE, field);
    }
  }
}

/** For {@link restore}. */
function make(): TerminalSelector {
  return new TerminalSelector({ platform: "posix" });
}

/** One for each kind of text. */
function noNumbers(): readonly Map<unknown, number>[] {
  return [new Map(), new Map(), new Map(), new Map(), new Map()];
}

/** Whether a text has no half of a surrogate pair. */
function isWhole(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}
