// What VS Code may lack or refuse is told with the package's own errors.

import assert from "node:assert/strict";
import { test } from "node:test";

import { deferred, idle } from "./assembler-host.mjs";
import { assertTyped } from "./typed-errors.mjs";
import { load, turnkeeper } from "./installed-package.mjs";

const { TerminalSelector, TurnkeeperError } = turnkeeper;
const { connectVscodeTerminals } = load("turnkeeper/adapters/vscode");

const EVENTS = [
  "onDidOpenTerminal",
  "onDidCloseTerminal",
  "onDidChangeTerminalShellIntegration",
  "onDidStartTerminalShellExecution",
  "onDidEndTerminalShellExecution",
];

/** A window whose terminals have no process: their shell could not be started. */
const failing = () => ({
  terminals: [],
  createTerminal: () => ({ processId: Promise.resolve(undefined), shellIntegration: undefined }),
  ...Object.fromEntries(EVENTS.map((name) => [name, () => ({ dispose() {} })])),
});

const selector = () => new TerminalSelector({ platform: "posix" });

test("a VS Code without the events of shells is refused by the name of what it lacks", () => {
  for (const name of ["createTerminal", ...EVENTS]) {
    const window = { ...failing(), [name]: undefined };
    const connect = () => connectVscodeTerminals({ window }, selector());
    assertTyped(connect, "invalid_argument", `vscode.window.${name}`, "vscode_terminals");
  }
  for (const vscode of [undefined, null, {}]) {
    const connect = () => connectVscodeTerminals(vscode, selector());
    assertTyped(connect, "invalid_argument", "vscode.window", "vscode_terminals");
  }
});

test("a terminal without a shell is told of, made here or handed over", async () => {
  const window = failing();
  const terminals = connectVscodeTerminals({ window }, selector(), { shellIntegrationTimeout: 0 });
  const typed = (code) => (error) => error instanceof TurnkeeperError && error.code === code;
  await assert.rejects(
    async () => terminals.run({ command: "ls", workingDirectory: "/work" }),
    typed("host_failed"),
  );
  await assert.rejects(terminals.adopt(window.createTerminal()), typed("invalid_argument"));
  terminals.dispose();
});

test("what VS Code throws is the cause of a typed error", async () => {
  const cause = new Error("the window is gone");
  const refused = (error) => error instanceof TurnkeeperError && error.cause === cause;
  const created = {
    ...failing(),
    createTerminal() {
      throw cause;
    },
  };
  const withoutProcess = {
    ...failing(),
    createTerminal: () => ({ processId: Promise.reject(cause), shellIntegration: undefined }),
  };
  for (const window of [created, withoutProcess]) {
    const terminals = connectVscodeTerminals({ window }, selector(), {
      shellIntegrationTimeout: 0,
    });
    await assert.rejects(
      async () => terminals.run({ command: "ls", workingDirectory: "/work" }),
      refused,
    );
    terminals.dispose();
  }
});

/** A window whose terminals have a process once they are started, and run their commands without end. */
function slow() {
  const made = [];
  return {
    ...failing(),
    made,
    createTerminal(creationOptions) {
      const { promise, resolve } = deferred();
      const id = made.length + 1;
      const terminal = { processId: promise, creationOptions, state: {}, executed: [] };
      const executeCommand = (command) => {
        terminal.executed.push(command);
        return { async *read() {} };
      };
      Object.assign(terminal, {
        start: () => resolve(id),
        shellIntegration: { executeCommand },
        sendText() {},
        dispose() {},
      });
      made.push(terminal);
      return terminal;
    },
  };
}

const full = () => {
  const selector = new TerminalSelector({ platform: "posix", maxTerminals: 1 });
  selector.register({ id: 1, provider: "other", workingDirectory: "/work", busy: true });
  return selector;
};

test("a command that waits for a terminal ends with the signal's reason, whenever it is aborted", async () => {
  for (const rounds of [0, 1, 3]) {
    const terminals = connectVscodeTerminals({ window: failing() }, full(), {
      shellIntegrationTimeout: 0,
    });
    const abort = new AbortController();
    const run = terminals.run({ command: "ls", workingDirectory: "/work", signal: abort.signal });
    for (let round = 0; round < rounds; round++) await idle();
    const reason = new Error("mine");
    abort.abort(reason);
    await assert.rejects(run.result, (error) => error === reason);
    terminals.dispose();
  }
});

test("a command that waits for a terminal is told when the terminals are disposed of", async () => {
  const window = failing();
  const terminals = connectVscodeTerminals({ window }, full(), { shellIntegrationTimeout: 0 });
  const run = terminals.run({ command: "ls", workingDirectory: "/work" });
  await idle();
  terminals.dispose();
  await assert.rejects(run.result, (error) => error.code === "disposed");
});

test("commands that are begun at once make no more terminals than there may be", async () => {
  const selector = new TerminalSelector({ platform: "posix", maxTerminals: 2 });
  const window = slow();
  const terminals = connectVscodeTerminals({ window }, selector, { shellIntegrationTimeout: 0 });
  const abort = new AbortController();
  const { signal } = abort;
  const runs = [1, 2, 3, 4].map((n) =>
    terminals.run({ command: `c${n}`, workingDirectory: "/work", signal }),
  );
  const executed = () => window.made.flatMap((terminal) => terminal.executed);
  while (executed().length < 2) {
    await idle();
    for (const terminal of window.made) terminal.start();
  }
  for (let round = 0; round < 10; round++) await idle();
  assert.deepEqual([executed(), window.made.length], [["c1", "c2"], 2]);
  abort.abort("mine");
  const ends = await Promise.all(runs.slice(0, 2).map((run) => run.result));
  assert.deepEqual(
    ends.map(({ outcome, terminalId }) => [outcome, terminalId]),
    [
      ["aborted", 1],
      ["aborted", 2],
    ],
  );
  for (const run of runs.slice(2)) await assert.rejects(run.result, (error) => error === "mine");
  assert.equal(window.made.length, 2);
  terminals.dispose();
});
