// Where commands leave a shell: the rows of `tests/data/directory-effects`, from the packed package.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

import { turnkeeper } from "./installed-package.mjs";

const fixtures = new URL("../../data/directory-effects/", import.meta.url);

for (const file of readdirSync(fixtures)) {
  for (const { name, platform, shells, rows } of JSON.parse(
    readFileSync(new URL(file, fixtures), "utf8"),
  )) {
    test(`${file}: ${name}`, () => {
      for (const shell of shells) {
        for (const [command, expected] of rows) {
          assert.equal(effect(platform, shell, command), expected, `${shell}: ${command}`);
        }
      }
    });
  }
}

/** Where a terminal is after the command, which nobody reported. */
function effect(platform, shell, command) {
  const workingDirectory = platform === "win32" ? "C:\\project" : "/project";
  const selector = new turnkeeper.TerminalSelector({ platform });
  selector.register({ id: 1, provider: "vscode", shell, workingDirectory });
  selector.select({ command, workingDirectory, provider: "vscode" });
  selector.update(1, { busy: true });
  selector.update(1, { busy: false });
  const [terminal] = selector.terminals;
  selector.dispose();
  const { directory } = terminal;
  if (directory === "expected") return terminal.workingDirectory;
  return directory === "reported" ? "stays" : "uncertain";
}
