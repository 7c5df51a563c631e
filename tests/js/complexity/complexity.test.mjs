// No public call costs more than n log n. Each is counted, not timed, at n, 2n, 4n and 8n.

import assert from "node:assert/strict";
import { test } from "node:test";

import { cases } from "./cases.mjs";
import { stepsOf } from "./steps.mjs";

const SIZE = 400;
/**
 * What a doubling may add, compared with the doubling before: 2 for n, 2.2 for n log n at these sizes, 2.8 for
 * n to the power of 1.5, 4 for a square. What is left over is for tables that grow by doubling.
 */
const MOST = 2.6;

/** The steps at n, 2n, 4n and 8n, and how many times as much the last doubling adds. */
async function growth(make, size) {
  // The first call of anything makes what it needs.
  await make(size)();
  const steps = [];
  for (const factor of [1, 2, 4, 8]) steps.push(await stepsOf(make(factor * size)));
  const [, two, four, eight] = steps;
  // A cost that does not depend on n has no growth.
  const added = eight - four;
  return { steps, ratio: added < size ? 0 : added / Math.max(1, four - two) };
}

for (const [name, make] of Object.entries(cases)) {
  test(name, async () => {
    let { steps, ratio } = await growth(make, SIZE);
    // A limit or a buffer that is met once adds a step to the curve; a square is one at other sizes, too.
    if (ratio > MOST) ({ steps, ratio } = await growth(make, 2.5 * SIZE));
    const told = `${steps.join(", ")} steps: a doubling adds ${ratio.toFixed(2)} times as much`;
    assert.ok(ratio <= MOST, told);
  });
}

test("a square in the package's JavaScript or in its Wasm would be seen", async () => {
  const square = (n) => async () => {
    for (let at = 0; at < n; at++) await cases["eventsOf"](n / 10)();
  };
  const { ratio } = await growth(square, 200);
  assert.ok(ratio > 3.5, `${ratio}`);
  const inWasm = (n) => () => {
    for (let at = 0; at < n / 10; at++) cases["inspect: backticks"](n * 10)();
  };
  assert.ok((await growth(inWasm, 200)).ratio > 3.5);
});
