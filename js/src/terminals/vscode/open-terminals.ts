// The terminals that are used, by their numbers and by VS Code's objects, and what the selector is told of them.

import { TurnkeeperError } from "../../boundary/errors.js";
import type { TerminalChange } from "../../boundary/generated/shapes.js";
import type { VscodeSelector, VscodeTerminal } from "./shapes.js";

export class OpenTerminals {
  readonly #terminals = new Map<number, VscodeTerminal>();
  readonly #ids = new Map<VscodeTerminal, number>();

  constructor(private readonly selector: VscodeSelector) {}

  all(): Iterable<VscodeTerminal> {
    return this.#terminals.values();
  }

  get(id: number): VscodeTerminal | undefined {
    return this.#terminals.get(id);
  }

  has(id: number): boolean {
    return this.#terminals.has(id);
  }

  idOf(terminal: VscodeTerminal): number | undefined {
    return this.#ids.get(terminal);
  }

  know(id: number, terminal: VscodeTerminal): void {
    this.#terminals.set(id, terminal);
    this.#ids.set(terminal, id);
  }

  closed(terminal: VscodeTerminal): void {
    this.tell(terminal, { closed: true });
    const id = this.#ids.get(terminal);
    if (id !== undefined) this.#terminals.delete(id);
    this.#ids.delete(terminal);
  }

  /** Tells the selector what has happened to a terminal, if that is one of these. */
  tell(terminal: VscodeTerminal, change: TerminalChange): void {
    const id = this.#ids.get(terminal);
    if (id !== undefined) told(() => this.selector.update(id, change));
  }

  /** Whether the selector knows a terminal by that number. */
  isKnown(id: number): boolean {
    return this.selector.terminals.some((known) => known.id === id);
  }

  /** Has the selector forget a terminal unless it is one of these. */
  forget(id: number): void {
    if (this.isKnown(id) && !this.has(id)) this.selector.update(id, { closed: true });
  }
}

/**
 * Tells the selector something that is no call of the host's, and so cannot fail: VS Code may say that a terminal is
 * in a directory on another machine, and the selector may be disposed of.
 */
export function told(tell: () => void): void {
  try {
    tell();
  } catch (error) {
    if (!(error instanceof TurnkeeperError)) throw error;
  }
}
