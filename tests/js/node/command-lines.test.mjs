// The lines of `tests/data/command-lines`, from the packed package.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

import { lineFor } from "../shells/lines.mjs";

const fixtures = new URL("../../data/command-lines/", import.meta.url);

for (const file of readdirSync(fixtures)) {
  for (const { name, platform, shells, lines = [], refused = [] } of read(file)) {
    test(`${file}: ${name}`, () => {
      for (const shell of shells) {
        for (const [directory, command, line] of [...lines, ...refused]) {
          assert.equal(lineFor(shell, directory, command, platform), line, shell);
        }
      }
    });
  }
}

function read(file) {
  return JSON.parse(readFileSync(new URL(file, fixtures), "utf8"));
}
