// Verdicts, blocks and snapshots are, to the byte, those that Rust comes to natively: both are compared with
// what was recorded. `cargo xtask traces` has this record them.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";

import { conversationTrace, sessionTrace } from "../browser/cases.mjs";
import { PROFILES } from "../profiles.mjs";
import { TRACES, cases, otherThanRecorded, sessions, tenTurns } from "./fixture-cases.mjs";
import { runCase } from "./fixture-runner.mjs";
import { turnkeeper } from "./installed-package.mjs";

const found = {};
for (const fixture of cases) {
  const trace = runCase(turnkeeper, fixture);
  if (trace) found[fixture.name] = trace;
}
for (const { name, lines } of sessions) {
  for (const profile of PROFILES) {
    found[`sessions/${name}: ${profile}`] = sessionTrace(turnkeeper, lines, profile);
  }
}
for (const placement of ["latest", "delta"]) {
  const name = `ghost-block/ten-turns: ${placement}`;
  found[name] = await conversationTrace(turnkeeper, tenTurns, placement);
}
if (process.env.TURNKEEPER_WRITE) {
  writeFileSync(TRACES, `${JSON.stringify(found, null, 2)}\n`);
} else {
  test("all traces are those that were recorded", () => {
    assert.equal(otherThanRecorded(found), undefined);
  });
}

test("there are many", () => assert.ok(Object.keys(found).length > 300));
