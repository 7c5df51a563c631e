// For each requirement of the seeds: where it is in the code, and which tests hold it.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const textOf = (file) => readFileSync(path.join(root, file), "utf8");

/** Whether a test or a case of that name is in a test file, a fixture or a Rust module. */
function hasTest(file, name) {
  const text = textOf(file);
  if (file.endsWith(".json")) return JSON.parse(text).some((each) => each.name === name);
  if (file.endsWith(".rs")) return text.includes(`fn ${name}(`);
  if (file.startsWith("tests/js/types/")) return text.includes(`function ${name}(`);
  return [`"${name}"`, `\`${name}\``, `\`${name} (`].some((title) => text.includes(`(${title}`));
}

const requirements = JSON.parse(textOf("tests/data/seeds.json"));

test("every requirement names code that exists and tests that exist", () => {
  assert.ok(requirements.length > 50, `${requirements.length} rows`);
  for (const { number, code, tests } of requirements) {
    assert.ok(code.length > 0, `${number} names no code`);
    assert.ok(tests.length > 0, `${number} names no test`);
    for (const place of code) {
      assert.ok(existsSync(path.join(root, place)), `${number}: ${place} is not there`);
    }
    for (const { file, name } of tests) {
      assert.ok(existsSync(path.join(root, file)), `${number}: ${file} is not there`);
      assert.ok(hasTest(file, name), `${number}: ${file} has no test "${name}"`);
    }
  }
});

test("a test that is not there is missed", () => {
  const fixture = "tests/data/loop-detector/retries.json";
  assert.equal(hasTest(fixture, "a retry before the first turn changes nothing"), true);
  assert.equal(hasTest(fixture, "a retry before"), false);
  assert.equal(hasTest("tests/js/node/seeds.test.mjs", "a test that is not there is missed"), true);
  assert.equal(hasTest("tests/js/node/seeds.test.mjs", "a test that is"), false);
});
