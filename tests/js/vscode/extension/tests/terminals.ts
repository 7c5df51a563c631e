// Commands in real terminals: which of them they run in, what comes out, and how they end.

import { TerminalSelector, TurnkeeperError } from "turnkeeper";
import { connectVscodeTerminals, type VscodeTerminals } from "turnkeeper/adapters/vscode";
import * as vscode from "vscode";

import type { Agent } from "../src/extension";
import { observe } from "./observations";

const SNAPSHOT = "selector.bin";
/**
 * How long a shell that reports may take to begin: on a busy machine longer than the adapter's usual 5 s, after
 * which it would be typed into, and nothing known of its commands.
 */
const PATIENT = { shellIntegrationTimeout: 120_000 };
/** What the test outside has made beside the workspace: shells, and directories. */
export interface Given {
  root: string;
  shells: { name: string; shellPath: string; shellArgs: string[] }[];
  hostile: string[];
  becomesBash: string;
}

export async function run(): Promise<void> {
  const given = JSON.parse(await read("given.json")) as Given;
  for (const { name, ...terminal } of given.shells) {
    await observe(`by-hand-${name}`, () => byHand(given.root, terminal));
    await observe(`hostile-${name}`, () => hostile(given, terminal));
  }
  await observe("twelve", () => twelve(given.root));
  await observe("side-by-side", () => sideBySide(given.root));
  await observe("closed", () => closed(given.root));
  await observe("busy", () => busy(given.root));
  await observe("interrupted", () => interrupted(given.root));
  await observe("cancelled", () => cancelled(given.root));
  await observe("silent", () => silent(given.root));
  await observe("limited", () => limited(given.root));
  await observe("waits", () => waits(given.root));
  await observe("environment", () => environment(given.root));
  await observe("adopted", () => adopted(given.root));
  await observe("not-its-own", () => notItsOwn(given.root));
  await observe("wrong", () => wrong(given.root));
  await observe("before-restart", () => beforeRestart(given.root));
}

/** A user moves in the terminal by hand; the agent goes on where it was, in the same terminal. */
function byHand(root: string, terminal: { shellPath: string; shellArgs: string[] }) {
  return using({ terminal }, async (terminals, selector) => {
    const first = await terminals.run({ command: "echo one", workingDirectory: root, taskId: "a" });
    const typed = ended(first.terminal);
    first.terminal.shellIntegration!.executeCommand("cd src");
    await typed;
    await until(() => selector.terminals[0]?.workingDirectory === `${root}/src`);
    const second = await terminals.run({
      command: "echo two; sh -c 'exit 3'",
      workingDirectory: root,
      taskId: "a",
    });
    const third = await terminals.run({
      command: "pwd; false",
      workingDirectory: root,
      taskId: "a",
    });
    return {
      runs: [first, second, third].map(shown),
      terminals: vscode.window.terminals.length,
      shell: selector.terminals[0]?.shell,
    };
  });
}

/** Directories whose names a shell could take for something else. */
function hostile({ root, hostile }: Given, terminal: { shellPath: string; shellArgs: string[] }) {
  return using({ terminal }, async (terminals, selector) => {
    const seen = [];
    for (const name of hostile) {
      const cwd = `${root}/${name}`;
      const { outcome, exitCode, choice } = await terminals.run({
        command: "pwd > here; false || true",
        workingDirectory: cwd,
      });
      seen.push({ name, action: choice.action, outcome, exitCode });
      await terminals.run({ command: "true", workingDirectory: root });
      for (const { id } of selector.terminals) selector.update(id, { reset: true });
    }
    const missing = await terminals.run({
      command: "touch ran; true",
      workingDirectory: `${root}/missing`,
    });
    const after = await terminals.run({ command: "pwd", workingDirectory: root });
    return {
      seen,
      missing: shown(missing),
      after: shown(after),
      terminals: vscode.window.terminals.length,
    };
  });
}

