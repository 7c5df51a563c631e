// Shells that report to VS Code later than they are waited for, or never: a window made by hand says when.

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";

import { deferred, idle } from "./assembler-host.mjs";
import { load, turnkeeper } from "./installed-package.mjs";

const { TerminalSelector } = turnkeeper;
const { connectVscodeTerminals } = load("turnkeeper/adapters/vscode");

const CWD = "/work";

/** A window whose terminals report, begin and end commands when they are told to. */
class Window {
  terminals = [];
  #listeners = {};

  constructor() {
    for (const name of [
      "onDidOpenTerminal",
      "onDidCloseTerminal",
      "onDidChangeTerminalState",
      "onDidChangeTerminalShellIntegration",
      "onDidStartTerminalShellExecution",
      "onDidEndTerminalShellExecution",
    ]) {
      const listeners = (this.#listeners[name] = new Set());
      this[name] = (listener) => {
        listeners.add(listener);
        return { dispose: () => listeners.delete(listener) };
      };
    }
  }

  #fire(name, event) {
    for (const listener of this.#listeners[name]) listener(event);
  }

  createTerminal(creationOptions) {
    const window = this;
    const terminal = {
      name: "Agent",
      processId: Promise.resolve(this.terminals.length + 1),
      creationOptions,
      state: { isInteractedWith: false, shell: undefined },
      typed: [],
      executed: [],
      sendText: (text) => terminal.typed.push(text),
      dispose() {
        terminal.exitStatus = {};
        window.#fire("onDidCloseTerminal", terminal);
      },
      /** VS Code finds out what it runs. */
      runs(shell) {
        terminal.state = { ...terminal.state, shell };
        window.#fire("onDidChangeTerminalState", terminal);
      },
      /** Its shell is at its first prompt. */
      reports(cwd = CWD) {
        const executeCommand = (command) => {
          terminal.executed.push(command);
          return window.#execution([]);
        };
        terminal.shellIntegration = { cwd: cwd && { fsPath: cwd }, executeCommand };
        window.#fire("onDidChangeTerminalShellIntegration", { terminal });
      },
      /** A command that VS Code was asked to run is over. */
      ended(execution, exitCode) {
        window.#fire("onDidEndTerminalShellExecution", { terminal, execution, exitCode });
      },
      begins(...printed) {
        const execution = window.#execution(printed);
        window.#fire("onDidStartTerminalShellExecution", { terminal, execution });
        return (exitCode) =>
          window.#fire("onDidEndTerminalShellExecution", { terminal, execution, exitCode });
      },
    };
    this.terminals.push(terminal);
    return terminal;
  }

  #execution(printed) {
    return {
      async *read() {
        yield* printed;
      },
    };
  }
}

/** Terminals in such a window; `type` runs a command whose shell is waited for in vain. */
function connected(options = {}, rules = {}) {
  const window = new Window();
  const selector = new TerminalSelector({ platform: "posix", ...rules });
  const terminals = connectVscodeTerminals({ window }, selector, options);
  const run = (command, request) => terminals.run({ command, workingDirectory: CWD, ...request });
  const type = async (command, request) => {
    const result = run(command, request);
    await clock.forward(5_000);
    return result;
  };
  return { window, selector, terminals, run, type };
}

/** Whatever can happen without time passing has happened. */
async function settled() {
  for (let round = 0; round < 20; round++) await idle();
}

/** What a promise has come to by now. */
async function now(promise) {
  const pending = Symbol("pending");
  await settled();
  const value = await Promise.race([promise, pending]);
  return value === pending ? "pending" : value;
}

const shown = ({ outcome, exitCode, output }) => ({ outcome, exitCode, output });

/** The package's clock, which stands still until it is set forward. */
class Clock {
  #now = 0;
  #timers = new Map();
  #last = 0;
  #real = { setTimeout, clearTimeout };
  #realNow = Object.getOwnPropertyDescriptor(performance, "now");

