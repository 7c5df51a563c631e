// A short round of random calls on everything public; `cargo xtask fuzz` has the long one. A seed that
// fails replays with `node tests/fuzz/js/fuzz.mjs`.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { campaign } from "../../fuzz/js/campaign.mjs";
import { SUBJECTS } from "../../fuzz/js/subjects/index.mjs";
import { load, turnkeeper } from "./installed-package.mjs";
import { seed } from "./random.mjs";

const ROUNDS = 60;

describe(`random calls, seed ${seed}`, () => {
  for (const subject of SUBJECTS) {
    test(`${subject.name} takes anything, and a saved copy goes on as it does`, async () => {
      const rounds = subject.rounds ?? ROUNDS;
      const isOver = (round) => round >= rounds;
      const { calls, failures } = await campaign(subject, turnkeeper, seed, { isOver });
      const told = failures.map(({ seed, what, trace }) =>
        [`seed ${seed}: ${what}`, ...trace].join("\n"),
      );
      assert.equal(told.join("\n\n"), "");
      assert.ok(calls > rounds, `only ${calls} calls`);
    });
  }
});

/** What ends an object, or only saves it, is part of every round. */
const IN_EVERY_ROUND = ["constructor", "dispose", "snapshot"];

/** Exports of every entry with a module. */
const OF_EVERY_ENTRY = ["TurnkeeperError", "preload"];

test("every public method of every machine is among them", () => {
  const called = SUBJECTS.flatMap(({ calls }) => Object.keys(calls)).join(" ");
  for (const [name, Class] of Object.entries(turnkeeper)) {
    if (name === "TurnkeeperError" || !/^class/.test(Function.prototype.toString.call(Class)))
      continue;
    for (const method of Object.getOwnPropertyNames(Class.prototype)) {
      if (IN_EVERY_ROUND.includes(method) || (name === "AgentSession" && MACHINES.includes(method)))
        continue;
      assert.ok(called.includes(method), `${name}.${method} is never called`);
    }
  }
  const functions = Object.keys(turnkeeper).filter((name) => /^[a-z]/.test(name));
  for (const name of [...functions, ...Object.keys(load("turnkeeper/sessions"))]) {
    if (OF_EVERY_ENTRY.includes(name)) continue;
    assert.ok(called.includes(name), `${name} is never called`);
  }
});

/** The session's own machines, which have subjects of their own. */
const MACHINES = ["loop", "assembler", "terminals", "summaries"];
