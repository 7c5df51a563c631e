// Whatever a directory is called, a line changes into it and does nothing else.

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";

import { lineFor } from "./lines.mjs";
import { names } from "./names.mjs";
import { runScript } from "./non-interactive.mjs";
import { Place } from "./place.mjs";
import { Terminal } from "./pty.mjs";
import { shells } from "./shells.mjs";

for (const shell of shells) {
  describe(shell.name, () => {
    const place = new Place();
    const taken = names.filter(shell.takes);
    // One that `&&` joins, and one that has to be held together.
    const commands = ["/bin/pwd -P", `/bin/pwd -P; ${shell.exit(7)}`];
    const codes = [0, 7];

    test("a name that it does not take", () => {
      for (const name of names.filter((name) => !shell.takes(name))) {
        for (const command of commands) {
          assert.equal(lineFor(shell.shell, `${place.start}/${name}`, command), undefined);
        }
      }
    });

    for (const fromInput of shell.fromInput ? [false, true] : [false]) {
      const how = fromInput ? "read from its input" : "given as an argument";
      test(`each name, in a script ${how}`, () => {
        place.clear();
        const directories = taken.map((name) => place.directory(name));
        const before = place.contents();
        commands.slice(0, shell.fromInput ? 2 : 1).forEach((command, at) => {
          const script = directories.flatMap((directory) => [
            expectLine(shell, directory, command),
            shell.stands,
            `cd '${place.start}'`,
          ]);
          const { stdout, stderr } = runScript(shell, script.join("\n"), place, { fromInput });
          const said = directories.map((folder) => `${folder}\n${codes[at]} ${folder}\n`);
          assert.equal(stdout, said.join(""), stderr);
        });
        assert.deepEqual(place.contents(), before);
      });
    }

    test("each name, in a script that is the line alone", () => {
      place.clear();
      for (const name of taken) {
        const directory = place.directory(name);
        const line = expectLine(shell, directory, commands[1]);
        const { code, stdout } = runScript(shell, line, place);
        assert.deepEqual({ code, stdout }, { code: 7, stdout: `${directory}\n` }, line);
      }
    });

    test("a directory that is not there, by each name", () => {
      place.clear();
      for (const name of taken) {
        const line = expectLine(shell, place.missing(name), commands[1]);
        const { code, stdout } = runScript(shell, line, place);
        assert.ok(code !== 0 && code !== 7, line);
        assert.equal(stdout, "", line);
      }
      assert.deepEqual(place.contents(), []);
    });

    describe("at a terminal", () => {
      let terminal;
      after(() => terminal?.close());

      test("each name", async () => {
        place.clear();
        for (const name of taken) place.directory(name);
        const before = place.contents();
        terminal = await Terminal.open(shell, place.start, place.folder);
        for (const [at, name] of taken.entries()) {
          const directory = `${place.start}/${name}`;
          const line = expectLine(shell, directory, commands[at % 2]);
          const { code, directory: stands } = await terminal.run(line);
          assert.deepEqual({ code, stands }, { code: codes[at % 2], stands: directory }, line);
          await terminal.run(`cd '${place.start}'`);
        }
        assert.deepEqual(place.contents(), before);
      });

      test("a directory that is not there, by each name", async () => {
        place.clear();
        for (const [at, name] of taken.entries()) {
          const line = expectLine(shell, place.missing(name), commands[at % 2]);
          const { code, directory } = await terminal.run(line);
          assert.ok(code !== 0 && code !== 7, line);
          assert.equal(directory, place.start, line);
        }
        assert.deepEqual(place.contents(), []);
      });
    });
  });
}

function expectLine(shell, directory, command) {
  const line = lineFor(shell.shell, directory, command);
  assert.ok(line !== undefined, `no line for ${JSON.stringify(directory)}`);
  return line;
}
