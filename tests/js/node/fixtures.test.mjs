// The fixtures that every language runs, through the packed package.

import { test } from "node:test";

import { cases, peerCases } from "./fixture-cases.mjs";
import { runCase } from "./fixture-runner.mjs";
import { load, turnkeeper } from "./installed-package.mjs";

const peers = { ...turnkeeper, ...load("turnkeeper/peers") };

for (const fixture of peerCases) test(fixture.name, () => void runCase(peers, fixture));
for (const fixture of cases) test(fixture.name, () => void runCase(turnkeeper, fixture));