  start() {
    globalThis.setTimeout = (done, milliseconds = 0) => {
      this.#timers.set(++this.#last, { at: this.#now + milliseconds, done });
      return this.#last;
    };
    globalThis.clearTimeout = (id) => this.#timers.delete(id);
    this.#define({ value: () => this.#now, configurable: true });
  }

  stop() {
    Object.assign(globalThis, this.#real);
    if (this.#realNow) this.#define(this.#realNow);
    else delete performance.now;
  }

  /** Assigned to, it would be refused: in Node 18 it cannot be written. */
  #define(now) {
    Object.defineProperty(performance, "now", now);
  }

  /** How many wait for it. */
  get timers() {
    return this.#timers.size;
  }

  async forward(milliseconds) {
    const end = this.#now + milliseconds;
    for (;;) {
      await settled();
      const due = [...this.#timers].filter(([, { at }]) => at <= end);
      if (due.length === 0) break;
      const [id, { at, done }] = due.reduce((a, b) => (b[1].at < a[1].at ? b : a));
      this.#timers.delete(id);
      this.#now = at;
      done();
    }
    this.#now = end;
  }
}

let clock;
beforeEach(() => {
  clock = new Clock();
  clock.start();
});
afterEach(() => clock.stop());

test("terminals of another provider are none to wait for after a restart", async () => {
  const window = new Window();
  const selector = new TerminalSelector({ platform: "posix" });
  selector.register({ id: 7, provider: "child process", workingDirectory: CWD });
  const terminals = connectVscodeTerminals({ window }, selector);
  assert.equal(await now(terminals.ready), undefined);
  selector.register({ id: 8, provider: "vscode", workingDirectory: CWD });
  const after = connectVscodeTerminals({ window }, selector);
  assert.equal(await now(after.ready), "pending");
  await clock.forward(8_000);
  assert.equal(await now(after.ready), undefined);
  for (const each of [terminals, after]) each.dispose();
});

describe("a new terminal whose shell says that it is elsewhere", () => {
  for (const [where, line] of [
    [`${CWD}/tests/unit`, /^cd -- '\/work' && npm test$/],
    ["/home/me", /^cd -- '\/work' && npm test$/],
    [CWD, /^npm test$/],
    [`${CWD}/`, /^npm test$/],
  ]) {
    test(`in ${where}`, async () => {
      const { window, run, selector } = connected();
      void run("npm test");
      await settled();
      const [terminal] = window.terminals;
      terminal.reports(where);
      await settled();
      assert.equal(terminal.executed.length, 1);
      assert.match(terminal.executed[0], line);
      assert.equal(window.terminals.length, 1);
      assert.equal(selector.terminals[0].busy, true);
    });
  }

  test("is waited for where it says so a little later", async () => {
    const { window, run } = connected();
    void run("npm test");
    await settled();
    const [terminal] = window.terminals;
    terminal.reports(null);
    await settled();
    assert.deepEqual(terminal.executed, []);
    terminal.reports("/home/me");
    await settled();
    assert.match(terminal.executed[0], /^cd -- '\/work' && npm test$/);
  });
});

describe("the last output of a command", () => {
  /** A run whose command has printed "late" when that is let go. */
  async function ran() {
    const { window, run, ...all } = connected();
    const abort = new AbortController();
    const { result } = run("make", { signal: abort.signal });
    await settled();
    const [terminal] = window.terminals;
    const { promise, resolve: print } = deferred();
    terminal.reports();
    const execution = {
      async *read() {
        await promise;
        yield "late\n";
      },
    };
    terminal.shellIntegration.executeCommand = () => execution;
    await settled();
    return { ...all, result, print, abort, end: () => terminal.ended(execution, 0) };
  }

  test("may come seconds after its end", async () => {
    const { result, print, end, terminals } = await ran();
    end();
    await clock.forward(4_900);
    assert.equal(await now(result), "pending");
    print();
    await settled();
    await clock.forward(5_000);
    assert.deepEqual(shown(await result), { outcome: "exited", exitCode: 0, output: "late\n" });
    terminals.dispose();
  });

  test("is waited for a second if it was interrupted", async () => {
    const { result, abort, terminals } = await ran();
    abort.abort();
    await clock.forward(1_000);
    assert.equal((await now(result)).outcome, "aborted");
    terminals.dispose();
  });
});

test("a command that was led elsewhere and failed may tell late where it is", async () => {
  const { window, terminals, run } = connected();
  const elsewhere = { taskId: "a", workingDirectory: `${CWD}/src` };
  const first = run("one", { taskId: "a" }).result;
  await settled();
  const [terminal] = window.terminals;
  const executions = [];
  terminal.runs("bash");
  terminal.reports();
  terminal.shellIntegration.executeCommand = () => {
    executions.push({ async *read() {} });
    return executions.at(-1);
  };
  await settled();
  terminal.ended(executions[0], 0);
  await clock.forward(100);
  await first;
  const second = run("two", elsewhere).result;
  await settled();
  terminal.ended(executions[1], 3);
  await clock.forward(900);
  assert.equal(await now(second), "pending");
  terminal.reports(`${CWD}/src`);
  assert.equal((await second).choice.action, "reuse_with_cd");
  const third = run("three", elsewhere).result;
  await settled();
  assert.deepEqual(terminal.executed, ["three"]);
  terminals.dispose();
  await third;
});

describe("a shell that reports after its command was typed in", () => {
  test("tells how the command ended, and is chosen again", async () => {
    const { window, selector, terminals, run, type } = connected();
    const heard = [];
    const first = await type("make", { onOutput: (data) => heard.push(data) });
    assert.deepEqual(shown(first), { outcome: "sent", exitCode: undefined, output: "" });
    const [terminal] = window.terminals;
    assert.deepEqual(terminal.typed, ["make"]);
    await clock.forward(30_000);
    assert.equal(await now(first.later), "pending");
    terminal.reports();
    const ends = terminal.begins("one\r\n", "two\r\n");
    await clock.forward(30_000);
    assert.equal(await now(first.later), "pending");
    assert.equal(selector.terminals[0].busy, true);
    ends(3);
    await clock.forward(100);
    const later = await first.later;
    assert.deepEqual(shown(later), { outcome: "exited", exitCode: 3, output: "one\ntwo\n" });
    assert.deepEqual(heard, ["one\r\n", "two\r\n"]);
    assert.equal(later.terminalId, first.terminalId);
    assert.deepEqual([later.terminal, later.later], [terminal, undefined]);
    assert.equal(selector.terminals[0].busy, false);
    const second = run("make test");
    await settled();
    assert.deepEqual(terminal.executed, ["make test"]);
    assert.equal(window.terminals.length, 1);
    terminals.dispose();
    assert.equal((await second).later, undefined);
  });

  test("tells of the last line's end, where several were typed", async () => {
    const { window, selector, terminals, type } = connected();
    const { later } = await type("false\ntrue");
    const [terminal] = window.terminals;
    terminal.reports();
    const falseEnds = terminal.begins("1\n");
    falseEnds(1);
    const trueEnds = terminal.begins("2\n");
    await clock.forward(10_000);
    assert.equal(await now(later), "pending");
    assert.equal(selector.terminals[0].busy, true);
    trueEnds(0);
    await clock.forward(100);
    assert.deepEqual(shown(await later), { outcome: "exited", exitCode: 0, output: "1\n2\n" });
    terminals.dispose();
  });

  test("is idle 5 seconds later where the command was over by then", async () => {
    const { window, selector, terminals, type } = connected();
    const { later } = await type("make");
    window.terminals[0].reports("/work/elsewhere");
    await clock.forward(4_999);
    assert.equal(selector.terminals[0].busy, true, "it may be about to begin");
    await clock.forward(101);
    assert.deepEqual(shown(await later), { outcome: "exited", exitCode: undefined, output: "" });
    const [{ busy, workingDirectory }] = selector.terminals;
    assert.deepEqual([busy, workingDirectory], [false, "/work/elsewhere"]);
    terminals.dispose();
  });

  test("is not closed for another command once its own is seen", async () => {
    for (const isSeen of [false, true]) {
      const { window, selector, terminals, type } = connected({}, { maxTerminals: 1 });
      await type("make");
      if (isSeen) {
        window.terminals[0].reports();
        window.terminals[0].begins();
      }
      const { action, close } = selector.select({
        command: "ls",
        workingDirectory: CWD,
        provider: "vscode",
      });
      assert.deepEqual([action, close], isSeen ? ["wait", undefined] : ["create", [1]]);
      terminals.dispose();
    }
  });

  test("is interrupted by the request's signal, aborted before or after the begin", async () => {
    for (const isBefore of [true, false]) {
      const { window, selector, terminals, type } = connected();
      const abort = new AbortController();
      const { later } = await type("make", { signal: abort.signal });
      const [terminal] = window.terminals;
      if (isBefore) abort.abort();
      terminal.reports();
      assert.deepEqual(terminal.typed, ["make"], "an interrupt now would be the shell's");
      const ends = terminal.begins();
      if (!isBefore) abort.abort();
      assert.equal((await later).outcome, "aborted");
      assert.deepEqual(terminal.typed, ["make", "\u0003"]);
      assert.equal(selector.terminals[0].busy, true);
      ends(130);
      await clock.forward(100);
      assert.equal(selector.terminals[0].busy, false);
      terminals.dispose();
    }
  });
});

describe("once a shell has reported late, one of the same program", () => {
  const options = { terminal: ({ shell }) => ({ shellPath: `/bin/${shell}` }) };
  const shell = "bash";

  async function after(late) {
    const all = connected(options);
    await all.type("one", { shell, taskId: "a" });
    await clock.forward(late - 5_000);
    all.window.terminals[0].reports();
    all.window.terminals[0].begins();
    return all;
  }

  test("is waited for twice as long, and no other one", async () => {
    const { window, terminals, run, type } = await after(7_000);
    const bash = run("two", { shell, taskId: "b" });
    await settled();
    const dash = await type("three", { shell: "sh", taskId: "c" });
    assert.equal(dash.outcome, "sent");
    await clock.forward(8_999);
    const [, second] = window.terminals;
    assert.deepEqual([second.creationOptions.shellPath, second.typed], ["/bin/bash", []]);
    second.reports();
    await settled();
    assert.deepEqual(second.executed, ["two"]);
    terminals.dispose();
    assert.equal((await bash).outcome, "aborted");
  });

  test("is typed into after that, at the latest after a minute", async () => {
    for (const [late, limit] of [
      [7_000, 14_000],
      [30_000, 60_000],
      [59_000, 60_000],
      // Somebody may have led it to report by hand.
      [61_000, 5_000],
    ]) {
      const { window, terminals, run } = await after(late);
      const result = run("two", { shell, taskId: "b" });
      await clock.forward(limit - 1);
      assert.deepEqual(window.terminals[1].typed, [], `${late}`);
      await clock.forward(1);
      assert.deepEqual(window.terminals[1].typed, ["two"], `${late}`);
      assert.equal((await result).outcome, "sent");
      terminals.dispose();
    }
  });

  test("that is waited for already is waited for longer, too", async () => {
    const { window, terminals, run, type } = connected(options);
    await type("one", { shell, taskId: "a" });
    const result = run("two", { shell, taskId: "b" });
    await clock.forward(2_000);
    window.terminals[0].reports();
    await clock.forward(5_000);
    window.terminals[1].reports();
    await settled();
    assert.deepEqual([window.terminals[1].typed, window.terminals[1].executed], [[], ["two"]]);
    terminals.dispose();
    assert.equal((await result).outcome, "aborted");
  });
});

test("a terminal that is handed over is used once its shell says where it is", async () => {
  const { window, terminals, run } = connected();
  const own = window.createTerminal({});
  const adopted = terminals.adopt(own);
  await settled();
  own.reports("");
  await clock.forward(1_500);
  own.reports(CWD);
  assert.equal(await adopted, 1);
  own.runs("bash");
  const result = run("ls");
  await settled();
  assert.deepEqual(own.executed, ["ls"]);
  terminals.dispose();
  assert.equal((await result).choice.action, "reuse");
});

describe("a shell that VS Code calls by another name at first", () => {
  async function inTerminal() {
    const all = connected();
    const { window, run } = all;
    const first = run("one", { taskId: "a" });
    await settled();
    const [terminal] = window.terminals;
    terminal.runs("node");
    terminal.reports();
    await settled();
    terminal.begins()(0);
    return { ...all, terminal, first };
  }

  test("is named before the next choice, so that it can be led elsewhere", async () => {
    const { window, selector, terminals, run, terminal } = await inTerminal();
    selector.update(1, { environment: ["PATH"] });
    const second = run("two", {
      taskId: "a",
      workingDirectory: `${CWD}/src`,
      cleanEnvironment: false,
    });
    await clock.forward(999);
    assert.equal(window.terminals.length, 1);
    terminal.runs("bash");
    await settled();
    assert.deepEqual(terminal.executed.slice(1), [`cd -- '${CWD}/src' && two`]);
    const [{ shell, taskId, environment }] = selector.terminals;
    assert.deepEqual([shell, taskId, environment], ["bash", "a", ["PATH"]]);
    terminals.dispose();
    assert.equal((await second).choice.action, "reuse_with_cd");
  });

  test("is not waited for longer than a second, but learnt later", async () => {
    const { window, selector, terminals, run, terminal } = await inTerminal();
    const second = run("two", { taskId: "a", workingDirectory: `${CWD}/src` });
    await clock.forward(1_000);
    assert.equal(window.terminals.length, 2);
    terminal.runs("bash");
    const third = run("three", { taskId: "a" });
    await settled();
    assert.equal(selector.terminals[0].shell, "bash");
    terminals.dispose();
    const ends = [await second, await third];
    assert.deepEqual(
      ends.map(({ outcome }) => outcome),
      ["aborted", "aborted"],
    );
  });
});

describe("a shell that never reports", () => {
  test("leaves its command's end open until its terminal is closed", async () => {
    const { window, selector, terminals, type } = connected();
    const { later } = await type("make");
    await clock.forward(3_600_000);
    assert.equal(await now(later), "pending");
    assert.equal(selector.terminals[0].busy, true);
    window.terminals[0].dispose();
    assert.deepEqual(shown(await later), { outcome: "closed", exitCode: undefined, output: "" });
    assert.equal(selector.terminals.length, 0);
    terminals.dispose();
  });

  test("leaves it open until another command is sent there", async () => {
    const { window, selector, terminals, run, type } = connected();
    const first = await type("one");
    selector.update(first.terminalId, { busy: false });
    // It is waited for once.
    const second = await run("two");
    assert.deepEqual(window.terminals[0].typed, ["one", "two"]);
    assert.equal((await first.later).outcome, "sent");
    assert.equal(await now(second.later), "pending");
    terminals.dispose();
    assert.equal((await second.later).outcome, "aborted");
  });

  test("does not hold who only iterates over what its command prints", async () => {
    const { terminals, run } = connected();
    const pieces = [];
    const iterated = (async () => {
      for await (const data of run("make")) pieces.push(data);
    })();
    await clock.forward(5_000);
    await iterated;
    assert.deepEqual(pieces, []);
    terminals.dispose();
  });
});

test("nothing is sent, and no timer kept, once the terminals are disposed of", async () => {
  const { window, selector, terminals, run, type } = connected();
  const { later } = await type("one", { taskId: "a" });
  window.terminals[0].reports();
  const waited = run("two", { taskId: "b" });
  await settled();
  assert.ok(clock.timers > 0);
  terminals.dispose();
  assert.deepEqual([(await later).outcome, (await waited).outcome], ["aborted", "aborted"]);
  assert.deepEqual(window.terminals[1].typed, []);
  assert.equal(selector.terminals.find(({ id }) => id === 2).busy, false);
  assert.equal(clock.timers, 0);
});
