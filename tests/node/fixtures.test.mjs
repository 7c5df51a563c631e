// The fixtures that every language runs, through the packed package.

import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

import { runCase } from "./fixture-runner.mjs";
import { turnkeeper } from "./installed-package.mjs";

const folder = new URL("../fixtures/loop-detector/", import.meta.url);

for (const file of readdirSync(folder)) {
  for (const fixture of JSON.parse(readFileSync(new URL(file, folder), "utf8"))) {
    test(`${file}: ${fixture.name}`, () => runCase(turnkeeper, fixture));
  }
}
