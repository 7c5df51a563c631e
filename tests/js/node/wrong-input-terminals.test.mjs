// Every call of the terminal selector with values of the wrong type: a typed error that names the
// field, and objects that go on working.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { assertTyped, cyclic } from "./typed-errors.mjs";
import { turnkeeper } from "./installed-package.mjs";

const { LoopDetector, TerminalSelector, pathRelation } = turnkeeper;

const refuses = (call, code, field) => assertTyped(call, code, field, "terminal_selector");
// Longer ones, the suite `memory` has.
const HUGE = "x".repeat(5_000_000);
const noTexts = [null, 7, {}, [], cyclic, Symbol("x"), 7n, () => "/p", "/\ud800"];
const posix = { platform: "posix" };
const make = () => {
  const selector = new TerminalSelector(posix);
  selector.register({ id: 1, provider: "vscode", workingDirectory: "/p/src", shell: "bash" });
  return selector;
};
const request = { command: "make", workingDirectory: "/p", provider: "vscode" };
const terminal = { id: 2, provider: "vscode" };
const works = (selector) => {
  assert.equal(selector.terminals.length, 1);
  const choice = selector.select(request);
  assert.equal(choice.action, "reuse_with_cd");
  selector.cancel(1);
};

describe("options", () => {
  for (const [options, field] of [
    [undefined, "platform"],
    [null, "options"],
    [7, "options"],
    [[], "options"],
    [{}, "platform"],
    [{ platform: "windows" }, "platform"],
    [{ ...posix, caseSensitive: 1 }, "caseSensitive"],
    [{ ...posix, maxDirectoryChanges: -1 }, "maxDirectoryChanges"],
    [{ ...posix, maxDirectoryChanges: 0.5 }, "maxDirectoryChanges"],
    [{ ...posix, maxDirectoryChanges: Number.NaN }, "maxDirectoryChanges"],
    [{ ...posix, stealFromOtherTasks: "yes" }, "stealFromOtherTasks"],
    [{ ...posix, steal: true }, "steal"],
  ]) {
    test(`the selector refuses ${JSON.stringify(options)}`, () => {
      refuses(() => new TerminalSelector(options), "invalid_config", field);
    });
  }

  test("the functions refuse other rules", () => {
    for (const options of [{ platform: 7 }, { platform: "posix " }]) {
      refuses(() => pathRelation("/a", "/b", options), "invalid_config", "platform");
    }
    for (const caseSensitive of [null, 1, "true"]) {
      const options = { ...posix, caseSensitive };
      refuses(() => pathRelation("/a", "/b", options), "invalid_config", "caseSensitive");
    }
    for (const options of [null, 7]) {
      refuses(() => pathRelation("/a", "/b", options), "invalid_argument", "options");
    }
  });
});

describe("paths", () => {
  test("are strings of whole characters", () => {
    for (const path of [undefined, ...noTexts]) {
      refuses(() => pathRelation(path, "/a", posix), "invalid_argument", "a");
      refuses(() => pathRelation("/a", path, posix), "invalid_argument", "b");
    }
    // Two halves that would be one character behind each other.
    refuses(() => pathRelation("/\ud83d", "\ude00", posix), "invalid_argument", "a");
  });

  test("have a length", () => {
    for (const path of ["/" + "x".repeat(4_096), "/" + "😀".repeat(9_000), `/${HUGE}`, HUGE]) {
      refuses(() => pathRelation(path, "/a", posix), "limit_exceeded", "a");
      refuses(() => pathRelation("/a", path, posix), "limit_exceeded", "b");
      refuses(() => pathRelation(path, path, posix), "limit_exceeded", "a");
    }
    const longest = "/" + "思".repeat(4_095);
    assert.equal(pathRelation(longest, `${longest.slice(0, -2)}/x`, posix), "unrelated");
    assert.equal(pathRelation(longest, "/", posix), "child");
  });
});

