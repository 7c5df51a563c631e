// A command does what it does as a script in the directory, or nothing at all.

import assert from "node:assert/strict";
import path from "node:path";
import { after, describe, test } from "node:test";

import { brokenOf, commandsOf, refusedBy } from "./commands.mjs";
import { lineFor } from "./lines.mjs";
import { runScript } from "./non-interactive.mjs";
import { Place } from "./place.mjs";
import { Terminal } from "./pty.mjs";
import { shells } from "./shells.mjs";

for (const shell of shells) {
  describe(shell.name, () => {
    const commands = commandsOf[path.basename(shell.program)];
    const broken = brokenOf[path.basename(shell.program)];
    const place = new Place();
    const lineTo = (directory, command) => {
      const line = lineFor(shell.shell, directory, command);
      assert.ok(line !== undefined, `no line for ${JSON.stringify(command)}`);
      return line;
    };

    test("a command that it cannot be given", () => {
      for (const command of ["nul\0", ...(refusedBy[shell.name] ?? [])]) {
        assert.equal(lineFor(shell.shell, place.start, command), undefined, command);
      }
    });

    test("in a directory that is there", () => {
      for (const command of commands) {
        place.clear();
        const line = lineTo(place.directory("it's there"), command);
        const expected = expectation(shell, command, place);
        assert.deepEqual(outcome(runScript(shell, line, place), place), expected, line);
      }
    });

    test("that is broken", () => {
      place.clear();
      const target = place.directory("it's there");
      for (const command of broken) {
        const line = lineTo(target, command);
        const { code, stdout } = runScript(shell, line, place);
        assert.notEqual(code, 0, line);
        assert.equal(stdout, "", line);
        assert.deepEqual(place.contents(), ["it's there"], line);
      }
    });

    test("in a directory that is not there", () => {
      place.clear();
      for (const command of [...commands, ...broken]) {
        const line = lineTo(place.missing("it's not"), command);
        const { code, stdout } = runScript(shell, line, place);
        assert.notEqual(code, 0, line);
        assert.equal(stdout, "", line);
        assert.deepEqual(place.contents(), [], line);
      }
    });

    describe("at a terminal", () => {
      let terminal;
      after(() => terminal?.close());
      // Those that end the shell would end the test, too.
      const lasting = commands.filter((command) => !/exit \d$/.test(command));

      test("in a directory that is not there", async () => {
        place.clear();
        terminal = await Terminal.open(shell, place.start, place.folder);
        for (const command of [...lasting, ...broken]) {
          const line = lineTo(place.missing("it's not"), command);
          const { code, directory } = await terminal.run(line);
          assert.notEqual(code, 0, line);
          assert.equal(directory, place.start, line);
          assert.deepEqual(place.contents(), [], line);
        }
      });

      test("in a directory that is there", async () => {
        for (const command of lasting) {
          place.clear();
          const target = place.directory("it's there");
          const line = lineTo(target, command);
          const { code, files } = expectation(shell, command, place);
          const { code: ended, directory } = await terminal.run(line);
          assert.deepEqual({ code: ended, files: place.contents() }, { code, files }, line);
          assert.equal(directory, target, line);
          await terminal.run(`cd '${place.start}'`);
        }
      });

      test("that is broken", async () => {
        place.clear();
        const target = place.directory("it's there");
        for (const command of broken) {
          const line = lineTo(target, command);
          const { code } = await terminal.run(line);
          assert.notEqual(code, 0, line);
          assert.deepEqual(place.contents(), ["it's there"], line);
          await terminal.run(`cd '${place.start}'`);
        }
      });
    });
  });
}

/** What the command comes to as a script in the directory, which is empty again afterwards. */
function expectation(shell, command, place) {
  const target = `${place.start}/it's there`;
  const script = command.replaceAll("\r\n", "\n").replace(/\\$/, "\\\n");
  const expected = outcome(runScript(shell, script, place, { directory: target }), place);
  place.clear();
  place.directory("it's there");
  return expected;
}

function outcome({ code, stdout }, place) {
  return { code, stdout, files: place.contents() };
}
