// The time that a shell may take until it reports to VS Code, for which each terminal is waited for once.

import type { News } from "./news.js";
import type { VscodeShellIntegration, VscodeTerminal, VscodeTerminalOptions } from "./shapes.js";

/** The next shell of a program gets twice the time that the slowest one took. */
const LATE = 2;
/** No shell gets more than twelve times the limit; one that took longer was probably started by hand. */
const LONGEST = 12;

export class Patience {
  /** When a terminal was first waited for. */
  readonly #since = new WeakMap<VscodeTerminal, number>();
  /** Terminals whose shell has not reported in time. */
  readonly #silent = new WeakSet<VscodeTerminal>();
  /** The time that the slowest of those took, by their programs. */
  readonly #slowest = new Map<unknown, number>();

  constructor(
    private readonly limit: number,
    private readonly news: News,
  ) {}

  /** VS Code's hold on the shell; undefined if that has not reported in time. */
  async integration(terminal: VscodeTerminal): Promise<VscodeShellIntegration | undefined> {
    const reports = () => terminal.shellIntegration !== undefined;
    const began = performance.now();
    if (!this.#since.has(terminal)) this.#since.set(terminal, began);
    while (!reports() && !this.#silent.has(terminal) && !this.news.isOver) {
      // It may grow meanwhile, when a terminal with the same shell reports late.
      const left = began + this.#allowed(terminal) - performance.now();
      if (left <= 0 || terminal.exitStatus !== undefined) this.#silent.add(terminal);
      else await this.news.until(terminal, left, reports);
    }
    return terminal.shellIntegration;
  }

  /** Its shell reports. Says whether that is late; then others with that shell are given more time. */
  reports(terminal: VscodeTerminal): boolean {
    if (!this.#silent.delete(terminal)) return false;
    const took = performance.now() - this.#since.get(terminal)!;
    const program = programOf(terminal);
    const slowest = Math.max(took, this.#slowest.get(program) ?? 0);
    if (took <= LONGEST * this.limit) this.#slowest.set(program, slowest);
    return true;
  }

  #allowed(terminal: VscodeTerminal): number {
    const wanted = LATE * (this.#slowest.get(programOf(terminal)) ?? 0);
    return Math.max(this.limit, Math.min(wanted, LONGEST * this.limit));
  }
}

/** The program of its shell; undefined for the user's own. */
function programOf({ creationOptions }: VscodeTerminal): unknown {
  return (creationOptions as VscodeTerminalOptions | undefined)?.shellPath;
}