describe("texts and numbers", () => {
  const texts = [
    ["workingDirectory", true],
    ["provider", true],
    ["taskId", false],
    ["shell", false],
  ];
  for (const [name, isNeeded] of texts) {
    test(`${name} is refused, and nothing is changed`, () => {
      const selector = make();
      for (const wrong of noTexts) {
        if (wrong === null && !isNeeded) continue;
        refuses(
          () => selector.select({ ...request, [name]: wrong }),
          "invalid_argument",
          `request.${name}`,
        );
        if (wrong === null && name === "workingDirectory") continue;
        const call = () => selector.register({ ...terminal, [name]: wrong });
        refuses(call, "invalid_argument", `terminal.${name}`);
        if (name !== "taskId" && name !== "workingDirectory") continue;
        const change = { busy: true, failed: true, [name]: wrong };
        if (wrong === null) continue;
        refuses(() => selector.update(1, change), "invalid_argument", `change.${name}`);
        if (name !== "workingDirectory") continue;
        // It is not where it was, and nobody knows where it is.
        assert.equal(selector.terminals[0].workingDirectory, undefined);
        selector.update(1, { workingDirectory: "/p/src" });
      }
      works(selector);
      selector.dispose();
    });

    test(`${name} has a length`, () => {
      if (name === "shell") return;
      const selector = make();
      for (const long of ["/" + "x".repeat(4_096), "/" + "😀".repeat(4_000), HUGE]) {
        const call = () => selector.select({ ...request, [name]: long });
        refuses(call, "limit_exceeded", `request.${name}`);
        const register = () => selector.register({ ...terminal, [name]: long });
        refuses(register, "limit_exceeded", `terminal.${name}`);
      }
      works(selector);
      selector.dispose();
    });
  }

  test("ids are integers of at least 0", () => {
    const selector = make();
    for (const id of [undefined, null, "1", -1, 0.5, Number.NaN, {}, [1], 1n, Symbol("x")]) {
      const field = "invalid_argument";
      refuses(() => selector.register({ ...terminal, id }), field, "terminal.id");
      refuses(() => selector.update(id, {}), field, "id");
      refuses(() => selector.cancel(id), field, "terminalId");
    }
    refuses(
      () => selector.register({ ...terminal, id: 2 ** 53 }),
      "invalid_argument",
      "terminal.id",
    );
    refuses(
      () => selector.register({ ...terminal, id: Infinity }),
      "invalid_argument",
      "terminal.id",
    );
    for (const id of [2 ** 53, Infinity, 1e300, 5]) {
      refuses(() => selector.update(id, { busy: true }), "unknown_id", "id");
      refuses(() => selector.cancel(id), "unknown_id", "terminalId");
    }
    works(selector);
    selector.dispose();
  });

  test("flags are booleans, names an array of strings, a command is a string", () => {
    const selector = make();
    for (const wrong of [1, "true", {}, [], Symbol("x")]) {
      for (const name of ["busy", "closed", "failed", "reset"]) {
        const call = () => selector.update(1, { [name]: wrong });
        refuses(call, "invalid_argument", `change.${name}`);
      }
      const register = () => selector.register({ ...terminal, busy: wrong });
      refuses(register, "invalid_argument", "terminal.busy");
      const call = () => selector.select({ ...request, cleanEnvironment: wrong });
      refuses(call, "invalid_argument", "request.cleanEnvironment");
    }
    for (const environment of ["PATH", 7, {}, new Set()]) {
      refuses(() => selector.update(1, { environment }), "invalid_argument", "change.environment");
    }
    for (const name of [undefined, null, 7, {}, "\udfff"]) {
      const call = () => selector.update(1, { environment: ["A", name] });
      refuses(call, "invalid_argument", "change.environment[1]");
    }
    for (const command of [7, {}, ["ls"]]) {
      refuses(
        () => selector.select({ ...request, command }),
        "invalid_argument",
        "request.command",
      );
    }
    for (const taskId of [undefined, null, 7, {}]) {
      refuses(() => selector.releaseTask(taskId), "invalid_argument", "taskId");
    }
    assert.deepEqual(selector.terminals[0].environment, []);
    works(selector);
    selector.dispose();
  });
});

describe("objects", () => {
  test("that cannot be read are named, and the next call works", () => {
    const selector = make();
    for (const wrong of [undefined, null, 7, "x"]) {
      refuses(() => selector.select(wrong), "invalid_argument", "request");
    }
    for (const wrong of [undefined, null, 7, "x"]) {
      refuses(() => selector.register(wrong), "invalid_argument", "terminal");
    }
    for (const wrong of [undefined, null, 7, "x"]) {
      refuses(() => selector.update(1, wrong), "invalid_argument", "change");
    }
    works(selector);
    selector.dispose();
  });

  test("a command of any text is handed back, or put in a line", () => {
    const selector = make();
    const there = { ...request, workingDirectory: "/p/src" };
    const longest = "x".repeat(16_777_216);
    for (const command of ["", "\0", "\ud800", "a\nb", "思😀", longest]) {
      assert.equal(selector.select({ ...there, command }).command, command);
      selector.cancel(1);
    }
    for (const command of ["\ud800", "echo \udfff", "a\0b"]) {
      const choice = selector.select({ ...request, command });
      assert.deepEqual([choice.action, choice.command], ["create", command]);
    }
    const tooLong = { ...there, command: `${longest}x` };
    refuses(() => selector.select(tooLong), "limit_exceeded", "request.command");
    assert.ok(selector.select({ ...request, command: "echo 思😀" }).command.includes("echo 思😀"));
    selector.dispose();
  });
});

test("a snapshot is bytes of a selector", () => {
  const restore = (bytes) => TerminalSelector.restore(bytes);
  const selector = make();
  const bytes = selector.snapshot();
  const other = new LoopDetector();
  for (const wrong of [undefined, null, "TKS", {}, [1], new Uint16Array(4)]) {
    refuses(() => restore(wrong), "invalid_argument", "snapshot");
  }
  refuses(() => restore(other.snapshot()), "wrong_machine");
  refuses(() => restore(new Uint8Array()), "snapshot_corrupt");
  for (let at = 0; at < bytes.length; at++) {
    refuses(() => restore(bytes.slice(0, at)), "snapshot_corrupt");
    const altered = bytes.slice();
    altered[at] ^= 1;
    refuses(() => restore(altered), "snapshot_corrupt");
  }
  other.dispose();
  selector.dispose();
  for (const call of [
    () => selector.select(request),
    () => selector.register(terminal),
    () => selector.update(1, {}),
    () => selector.cancel(1),
    () => selector.releaseTask("A"),
    () => selector.snapshot(),
    () => selector.terminals,
    () => selector.log,
  ]) {
    refuses(call, "disposed");
  }
});

test("the log holds copies of the last 200 choices, the oldest first", () => {
  const selector = make();
  assert.deepEqual(selector.log, []);
  const choices = [];
  for (let at = 0; at < 450; at++) {
    choices.push({ ...selector.select({ ...request, command: `c${at}` }) });
    if (at % 3 === 0 && choices.at(-1).terminalId === 1) selector.cancel(1);
    assert.deepEqual(selector.log, choices.slice(-200));
  }
  selector.log[0].command = "other";
  selector.select(request).reason = "other";
  assert.notEqual(selector.log[0].command, "other");
  assert.notEqual(selector.log.at(-1).reason, "other");
  selector.dispose();
});
