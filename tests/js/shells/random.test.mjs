// Names and commands put together at random from what shells give a meaning.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { random, seed } from "../node/random.mjs";
import { lineFor } from "./lines.mjs";
import { runScript } from "./non-interactive.mjs";
import { Place } from "./place.mjs";
import { shells } from "./shells.mjs";

const ROUNDS = Number(process.env.TURNKEEPER_ROUNDS ?? 50);

const pieces = [
  ..."'\"`$\\!#&|;<>()[]{}*?~^=%,:@+-_. \t\n\r\u0001\u001b\u007fax1",
  "touch canary",
  "touch canary\n",
  "$(touch canary)",
  "`touch canary`",
  "''",
  "\\'",
  "'\\''",
  "\\\\",
  "\\n",
  "\\X0a",
  "\\u{21}",
  "\\041",
  "%s",
  " && ",
  " || ",
  " | ",
  "; ",
  " & ",
  "&1",
  "<<E\n",
  "\nE\n",
  " # ",
  "eval ",
  "if true",
  "begin",
  "end",
  "fi",
  "目",
  "é",
  "😀",
  "\u0085",
  "\u009b",
  "\u00a0",
  "\u2019",
];

function pieced(most) {
  let text = "";
  for (let count = 1 + random(most); count > 0; count--) text += pieces[random(pieces.length)];
  return text;
}

function randomName() {
  const name = pieced(8).replaceAll("/", "");
  return /^\.{0,2}$/.test(name) ? `x${name}` : name;
}

for (const shell of shells) {
  describe(`${shell.name} (seed ${seed})`, () => {
    const place = new Place();

    test("a random name", () => {
      for (let round = 0; round < ROUNDS; round++) {
        place.clear();
        const name = randomName();
        const directory = place.directory(name);
        const line = lineFor(shell.shell, directory, `/bin/pwd -P; ${shell.exit(7)}`);
        if (!shell.takes(name)) {
          assert.equal(line, undefined);
          continue;
        }
        const { code, stdout } = runScript(shell, line, place);
        assert.deepEqual({ code, stdout }, { code: 7, stdout: `${directory}\n` }, line);
        assert.deepEqual(place.contents(), [name], line);
      }
    });

    test("a random command, and no directory", () => {
      place.clear();
      for (let round = 0; round < ROUNDS; round++) {
        const command = `${pieced(6)}touch canary${pieced(6)}`;
        const line = lineFor(shell.shell, place.missing(randomName()), command);
        if (line === undefined) continue;
        const { code, stdout, stderr } = runScript(shell, line, place);
        // fish ends with 0 when it cannot parse a line, and runs none of it.
        const refused = shell.shell === "fish" && stderr.startsWith("fish: ");
        assert.ok(code !== 0 || refused, JSON.stringify(line));
        assert.equal(stdout, "", line);
        assert.deepEqual(place.contents(), [], JSON.stringify(line));
      }
    });

    test("a random command, in a directory and as a script there", () => {
      for (let round = 0; round < ROUNDS; round++) {
        place.clear();
        const directory = place.directory("there");
        const command = pieced(9);
        // The last word of the command before, which `cd` is here, and the number of the process.
        if (/\$\{?[_$]/.test(command)) continue;
        const line = lineFor(shell.shell, directory, command);
        if (line === undefined) continue;
        const seen = [line, scriptOf(command)].map((text, at) => {
          place.clear();
          place.directory("there");
          const options = at === 0 ? {} : { directory };
          const { code, stdout, stderr } = runScript(shell, text, place, options);
          return { code, stdout, files: place.contents(), stderr };
        });
        // What a shell makes of a script that it cannot read differs from what `eval` does.
        if (seen[1].code !== 0 || seen[1].stderr) continue;
        assert.deepEqual(seen[0], seen[1], `${JSON.stringify(command)} as ${JSON.stringify(line)}`);
      }
    });
  });
}

/** The lines of a command, none of them empty at its end, and none of them joined to nothing. */
const scriptOf = (command) =>
  command.replaceAll("\r\n", "\n").replace(/\n+$/, "").replace(/\\$/, "\\\n");
