// Terminals from before a restart of the extension host, or a reload of the window.

import type { OpenTerminals } from "./open-terminals.js";
import type {
  VscodeSelector,
  VscodeTerminal,
  VscodeTerminalOptions,
  VscodeWindow,
} from "./shapes.js";

/** What every terminal that is made here has in its environment. */
export const MARK = "TURNKEEPER_TERMINAL";
/**
 * The time that a terminal that is found again may lack its name, in milliseconds: none at first, then
 * its shell's. Only one that has another's number by chance is waited for that long.
 */
const NAMING = 5_000;
/** The time that a restored window may take until its terminals are there, in milliseconds. */
const RESTORING = 8_000;
/** Milliseconds between two looks. */
const LOOKING_AGAIN = 100;

/** By what terminals that were made here are known. */
interface Own {
  /** In the selector. */
  provider: string;
  /** In VS Code, if all are called the same. */
  name: string | undefined;
}

export class Restored {
  /** Terminals that were made here, so that the selector cannot know them from an earlier extension host. */
  readonly #made = new WeakSet<VscodeTerminal>();

  /** @param found Is told of each terminal that the selector knows. */
  constructor(
    private readonly window: VscodeWindow,
    private readonly selector: VscodeSelector,
    private readonly open: OpenTerminals,
    private readonly own: Own,
    private readonly found: (id: number, terminal: VscodeTerminal) => void,
  ) {}

  /** A terminal was made here. */
  isNew(terminal: VscodeTerminal): void {
    this.#made.add(terminal);
  }

  /** Resolves when all that the selector knows have been found, or will never be. */
  async find(isSettled: () => boolean): Promise<void> {
    // Those of other providers are none of VS Code's.
    const known = () =>
      this.selector.terminals.filter(({ provider }) => provider === this.own.provider);
    if (known().length === 0) return;
    await Promise.all(this.window.terminals.map((terminal) => this.opened(terminal)));
    for (let waited = 0; waited < RESTORING; waited += LOOKING_AGAIN) {
      if (known().every(({ id }) => this.open.has(id))) return;
      // They come all at once, so that those which are none of them by now never will be.
      if (this.window.terminals.length > 0 && isSettled()) return;
      await pause();
    }
  }

  /** A terminal is there, which may be one that a restored selector knows. */
  async opened(terminal: VscodeTerminal): Promise<void> {
    if (this.open.idOf(terminal) !== undefined) return;
    const id = await terminal.processId;
    if (this.#made.has(terminal)) return;
    if (id === undefined || this.open.has(id) || !this.open.isKnown(id)) return;
    // After a reload of the window VS Code knows no more than the name, and says no word when that
    // comes.
    for (let waited = 0; !this.#isOwn(terminal); waited += LOOKING_AGAIN) {
      if (waited >= NAMING) return;
      await pause();
    }
    this.found(id, terminal);
  }

  /** Whether it may have been made here, since numbers of processes are given again. */
  #isOwn(terminal: VscodeTerminal): boolean {
    const { env } = terminal.creationOptions as VscodeTerminalOptions;
    if (env?.[MARK] !== undefined) return true;
    const { name } = this.own;
    return name !== undefined && terminal.name === name;
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, LOOKING_AGAIN));
}
