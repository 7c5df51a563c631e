// What VS Code may lack or refuse is told with the package's own errors.

import assert from "node:assert/strict";
import { test } from "node:test";

import { assertTyped } from "./hostile-values.mjs";
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
    async () => terminals.run({ command: "ls", cwd: "/work" }),
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
    await assert.rejects(async () => terminals.run({ command: "ls", cwd: "/work" }), refused);
    terminals.dispose();
  }
});

test("a command waits for a terminal where there may be no more, unless it is aborted", async () => {
  const full = new TerminalSelector({ platform: "posix", maxTerminals: 1 });
  full.register({ id: 1, provider: "other", workingDirectory: "/work", busy: true });
  const terminals = connectVscodeTerminals({ window: failing() }, full, {
    shellIntegrationTimeout: 0,
  });
  const abort = new AbortController();
  const run = terminals.run({ command: "ls", cwd: "/work", signal: abort.signal });
  setTimeout(() => abort.abort(), 10);
  await assert.rejects(run.result, (error) => error.code === "limit_exceeded");
  terminals.dispose();
});
