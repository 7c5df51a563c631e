import { TerminalSelector, TurnkeeperError, type AgentEvent } from "turnkeeper";
import { commandOf, knownTool } from "../messages/tools.js";
import { fields, parsed, text } from "../messages/fields.js";

import type { Count } from "./count.js";

/** What the commands of a session need in terminals. */
export interface CommandTotals {
  /** Commands that were run. */
  commands: Count;
  /** Terminals that the selector opens for them. */
  terminalsNeeded: Count;
  /** Commands that run in a terminal that is already open. */
  terminalsReusable: Count;
}

/** Terminals that are open at once; each more makes every choice slower. */
const MOST_TERMINALS = 64;

/** Sends the commands of a session through the selector. */
export class CommandCount {
  readonly #totals: CommandTotals = { commands: 0, terminalsNeeded: 0, terminalsReusable: 0 };
  #selector: TerminalSelector | undefined;
  #isWindows = false;
  /** The calls whose commands run, each with its terminal. */
  readonly #running: { id: string | undefined; terminal: number }[] = [];

  /** @param workingDirectory where commands run that do not say it */
  take(event: AgentEvent, workingDirectory: string | undefined): void {
    if (event.type === "tool_result") this.#ended(event.id);
    if (event.type !== "tool_call" || knownTool(event.name) !== "command") return;
    const args = fields(parsed(event.args));
    const command = commandOf(fields(args.exec).command === undefined ? args : args.exec);
    if (command === undefined) return;
    this.#totals.commands += 1;
    const given =
      text(args.cwd) ?? text(args.workdir) ?? text(args.working_directory) ?? text(args.dir_path);
    try {
      this.#run(event.id, command, directoryOf(given, workingDirectory));
    } catch (error) {
      // A directory that says no one place: a terminal is opened for it.
      if (!(error instanceof TurnkeeperError)) throw error;
      this.#totals.terminalsNeeded += 1;
    }
  }

  end(): CommandTotals {
    this.#selector?.dispose();
    return this.#totals;
  }

  #run(id: string | undefined, command: string, directory: string): void {
    if (!this.#selector) {
      this.#isWindows = /^[A-Za-z]:[\\/]|^\\\\/.test(directory);
      const platform = this.#isWindows ? "win32" : "posix";
      this.#selector = new TerminalSelector({ platform, maxTerminals: MOST_TERMINALS });
    }
    const provider = "session";
    const request = { command, workingDirectory: directory, provider, taskId: provider };
    const choice = this.#selector.select(request);
    for (const closed of choice.close ?? []) this.#selector.update(closed, { closed: true });
    let terminal = choice.terminalId;
    if (choice.action === "wait") {
      // As many as anybody has are busy; a host would wait, and a log does not say for which.
      this.#totals.terminalsNeeded += 1;
      return;
    }
    if (choice.action === "create" || terminal === undefined) {
      terminal = this.#totals.terminalsNeeded += 1;
      const shell = this.#isWindows ? "powershell" : "bash";
      const made = { id: terminal, provider, shell, workingDirectory: directory } as const;
      this.#selector.register({ ...made, taskId: provider, busy: true });
    } else {
      this.#totals.terminalsReusable += 1;
      this.#selector.update(terminal, { busy: true });
    }
    this.#running.push({ id, terminal });
    // A command that never ends keeps its terminal; it need not be looked for.
    if (this.#running.length > 1_000) this.#running.shift();
  }

  #ended(id: string | undefined): void {
    for (let at = this.#running.length - 1; at >= 0; at--) {
      const run = this.#running[at]!;
      if (id !== undefined && run.id !== id) continue;
      this.#running.splice(at, 1);
      this.#selector!.update(run.terminal, { busy: false });
      return;
    }
  }
}

function directoryOf(given: string | undefined, current: string | undefined): string {
  const base = current ?? "/";
  if (given === undefined || given === "" || given === ".") return base;
  if (/^([A-Za-z]:[\\/]|[\\/])/.test(given)) return given;
  return `${base.replace(/[\\/]$/, "")}/${given}`;
}
