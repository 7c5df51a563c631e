// The verdict on a text does not depend on how it was cut into deltas, surrogate pairs included.

import assert from "node:assert/strict";
import { test } from "node:test";

import { turnkeeper } from "./installed-package.mjs";
import { random, seed } from "./random.mjs";

const { LoopDetector } = turnkeeper;

const LEAD =
  "Let me look at the configuration first. 我先检查一下。😀\n" +
  "1. one\n2. two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n```js\nfor (;;) {}\n```\n";
const passages = [
  "I will try once more. 😀 ",
  "再试一次。😀",
  "12. Check the logs again, please\n",
];

for (const passage of passages) {
  test(`a thousand random cuts, one verdict: ${JSON.stringify(passage)} (seed ${seed})`, () => {
    const text = LEAD + passage.repeat(60) + "The end, at last.";
    const whole = firstStop([text]);
    assert.equal(whole.action, "stop");
    for (let round = 0; round < 1_000; round++) {
      const longest = 1 + random(round % 7 === 0 ? 400 : 30);
      const cut = cutAtRandom(text, longest);
      const detector = new LoopDetector({ profile: "standard" });
      let offset = 0;
      let verdict;
      for (const delta of cut) {
        verdict = detector.observe({ type: "text", text: delta });
        offset += delta.length;
        if (verdict.action === "stop") break;
      }
      // At the delta that holds the unit, not before and not after.
      const { lastIndex } = whole.report;
      assert.ok(offset > lastIndex && offset - longest <= lastIndex, `round ${round}`);
      assert.deepEqual(verdict, whole, `round ${round}`);
      detector.dispose();
    }
  });
}

function firstStop(deltas) {
  const detector = new LoopDetector({ profile: "standard" });
  const verdict = detector.observeAll(deltas.map((text) => ({ type: "text", text })));
  detector.dispose();
  return verdict;
}

function cutAtRandom(text, longest) {
  const deltas = [];
  for (let at = 0; at < text.length;) {
    const length = 1 + random(longest);
    deltas.push(text.slice(at, at + length));
    at += length;
  }
  return deltas;
}
