// The fixtures that every language runs, through the packed package.

import { test } from "node:test";

import { cases } from "./fixture-cases.mjs";
import { runCase } from "./fixture-runner.mjs";
import { turnkeeper } from "./installed-package.mjs";

for (const fixture of cases) test(fixture.name, () => runCase(turnkeeper, fixture));