/** Twelve commands over four directories in two tasks, with the selector and without. */
async function twelve(root: string) {
  const commands = twelveCommands(root);
  const withSelector = await using({}, async (terminals, selector) => {
    const outputs = [];
    for (const command of commands) outputs.push((await terminals.run(command)).output);
    const { log } = selector;
    return { outputs, terminals: vscode.window.terminals.length, log };
  });
  // What most hosts do: a terminal is used again only in exactly its directory.
  const made = new Map<string, vscode.Terminal>();
  for (const { workingDirectory: cwd, taskId } of commands) {
    const key = `${taskId} ${cwd}`;
    if (!made.has(key)) made.set(key, vscode.window.createTerminal({ cwd }));
  }
  const without = vscode.window.terminals.length;
  await closeAll();
  return {
    withSelector,
    without,
    expected: commands.map(({ workingDirectory }, at) => `${at}\n${workingDirectory}\n`),
  };
}

export function twelveCommands(root: string) {
  const directories = [root, `${root}/src`, `${root}/src/deep`, `${root}/docs`];
  return Array.from({ length: 12 }, (_, at) => ({
    command: `echo ${at}; pwd`,
    workingDirectory: directories[(at * 7) % 4]!,
    taskId: at % 3 === 2 ? "b" : "a",
  }));
}

/** Two commands at once never meet in one terminal. */
function sideBySide(root: string) {
  return using({}, async (terminals) => {
    const run = (text: string) =>
      terminals.run({ command: `sleep 1; echo ${text}`, workingDirectory: root });
    const both = await Promise.all([run("one"), run("two")]);
    const third = await run("three");
    const ids = new Set([...both, third].map(({ terminalId }) => terminalId));
    return { outputs: [...both, third].map(({ output }) => output), terminals: ids.size };
  });
}

/** A terminal that the user closes is forgotten; a command in it ends. */
function closed(root: string) {
  return using({}, async (terminals, selector) => {
    const first = await terminals.run({ command: "echo one", workingDirectory: root });
    first.terminal.dispose();
    await until(() => selector.terminals.length === 0);
    const second = await terminals.run({ command: "echo two", workingDirectory: root });
    const begins = begun(second.terminal);
    const running = terminals.run({ command: "sleep 600", workingDirectory: root });
    await begins;
    second.terminal.dispose();
    const third = await running;
    return {
      runs: [first, second, third].map(shown),
      sameAgain: first.terminalId === second.terminalId,
      known: selector.terminals.length,
    };
  });
}

/** A terminal in which the user runs something is left alone until that has ended. */
function busy(root: string) {
  return using({}, async (terminals, selector) => {
    const first = await terminals.run({ command: "echo one", workingDirectory: root });
    const typed = ended(first.terminal);
    first.terminal.shellIntegration!.executeCommand(untilItIsThere(`${root}/second-ran`));
    await until(() => selector.terminals[0]?.busy === true);
    const second = await terminals.run({ command: "echo two", workingDirectory: root });
    await put(`${root}/second-ran`);
    await typed;
    await until(() => selector.terminals.every(({ busy }) => !busy));
    const third = await terminals.run({ command: "echo three", workingDirectory: root });
    return {
      others: first.terminalId !== second.terminalId,
      back: [first.terminalId, second.terminalId].includes(third.terminalId),
      runs: [first, second, third].map(shown),
    };
  });
}

/** Output comes while the command runs, and Ctrl+C ends it. */
function interrupted(root: string) {
  return using({}, async (terminals, selector) => {
    const abort = new AbortController();
    const run = terminals.run({
      command: "echo begun; sleep 60; echo ended",
      workingDirectory: root,
      signal: abort.signal,
    });
    let streamed = "";
    for await (const data of run) {
      streamed += data;
      if (streamed.includes("begun")) abort.abort();
    }
    const first = await run;
    await until(() => selector.terminals[0]?.busy === false);
    const second = await terminals.run({ command: "echo again", workingDirectory: root });
    return { runs: [first, second].map(shown), same: first.terminalId === second.terminalId };
  });
}

/** What is aborted before it begins does not begin, and takes nothing. */
function cancelled(root: string) {
  return using({}, async (terminals, selector) => {
    await terminals.run({ command: "true", workingDirectory: root });
    const signal = AbortSignal.abort();
    const command = "touch ran";
    const aborted = await terminals.run({ command, workingDirectory: `${root}/src`, signal });
    return { run: shown(aborted), terminals: selector.terminals };
  });
}

