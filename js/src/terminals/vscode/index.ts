import type { Vscode, VscodeSelector, VscodeTerminals, VscodeTerminalsOptions } from "./shapes.js";
import { Terminals } from "./terminals.js";

export type { VscodeRunResult, VscodeTerminals, VscodeTerminalsOptions } from "./shapes.js";

/**
 * Keeps a selector in step with VS Code's terminals, and runs commands in those that it chooses. Only
 * terminals that were made here, or were handed over with {@link VscodeTerminals.adopt}, are used.
 *
 * The selector knows a terminal by the number of its process. So one that was restored from a
 * snapshot finds its terminals again when the extension host, or the window, was restarted; those
 * that are gone are closed in it.
 *
 * @param vscode The module `vscode`.
 * @param selector All its terminals with the provider `"vscode"` must be VS Code's.
 * @throws `invalid_argument` where `vscode` lacks the events of shells, which are there since 1.93.
 * @example
 * ```ts
 * const selector = new TerminalSelector({ platform: process.platform });
 * const terminals = connectVscodeTerminals(vscode, selector);
 * const run = terminals.run({ command: "npm test", workingDirectory: "/project", taskId: "task-1" });
 * for await (const data of run) log(data);
 * const { exitCode } = await run;
 * ```
 */
export function connectVscodeTerminals(
  vscode: Vscode,
  selector: VscodeSelector,
  options: VscodeTerminalsOptions = {},
): VscodeTerminals {
  return new Terminals(vscode?.window, selector, options);
}
