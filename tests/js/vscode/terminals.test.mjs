// The adapter for VS Code's terminals, in a real VS Code with real shells.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import path from "node:path";
import { before, describe, test } from "node:test";

import { HOSTILE, SHELLS, visitTerminals } from "./terminals-visit.mjs";

describe("terminals in VS Code", () => {
  let seen;
  before(async () => {
    seen = await visitTerminals();
  });

  function inside(name) {
    const noted = seen.inside[name];
    if (noted && "value" in noted) return noted.value;
    throw new Error(`${noted?.error ?? `"${name}" was not reached`}\n${seen.traces}`);
  }

  test("VS Code starts, and the tests inside it end well", () => {
    assert.equal(seen.failure, undefined, `${seen.failure?.stack}\n${seen.traces}`);
  });

  for (const { name } of SHELLS) {
    test(`${name}: whoever is moved by hand is led back, and stays the one terminal`, () => {
      const { runs, terminals, shell } = inside(`by-hand-${name}`);
      const ran = runs.map(({ action, output, exitCode, outcome }) => [
        action,
        output,
        exitCode,
        outcome,
      ]);
      assert.deepEqual(ran, [
        ["create", "one\n", 0, "exited"],
        ["reuse_with_cd", "two\n", 3, "exited"],
        ["reuse", `${seen.root}\n`, 1, "exited"],
      ]);
      assert.equal(new Set(runs.map(({ terminalId }) => terminalId)).size, 1);
      assert.deepEqual([terminals, shell], [1, name]);
    });

    test(`${name}: directories with hostile names are entered, and nothing else happens`, () => {
      const { seen: entered, missing, after, terminals } = inside(`hostile-${name}`);
      assert.deepEqual(
        entered,
        HOSTILE.map((name, at) => ({
          name,
          action: at === 0 ? "create" : "reuse_with_cd",
          outcome: "exited",
          exitCode: 0,
        })),
      );
      for (const name of HOSTILE) assert.ok(existsSync(path.join(seen.root, name, "here")), name);
      assert.notEqual(missing.exitCode, 0);
      assert.equal(missing.outcome, "exited");
      assert.equal(after.output, `${seen.root}\n`);
      assert.equal(terminals, 1);
    });
  }

  test("no name was run as a command, and no command where its directory is missing", () => {
    for (const folder of [".", "src", ...HOSTILE]) {
      assert.ok(!existsSync(path.join(seen.root, folder, "ran")), folder);
    }
  });

  test("twelve commands over four directories in two tasks need four terminals, not eight", (t) => {
    const { withSelector, without, expected } = inside("twelve");
    t.diagnostic(`with the selector ${withSelector.terminals}, without it ${without}`);
    assert.deepEqual(withSelector.outputs, expected);
    const log = withSelector.log.map((choice) => JSON.stringify(choice)).join("\n");
    assert.equal(withSelector.terminals, 4, log);
    assert.equal(without, 8);
  });

  test("two commands at once run in two terminals, and a third one in either", () => {
    const { outputs, terminals } = inside("side-by-side");
    assert.deepEqual(outputs, ["one\n", "two\n", "three\n"]);
    assert.equal(terminals, 2);
  });

  test("a closed terminal is forgotten, and ends the command that runs in it", () => {
    const { runs, sameAgain, known } = inside("closed");
    assert.deepEqual(
      runs.map(({ outcome, output }) => [outcome, output]),
      [
        ["exited", "one\n"],
        ["exited", "two\n"],
        ["closed", ""],
      ],
    );
    assert.deepEqual([sameAgain, known], [false, 0]);
  });

  test("a terminal that the user is busy in is left alone until then", () => {
    const { others, back, runs } = inside("busy");
    assert.deepEqual([others, back], [true, true]);
    assert.deepEqual(
      runs.map(({ output }) => output),
      ["one\n", "two\n", "three\n"],
    );
  });

  test("output is streamed, and an abort interrupts the command", () => {
    const { runs, same } = inside("interrupted");
    assert.equal(runs[0].outcome, "aborted");
    assert.match(runs[0].output, /^begun\n/);
    assert.doesNotMatch(runs[0].output, /ended/);
    assert.deepEqual([runs[1].output, same], ["again\n", true]);
  });

  test("what is aborted before it begins is taken back", () => {
    const { run, terminals } = inside("cancelled");
    assert.equal(run.outcome, "aborted");
    assert.deepEqual(
      terminals.map(({ busy, directoryChanges, workingDirectory }) => [
        busy,
        directoryChanges,
        workingDirectory,
      ]),
      [[false, 0, seen.root]],
    );
  });

  test("a shell without integration is typed into, and is busy until the host knows better", () => {
    const { runs, busy, same, shell } = inside("silent");
    assert.deepEqual(
      runs.map(({ outcome, exitCode, action }) => [outcome, exitCode, action]),
      [
        ["sent", undefined, "create"],
        ["sent", undefined, "reuse_with_cd"],
      ],
    );
    assert.deepEqual([busy, same, shell], [true, true, "sh"]);
  });

  for (const { name } of SHELLS) {
    test(`${name}, which reports late: how the typed command ended is told, and the terminal used again`, () => {
      const { runs, busy, terminals } = inside(`late-${name}`);
      assert.deepEqual(
        runs.map(({ outcome, exitCode, action }) => [outcome, exitCode, action]),
        [
          ["sent", undefined, "create"],
          ["exited", 3, "create"],
          ["exited", 1, "reuse_with_cd"],
        ],
      );
      assert.ok(existsSync(path.join(seen.root, "late-ran")));
      assert.equal(runs[2].output, `${seen.root}/src\n`);
      assert.deepEqual([busy, terminals], [[true, false], 1]);
    });
  }

  test("twelve commands in shells that take 7 seconds need four terminals, too", (t) => {
    const { runs, outcomes, terminals } = inside("late-twelve");
    t.diagnostic(`outcomes: ${outcomes}`);
    assert.equal(outcomes[0], "sent");
    assert.deepEqual(
      runs.map(({ outcome, exitCode }) => [outcome, exitCode]),
      Array(12).fill(["exited", 0]),
    );
    assert.equal(terminals, 4);
  });

  test("a shell that reports when the typed command is over is used again", () => {
    const { runs, busy } = inside("late-unseen");
    assert.deepEqual(
      runs.map(({ outcome, exitCode, action, output }) => [outcome, exitCode, action, output]),
      [
        ["sent", undefined, "create", ""],
        ["exited", undefined, "create", ""],
        ["exited", 0, "reuse", `${seen.root}\n`],
      ],
    );
    assert.equal(busy, false);
    assert.ok(existsSync(path.join(seen.root, "unseen-ran")));
  });

  test("a terminal without shell integration counts against the limit, and is the first to be closed", () => {
    const { runs, closed, isGone } = inside("limited");
    assert.deepEqual(
      runs.map(({ outcome, action }) => [outcome, action]),
      [
        ["sent", "create"],
        ["sent", "create"],
      ],
    );
    assert.deepEqual([closed, isGone], [[true], true]);
  });

  test("at the limit a command waits for a terminal", () => {
    const { runs, waited, terminals } = inside("waits");
    assert.deepEqual(
      runs.map(({ output, action }) => [output, action]),
      [
        ["one\n", "create"],
        ["two\n", "reuse"],
      ],
    );
    assert.deepEqual([waited, terminals], [true, 1]);
  });

  test("terminals from before a change of the environment are not taken for a clean one", () => {
    const [before, clean, any] = inside("environment").runs;
    assert.deepEqual(
      [before, clean, any].map(({ output, action }) => [output, action]),
      [
        ["[]\n", "create"],
        ["[yes]\n", "create"],
        ["[]\n", "reuse"],
      ],
    );
    assert.equal(any.terminalId, before.terminalId);
  });

  test("a terminal that is handed over is used, any other one is not", () => {
    assert.deepEqual(inside("adopted"), { same: true, output: `${seen.root}\n`, ids: true });
    assert.equal(inside("not-its-own"), true);
  });

  test("a wrong request is refused with the field's name, and makes no terminal", () => {
    assert.deepEqual(inside("wrong"), {
      errors: [
        [true, "invalid_argument", { field: "request.workingDirectory" }],
        [true, "invalid_argument", { field: "request.command" }],
      ],
      terminals: 0,
    });
  });

  test("after a restart of the extension host the same terminals are used again", () => {
    const before = inside("before-restart");
    const { runs, terminals, made } = inside("after-restart");
    assert.deepEqual(
      runs.map(({ output, action, terminalId }) => [output, action, terminalId]),
      [
        ["yes\n", "reuse_with_cd", before.ids[0]],
        ["again\n", "reuse", before.ids[0]],
      ],
    );
    assert.equal(made, 0, "no terminal is made");
    assert.deepEqual([before.terminals, terminals], [2, 2]);
  });
});
