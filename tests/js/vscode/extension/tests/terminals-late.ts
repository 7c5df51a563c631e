// Commands in real shells that report to VS Code later than they are waited for.

import * as vscode from "vscode";

import { observe } from "./observations";
import { put, read, shown, twelveCommands, using, type Given } from "./terminals";

/** So soon that every shell here is too late, in milliseconds. */
const IMPATIENT = { shellIntegrationTimeout: 500 };

export async function run(): Promise<void> {
  const given = JSON.parse(await read("given.json")) as Given;
  for (const { name, ...terminal } of given.shells) {
    await observe(`late-${name}`, () => late(given.root, name, terminal));
  }
  await observe("late-twelve", () => twelve(given.root));
  await observe("late-unseen", () => unseen(given));
}

/** The user's own start-up file holds the shell up until the command was typed in. */
function late(root: string, name: string, terminal: { shellPath: string; shellArgs: string[] }) {
  const gate = `${root}/gate-of-${name}`;
  const options = { ...IMPATIENT, terminal: { ...terminal, env: { GATE: gate } } };
  return using(options, async (terminals, selector) => {
    const command = "touch late-ran; sh -c 'exit 3'";
    const first = await terminals.run({ command, workingDirectory: root, taskId: "a" });
    const { later } = first;
    const busy = [selector.terminals[0]?.busy];
    await put(gate);
    const end = await later!;
    busy.push(selector.terminals[0]?.busy);
    const second = await terminals.run({
      command: "pwd; false",
      workingDirectory: `${root}/src`,
      taskId: "a",
    });
    return {
      runs: [first, end, second].map(shown),
      busy,
      terminals: vscode.window.terminals.length,
    };
  });
}

/** Twelve commands, each when the one before is over, of shells that take 7 seconds to begin. */
function twelve(root: string) {
  const terminal = { shellPath: "/bin/bash", env: { SLOW: "7" } };
  return using({ terminal, shellIntegrationTimeout: 5_000 }, async (terminals) => {
    const runs = [];
    const outcomes = [];
    for (const command of twelveCommands(root)) {
      const result = await terminals.run(command);
      outcomes.push(result.outcome);
      runs.push(shown((await result.later) ?? result));
    }
    return { runs, outcomes, terminals: vscode.window.terminals.length };
  });
}

/** A program that runs the first line itself, and only then becomes a shell that reports. */
function unseen({ root, becomesBash }: Given) {
  const options = { ...IMPATIENT, terminal: { shellPath: becomesBash } };
  return using(options, async (terminals, selector) => {
    const first = await terminals.run({
      command: "touch unseen-ran; false",
      workingDirectory: root,
    });
    const end = await first.later!;
    const busy = selector.terminals[0]?.busy;
    const second = await terminals.run({ command: "pwd", workingDirectory: root });
    return { runs: [first, end, second].map(shown), busy };
  });
}
