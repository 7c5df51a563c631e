// gemini-cli's own tests of its loop detection, as its package carries them, run against the
// `LoopDetectionService` of the packed package.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const home = path.dirname(fileURLToPath(import.meta.url));

/** All that the pinned version has. */
const TESTS = 57;

/** Those that cannot pass, and why. */
const CANNOT = new Map();

/**
 * The results, and whether they are of this package; with `itself`, they are of the service that the
 * tests were made for.
 */
async function results(itself) {
  const folder = await mkdtemp(path.join(tmpdir(), "turnkeeper-peers-"));
  const report = path.join(folder, "report.json");
  const swapped = path.join(folder, "swapped");
  const vitest = path.join(home, "node_modules/vitest/vitest.mjs");
  const options = {
    cwd: home,
    env: {
      ...process.env,
      TURNKEEPER_SWAPPED: swapped,
      ...(itself && { TURNKEEPER_PEER_ITSELF: "1" }),
    },
    timeout: 240_000,
    maxBuffer: 64 * 1024 * 1024,
  };
  const files = ["--reporter=json", `--outputFile=${report}`];
  try {
    // It ends with 1 if a test failed, which the report tells better.
    await promisify(execFile)(process.execPath, [vitest, "run", ...files], options).catch(() => {});
    const { testResults } = JSON.parse(await readFile(report, "utf8"));
    const all = testResults.flatMap(({ assertionResults }) => assertionResults);
    return { all, isSwapped: existsSync(swapped) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

test("gemini-cli's tests pass", async (t) => {
  const { all, isSwapped } = await results(false);
  assert.equal(isSwapped, true);
  assert.equal(all.length, TESTS);
  for (const { fullName, status, failureMessages } of all) {
    await t.test(fullName, () => {
      const expected = CANNOT.has(fullName) ? "failed" : "passed";
      assert.equal(status, expected, failureMessages.join("\n"));
    });
  }
});

test("the same tests run on the service that they were made for", async () => {
  const { all, isSwapped } = await results(true);
  assert.equal(isSwapped, false);
  assert.equal(all.length, TESTS);
  const failed = all.filter(({ status }) => status !== "passed").map(({ fullName }) => fullName);
  assert.deepEqual(failed, []);
});
