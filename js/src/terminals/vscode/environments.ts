// Changes that an extension has made in the environment of terminals since these were made.

import type { VscodeEnvironmentMutator, VscodeTerminal, VscodeTerminalsOptions } from "./shapes.js";

type Collection = VscodeTerminalsOptions["environmentVariableCollection"];

export class Environments {
  /** What the extension did to a terminal's environment when it was made. */
  readonly #then = new WeakMap<VscodeTerminal, Map<string, string>>();

  constructor(private readonly collection: Collection) {}

  made(terminal: VscodeTerminal): void {
    this.#then.set(terminal, this.#now());
  }

  /** The names that are not what they were when the terminal was made. */
  changed(terminal: VscodeTerminal): string[] {
    const then = this.#then.get(terminal);
    if (then === undefined || this.collection === undefined) return [];
    const now = this.#now();
    const names = new Set([...then.keys(), ...now.keys()]);
    return [...names].filter((name) => then.get(name) !== now.get(name));
  }

  /** What it does to the environment of terminals that are made now. */
  #now(): Map<string, string> {
    const written = ([name, { type, value }]: readonly [string, VscodeEnvironmentMutator]) =>
      [name, `${type} ${value}`] as const;
    return new Map(Array.from(this.collection ?? [], written));
  }
}
