// The names that VS Code has for the shells of terminals, and those that the selector was told.

import type { TerminalState } from "../../boundary/generated/shapes.js";
import type { News } from "./news.js";
import type { OpenTerminals } from "./open-terminals.js";
import type { VscodeSelector, VscodeTerminal, VscodeTerminalOptions } from "./shapes.js";

/**
 * How long VS Code may take to call a shell by its name once that reports, in milliseconds. VS Code goes by
 * the name of the process, looks five times a second, and may see one that is still about to become the shell.
 */
const NAMING = 1_000;

export class ShellNames {
  /** With what name a terminal was registered. */
  readonly #registered = new WeakMap<VscodeTerminal, string | undefined>();

  constructor(
    private readonly selector: VscodeSelector,
    private readonly news: News,
  ) {}

  /** A terminal was registered with VS Code's name of its shell. */
  registered(terminal: VscodeTerminal, name: string | undefined): void {
    this.#registered.set(terminal, name);
  }

  /** Resolves when the shell of a terminal that may be led elsewhere has a name, or is given none. */
  async known(id: number, terminal: VscodeTerminal): Promise<void> {
    const state = this.selector.terminals.find((known) => known.id === id);
    const canBeLed = terminal.shellIntegration !== undefined && "shell" in terminal.state;
    if (!canBeLed || state === undefined || !isUnknown(state)) return;
    await this.news.until(terminal, NAMING, () => this.#isRenamed(terminal));
  }

  /** Tells the selector of those whose shells have another name by now, and that were not led elsewhere. */
  correct(terminals: OpenTerminals): void {
    for (const state of this.selector.terminals) {
      const { id, provider, taskId, workingDirectory, environment } = state;
      const terminal = terminals.get(id);
      if (terminal === undefined || !isUnknown(state) || !this.#isRenamed(terminal)) continue;
      if (state.busy || state.failed || state.closing || state.directoryChanges > 0) continue;
      const shell = shellOf(terminal);
      this.registered(terminal, shell);
      this.selector.update(id, { closed: true });
      this.selector.register({
        id,
        provider,
        ...(shell !== undefined && { shell }),
        ...(taskId !== undefined && { taskId }),
        ...(workingDirectory !== undefined && { workingDirectory }),
      });
      if (environment.length > 0) this.selector.update(id, { environment });
    }
  }

  #isRenamed(terminal: VscodeTerminal): boolean {
    return this.#registered.has(terminal) && this.#registered.get(terminal) !== shellOf(terminal);
  }
}

/** Whether the selector knows no shell of that name, and so none that can be led. */
function isUnknown({ shell }: TerminalState): boolean {
  return shell === undefined || shell === "other";
}

/** The name or the path of the shell that a terminal runs: undefined if that is not known. */
export function shellOf({ creationOptions, state }: VscodeTerminal): string | undefined {
  const { shellPath } = creationOptions as VscodeTerminalOptions;
  // VS Code says it since 1.97. On Windows it calls both PowerShells `pwsh`.
  const { shell } = state as { shell?: string };
  return shellPath || shell || undefined;
}