/** A shell that does not report: its commands are typed in. */
function silent(root: string) {
  const terminal = { shellPath: "/bin/dash" };
  return using({ terminal, shellIntegrationTimeout: 1_500 }, async (terminals, selector) => {
    const first = await terminals.run({ command: "echo ran > typed", workingDirectory: root });
    await until(async () => (await exists(`${root}/typed`)) === true);
    const busy = selector.terminals[0]?.busy;
    selector.update(first.terminalId, { busy: false });
    const second = await terminals.run({
      command: "pwd > typed-too",
      workingDirectory: `${root}/src`,
    });
    await until(async () => (await exists(`${root}/src/typed-too`)) === true);
    return {
      runs: [first, second].map(shown),
      busy,
      same: first.terminalId === second.terminalId,
      shell: selector.terminals[0]?.shell,
    };
  });
}

/** Nobody sees when a silent shell's command ends: under a limit its terminal is closed for the next. */
function limited(root: string) {
  const options = { terminal: { shellPath: "/bin/dash" }, shellIntegrationTimeout: 1_500 };
  return using(
    options,
    async (terminals) => {
      const first = await terminals.run({
        command: "sleep 60",
        workingDirectory: root,
        taskId: "a",
      });
      const second = await terminals.run({ command: "true", workingDirectory: root, taskId: "a" });
      await until(() => vscode.window.terminals.length === 1);
      const { close } = second.choice as { close?: number[] };
      return {
        runs: [first, second].map(shown),
        closed: close?.map((id) => id === first.terminalId),
        isGone: first.terminal.exitStatus !== undefined,
      };
    },
    { maxTerminals: 1 },
  );
}

/** Where no terminal may be made and none may be closed, a command waits for one. */
function waits(root: string) {
  return using(
    {},
    async (terminals, selector) => {
      const command = `${untilItIsThere(`${root}/second-waits`)}; echo one`;
      const first = terminals.run({ command, workingDirectory: root, taskId: "a" });
      await until(() => selector.terminals[0]?.busy === true);
      const second = terminals.run({ command: "echo two", workingDirectory: root, taskId: "a" });
      const waits = () => selector.log.some(({ action }) => action === "wait");
      await until(waits);
      await put(`${root}/second-waits`);
      return {
        runs: [await first, await second].map(shown),
        waited: waits(),
        terminals: vscode.window.terminals.length,
      };
    },
    { maxTerminals: 1 },
  );
}

/** What the extension changes in the environment of new terminals, those that are there do not have. */
async function environment(root: string) {
  const agent = vscode.extensions.getExtension<Agent>("turnkeeper-tests.agent");
  if (!agent) throw new Error("the agent is not there");
  const { environmentVariableCollection } = await agent.activate();
  try {
    return await using({ environmentVariableCollection }, async (terminals) => {
      const request = { command: "echo [$FROM_AGENT]", workingDirectory: root, taskId: "a" };
      const before = await terminals.run(request);
      environmentVariableCollection.replace("FROM_AGENT", "yes");
      const clean = await terminals.run({ ...request, cleanEnvironment: true });
      const any = await terminals.run({ ...request, cleanEnvironment: false });
      return { runs: [before, clean, any].map(shown) };
    });
  } finally {
    environmentVariableCollection.clear();
  }
}

/** A terminal of the host's own is used once it is handed over. */
function adopted(root: string) {
  return using({}, async (terminals) => {
    const own = vscode.window.createTerminal({ name: "own", cwd: root });
    const id = await terminals.adopt(own, { taskId: "a" });
    const again = await terminals.adopt(own);
    const { terminal, output } = await terminals.run({
      command: "pwd",
      workingDirectory: root,
      taskId: "a",
    });
    return { same: terminal === own, output, ids: id === again };
  });
}

/** Another extension's terminal is never touched. */
function notItsOwn(root: string) {
  return using({}, async (terminals) => {
    const other = vscode.window.createTerminal({ name: "other", cwd: root });
    await other.processId;
    const { terminal } = await terminals.run({ command: "pwd", workingDirectory: root });
    return terminal !== other;
  });
}

function wrong(root: string) {
  return using({}, async (terminals) => {
    const errors: unknown[] = [];
    for (const request of [
      { command: "pwd", workingDirectory: "src" },
      { command: 1, workingDirectory: root },
    ]) {
      await terminals
        .run(request as { command: string; workingDirectory: string })
        .then(undefined, (error: TurnkeeperError) => {
          errors.push([error instanceof TurnkeeperError, error.code, error.detail]);
        });
    }
    return { errors, terminals: vscode.window.terminals.length };
  });
}

