// The fixtures that every language runs, through the packed package.

import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

import { runCase } from "./fixture-runner.mjs";
import { turnkeeper } from "./installed-package.mjs";

for (const machine of [
  "loop-detector",
  "history-deduper",
  "summary-injector",
  "terminal-selector",
]) {
  const folder = new URL(`../fixtures/${machine}/`, import.meta.url);
  for (const file of readdirSync(folder)) {
    for (const fixture of JSON.parse(readFileSync(new URL(file, folder), "utf8"))) {
      test(`${machine}/${file}: ${fixture.name}`, () => runCase(turnkeeper, fixture));
    }
  }
}
