// The terminal selector, and what it says of paths.

import { folder, text } from "../texts.mjs";

const SHELLS = ["bash", "zsh", "sh", "fish", "pwsh", "powershell", "cmd", "nu"];
const id = (dice) => dice.below(6);
const provider = (dice) => dice.pick(["vscode", "execa"]);
const task = (dice) => dice.pick(["t1", "t2", "思"]);

export const terminalOptions = (dice) => ({
  platform: dice.pick(["posix", "win32"]),
  ...dice.some({
    caseSensitive: () => dice.chance(500),
    maxDirectoryChanges: () => dice.below(4),
    stealFromOtherTasks: () => dice.chance(500),
    maxTerminals: () => 1 + dice.below(4),
    reachable: () => dice.pick(["related", "anywhere"]),
  }),
});

const about = (dice) =>
  dice.some(
    {
      shell: () => dice.pick([...SHELLS, "/usr/bin/zsh", "tcsh"]),
      workingDirectory: () => (dice.chance(100) ? null : folder(dice)),
      taskId: () => task(dice),
    },
    600,
  );

export const terminal = (dice) => ({
  id: id(dice),
  provider: provider(dice),
  ...about(dice),
  ...dice.some({ busy: () => dice.chance(300) }),
});

export const request = (dice) => ({
  workingDirectory: folder(dice),
  provider: provider(dice),
  ...dice.some({
    command: () => dice.pick([text(dice), "make", "cd a", "cd a && make", "eval x"]),
    taskId: () => task(dice),
    shell: () => dice.pick(SHELLS),
    cleanEnvironment: () => dice.chance(500),
  }),
});

export const change = (dice) =>
  dice.some({
    closed: () => true,
    failed: () => true,
    reset: () => true,
    unobserved: () => true,
    busy: () => dice.chance(500),
    workingDirectory: () => (dice.chance(150) ? null : folder(dice)),
    taskId: () => (dice.chance(300) ? null : task(dice)),
    environment: () => dice.list(0, 3, () => dice.pick(["PATH", "A=1", "", text(dice)])),
  });

const rules = (dice) => ({
  platform: dice.pick(["posix", "win32"]),
  ...dice.some({ caseSensitive: () => dice.chance(500) }),
});
const alone = (call) => (it, given, dice, tk) => call(tk, ...given);

export const terminalSelector = {
  name: "TerminalSelector",
  options: terminalOptions,
  plainOptions: { platform: "posix" },
  make: ({ TerminalSelector }, options) => new TerminalSelector(options),
  calls: {
    register: { weight: 20, args: (dice) => [terminal(dice)] },
    // A directory that is refused leaves the terminal's unknown, and nothing else changes.
    update: { weight: 25, args: (dice) => [id(dice), change(dice)], keeps: false },
    select: { weight: 30, args: (dice) => [request(dice)] },
    cancel: { args: (dice) => [id(dice)] },
    sync: {
      keeps: false,
      args: (dice) => {
        const ids = [0, 1, 2, 3, 4, 5].filter(() => dice.chance(500));
        return [ids.map((id) => ({ ...terminal(dice), id }))];
      },
    },
    releaseTask: { args: (dice) => [task(dice)] },
    terminals: { run: (it) => it.terminals },
    // Not in a snapshot, so only that it can be read.
    log: { run: (it) => void it.log.length },
    pathRelation: {
      args: (dice) => [folder(dice), folder(dice), rules(dice)],
      run: alone(({ pathRelation }, ...given) => pathRelation(...given)),
    },
  },
  save: (it) => it.snapshot(),
  restore: ({ TerminalSelector }, snapshot) => TerminalSelector.restore(snapshot),
  end: (it) => it.dispose(),
};
