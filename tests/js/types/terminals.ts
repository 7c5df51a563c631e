// Compiled against the installed package: each `@ts-expect-error` is a mistake that must not compile.

import {
  LoopDetector,
  TerminalSelector,
  pathRelation,
  type PathRelation,
  type Shell,
  type TerminalChoice,
  type TerminalSelectorOptions,
} from "turnkeeper";

const options: TerminalSelectorOptions = {
  platform: "win32",
  caseSensitive: false,
  maxDirectoryChanges: 0,
  stealFromOtherTasks: true,
  maxTerminals: 3,
  reachable: "anywhere",
};

/** What Node's `process.platform` says of a Mac. */
export const ofAMac: TerminalSelectorOptions = { platform: "darwin" };

export function aChoiceHasItsTypes(shell: Shell): TerminalChoice {
  using selector = new TerminalSelector(options);
  selector.register({ id: 1, provider: "vscode", shell, workingDirectory: "C:\\x", busy: true });
  selector.update(1, { busy: false, taskId: null, failed: true, environment: ["PATH"] });
  selector.sync([{ id: 1, provider: "vscode", shell: "/usr/bin/zsh", workingDirectory: null }]);
  selector.update(1, { workingDirectory: null, unobserved: true });
  selector.select({ workingDirectory: "C:\\x", provider: "execa" });
  const choice = selector.select({ command: "x", workingDirectory: "C:\\x", provider: "execa" });
  const id: number | undefined = choice.terminalId;
  const tier: 1 | 2 | 3 | 4 | undefined = choice.tier;
  if (choice.action === "reuse_with_cd") {
    const ofIt: [number, 1 | 2 | 3 | 4, PathRelation, number] = [
      choice.terminalId,
      choice.tier,
      choice.relation,
      choice.changesLeft,
    ];
    selector.cancel(ofIt[0]);
  }
  // @ts-expect-error: a terminal that is created has no id yet.
  if (choice.action === "create") selector.cancel(choice.terminalId);
  if (choice.action === "reuse") choice.directory satisfies "reported";
  if (choice.action === "wait") choice.waitFor satisfies number[];
  if (choice.action === "create") choice.workingDirectory satisfies string;
  if (choice.action === "create") choice.close satisfies number[] | undefined;
  // @ts-expect-error: there are no other actions.
  if (choice.action === "close") selector.cancel(id ?? tier ?? 0);
  const first: { id: number; busy: boolean; directoryChanges: number } | undefined =
    selector.terminals[0];
  // @ts-expect-error: terminals are the selector's own.
  selector.terminals.push(first);
  return selector.log[0] ?? choice;
}

export function wrongCallsDoNotCompile(selector: TerminalSelector): PathRelation {
  // @ts-expect-error: the platform is needed.
  new TerminalSelector({});
  // @ts-expect-error: a provider is needed.
  selector.register({ id: 1 });
  // @ts-expect-error: there is no way back from it.
  selector.update(1, { failed: false });
  // @ts-expect-error: there is no such shell.
  selector.select({ command: "x", workingDirectory: "/", provider: "x", shell: "tcsh" });
  const restored: TerminalSelector = TerminalSelector.restore(selector.snapshot());
  restored.releaseTask("A");
  // @ts-expect-error: the bytes are another machine's.
  TerminalSelector.restore(new LoopDetector().snapshot());
  // Bytes that were stored have no name.
  TerminalSelector.restore(new Uint8Array(selector.snapshot()));
  return pathRelation("/", "/x", { platform: "posix" });
}
