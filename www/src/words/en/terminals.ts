import type { BoardTerminal } from "../../worker/terminal-tasks.js";

import { count, plural } from "./amounts.js";

/** The words of the terminal board. */
export const terminalsWords = {
  board: {
    send: "A command",
    command: "Command",
    directory: "Directory",
    forTask: "Task",
    shell: "Shell",
    clean: "needs a clean environment",
    sendIt: "Send",
    rules: "Rules",
    platform: "Platform",
    posix: "Linux and macOS",
    win32: "Windows",
    changes: "Directory changes per terminal",
    most: "Terminals at most",
    noMost: "no limit",
    reach: "A cd may lead",
    reaches: { related: "up and down the tree", anywhere: "anywhere" },
    steal: "may take terminals of other tasks",
    undo: "Undo",
    clear: "Empty board",
    example: "Example",
    heading: "Terminals",
    empty: "No terminal yet: the first command opens one.",
    terminal: (id: number) => `Terminal ${count(id)}`,
    states: { idle: "idle", busy: "busy", failed: "failed", closing: "to be closed" },
    nowhere: "directory unknown",
    certainties: {
      reported: "reported",
      expected: "expected",
      uncertain: "uncertain",
    } satisfies Record<NonNullable<BoardTerminal["directory"]>, string>,
    aboutCertainty: {
      reported: "The shell said that it is there.",
      expected: "A command that ran there leads here; a cd comes first, to be sure.",
      uncertain: "Nobody knows where it is; a cd comes first.",
    } satisfies Record<NonNullable<BoardTerminal["directory"]>, string>,
    waitFor: (ids: readonly number[]) =>
      `until ${ids.map((id) => `Terminal ${count(id)}`).join(" or ")} is idle`,
    closes: (ids: readonly number[]) =>
      `closes ${ids.map((id) => `Terminal ${count(id)}`).join(", ")}`,
    noTask: "no task",
    task: (task: string) => `task ${task}`,
    changed: (changes: number) => plural(changes, "change"),
    environment: "environment changed",
    release: (task: string) => `End task ${task}`,
    acts: {
      done: "Command ends",
      close: "Close",
      fail: "Fails",
      report: "Reports its directory",
      lose: "Directory unknown",
      change: "Change a variable",
      reset: "Reset",
    },
    log: "What was chosen, and why",
    refused: "Refused:",
    choices: {
      reuse: "reuse",
      reuse_with_cd: "reuse after cd",
      create: "new",
      wait: "wait",
    } as Record<string, string>,
    relations: {
      same: "same directory",
      parent: "above it",
      child: "below it",
      unrelated: "elsewhere",
    },
    tier: (tier: number) => `tier ${tier}`,
    line: "The line that is sent",
    /** Why a terminal was chosen, or none; the package says it in English. */
    reason: (sentence: string) => sentence,
  },
};
