// Who waits for news of a terminal.

import type { VscodeTerminal } from "./shapes.js";

/** Milliseconds after which whoever waits for anything at all looks again, if not sooner. */
const LOOKING_AGAIN = 1_000;

export class News {
  readonly #waiting = new Set<(terminal: VscodeTerminal | undefined) => void>();
  #isOver = false;

  /** Whether there will be none any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Has those look who wait for news of a terminal. */
  wake(terminal: VscodeTerminal): void {
    for (const look of [...this.#waiting]) look(terminal);
  }

  /** Nobody waits any longer. */
  end(): void {
    this.#isOver = true;
    for (const look of [...this.#waiting]) look(undefined);
  }

  /** Resolves when something happens to a terminal, or the signal is aborted. */
  change(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#waiting.delete(end);
        signal?.removeEventListener("abort", end);
        resolve();
      };
      // A host may release a task, of which nobody here is told.
      const timer = setTimeout(end, LOOKING_AGAIN);
      this.#waiting.add(end);
      signal?.addEventListener("abort", end, { once: true });
    });
  }

  /** Waits until it holds, or for that many milliseconds, and says whether it does; not once the terminal is closed or all is over. */
  until(terminal: VscodeTerminal, milliseconds: number, holds: () => boolean): Promise<boolean> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#waiting.delete(look);
        resolve(holds());
      };
      const look = (about: VscodeTerminal | undefined) => {
        const isNews = about === terminal && (terminal.exitStatus !== undefined || holds());
        if (isNews || this.#isOver) end();
      };
      const timer = setTimeout(end, milliseconds);
      this.#waiting.add(look);
      look(terminal);
    });
  }
}