/** Two terminals stay, and what is known of them is saved. */
async function beforeRestart(root: string) {
  const selector = new TerminalSelector({ platform: "posix" });
  const terminals = connectVscodeTerminals(vscode, selector, PATIENT);
  const first = await terminals.run({
    command: "kept=yes; cd src",
    workingDirectory: root,
    taskId: "a",
  });
  const second = await terminals.run({
    command: "true",
    workingDirectory: `${root}/docs`,
    taskId: "b",
  });
  await until(() => selector.terminals.some((it) => it.workingDirectory === `${root}/src`));
  await vscode.workspace.fs.writeFile(inWorkspace(SNAPSHOT), selector.snapshot());
  terminals.dispose();
  return { ids: [first.terminalId, second.terminalId], terminals: vscode.window.terminals.length };
}

/** The same in what comes after a restart. */
export async function afterRestart(root: string) {
  const bytes = await vscode.workspace.fs.readFile(inWorkspace(SNAPSHOT));
  const selector = TerminalSelector.restore(bytes);
  const terminals = connectVscodeTerminals(vscode, selector, PATIENT);
  await until(() => vscode.window.terminals.length === 2);
  const request = { workingDirectory: root, taskId: "a" };
  const first = await terminals.run({ ...request, command: "echo $kept" });
  const second = await terminals.run({ ...request, command: "echo again" });
  return {
    runs: [first, second].map(shown),
    terminals: vscode.window.terminals.length,
    // What VS Code brings back has no environment of its own.
    made: vscode.window.terminals.filter(hasEnvironment).length,
  };
}

function hasEnvironment({ creationOptions }: vscode.Terminal): boolean {
  return (creationOptions as vscode.TerminalOptions).env !== undefined;
}

export function shown({ outcome, exitCode, output, terminalId, choice }: Awaited<VscodeRunLike>) {
  const { action, tier } = choice;
  return { outcome, exitCode, output, terminalId, action, tier };
}

type VscodeRunLike = ReturnType<VscodeTerminals["run"]>["result"];

/** Does something with terminals of its own, and closes every terminal behind it. */
export async function using<T>(
  options: Parameters<typeof connectVscodeTerminals>[2],
  work: (terminals: VscodeTerminals, selector: TerminalSelector) => Promise<T>,
  rules: { maxTerminals?: number } = {},
): Promise<T> {
  const selector = new TerminalSelector({ platform: "posix", ...rules });
  const terminals = connectVscodeTerminals(vscode, selector, { ...PATIENT, ...options });
  try {
    return await work(terminals, selector);
  } finally {
    terminals.dispose();
    selector.dispose();
    await closeAll();
  }
}

async function closeAll(): Promise<void> {
  for (const terminal of vscode.window.terminals) terminal.dispose();
  await until(() => vscode.window.terminals.length === 0);
}

/** A shell command that ends as soon as a file is there. */
function untilItIsThere(file: string): string {
  return `until [ -e ${file} ]; do sleep 0.1; done`;
}

export async function put(file: string): Promise<void> {
  await vscode.workspace.fs.writeFile(vscode.Uri.file(file), new Uint8Array());
}

function begun(terminal: object): Promise<void> {
  return new Promise((resolve) => {
    const listener = vscode.window.onDidStartTerminalShellExecution((event) => {
      if (event.terminal !== terminal) return;
      listener.dispose();
      resolve();
    });
  });
}

function ended(terminal: object): Promise<void> {
  return new Promise((resolve) => {
    const listener = vscode.window.onDidEndTerminalShellExecution((event) => {
      if (event.terminal !== terminal) return;
      listener.dispose();
      resolve();
    });
  });
}

/** Waits for what must come, and gives up after a time that is only spent where it does not. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 3_000; tries++) {
    if (await holds()) return;
    await pause(50);
  }
  throw new Error(`waited in vain for ${holds}`);
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

async function exists(file: string): Promise<boolean> {
  const stat = vscode.workspace.fs.stat(vscode.Uri.file(file));
  return stat.then(
    ({ size }) => size > 0,
    () => false,
  );
}

function inWorkspace(name: string): vscode.Uri {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (!folder) throw new Error("no folder is open");
  return vscode.Uri.joinPath(folder.uri, name);
}

export async function read(name: string): Promise<string> {
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(inWorkspace(name)));
}
