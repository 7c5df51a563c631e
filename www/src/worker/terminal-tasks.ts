// What the terminal board asks for.

import {
  TerminalSelector,
  TurnkeeperError,
  type Shell,
  type TerminalChoice,
  type TerminalSelectorOptions,
} from "turnkeeper";

import { escapeControls } from "../words/plain-text.js";

export type Platform = "posix" | "win32";

/** What happens on the board. */
export type Action =
  | {
      do: "send";
      command: string;
      directory: string;
      task: string;
      /** A name, or the path of a program. */
      shell: string;
      cleanEnvironment: boolean;
    }
  | { do: "done" | "close" | "fail" | "report" | "lose" | "change" | "reset"; id: number }
  | { do: "release"; task: string };

/** The board's rules. */
export interface BoardOptions extends Pick<
  TerminalSelectorOptions,
  "maxDirectoryChanges" | "stealFromOtherTasks" | "maxTerminals" | "reachable"
> {
  platform: Platform;
}

/** What came of an action. */
export interface Outcome {
  action: Action;
  choice: TerminalChoice | undefined;
  /** The terminal that ran it, if one did. */
  terminal: number | undefined;
  /** Why it was refused. */
  problem: string | undefined;
}

export type BoardTerminal = TerminalSelector["terminals"][number];

export interface Board {
  outcomes: Outcome[];
  terminals: BoardTerminal[];
}

const PROVIDER = "board";

/** Plays a board from its beginning. */
export function playBoard({
  options,
  actions,
}: {
  options: BoardOptions;
  actions: Action[];
}): Board {
  const selector = new TerminalSelector(options);
  let lastId = 0;
  const outcomes: Outcome[] = [];
  const send = (action: Extract<Action, { do: "send" }>): Omit<Outcome, "action"> => {
    const { command, directory: workingDirectory, task: taskId, shell, cleanEnvironment } = action;
    const known = shellOf(shell, options.platform);
    const request = {
      command,
      workingDirectory,
      taskId,
      provider: PROVIDER,
      ...(known !== undefined && { shell: known }),
      cleanEnvironment,
    };
    const choice = selector.select(request);
    for (const id of choice.close ?? []) selector.update(id, { closed: true });
    if (choice.action === "wait") return { choice, terminal: undefined, problem: undefined };
    if (choice.action !== "create") {
      selector.update(choice.terminalId, { busy: true });
      return { choice, terminal: choice.terminalId, problem: undefined };
    }
    const id = ++lastId;
    selector.register({ id, provider: PROVIDER, shell, workingDirectory, taskId, busy: true });
    return { choice, terminal: id, problem: undefined };
  };
  try {
    for (const action of actions) {
      try {
        const done = action.do === "send" ? send(action) : change(selector, action);
        outcomes.push({ action, ...done });
      } catch (error) {
        if (!(error instanceof TurnkeeperError)) throw error;
        const problem = escapeControls(error.message);
        outcomes.push({ action, choice: undefined, terminal: undefined, problem });
      }
    }
    return { outcomes, terminals: [...selector.terminals] };
  } finally {
    selector.dispose();
  }
}

/** The shell that the package takes a name or a path for; undefined for one that it knows no lines of. */
function shellOf(shell: string, platform: Platform): Shell | undefined {
  const selector = new TerminalSelector({ platform });
  try {
    selector.register({ id: 1, provider: PROVIDER, shell });
    const known = selector.terminals[0]!.shell;
    return known === "other" ? undefined : known;
  } finally {
    selector.dispose();
  }
}

function change(
  selector: TerminalSelector,
  action: Exclude<Action, { do: "send" }>,
): Omit<Outcome, "action"> {
  if (action.do === "release") {
    selector.releaseTask(action.task);
    return { choice: undefined, terminal: undefined, problem: undefined };
  }
  const { id } = action;
  switch (action.do) {
    case "done":
      selector.update(id, { busy: false });
      break;
    case "close":
      selector.update(id, { closed: true });
      break;
    case "fail":
      selector.update(id, { failed: true, busy: false });
      break;
    case "reset":
      selector.update(id, { reset: true });
      break;
    case "change":
      selector.update(id, { environment: ["NODE_ENV"] });
      break;
    case "report": {
      const terminal = selector.terminals.find((each) => each.id === id);
      if (terminal?.workingDirectory !== undefined)
        selector.update(id, { workingDirectory: terminal.workingDirectory });
      break;
    }
    case "lose":
      selector.update(id, { workingDirectory: null });
      break;
  }
  return { choice: undefined, terminal: id, problem: undefined };
}
