// An audit shared by threads.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { closeSync, copyFileSync, mkdirSync, openSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import { command } from "../node/installed-package.mjs";
import { CHANT, HEALTHY, PREVIEW_LOOP, file, folder, run } from "../node/replay-command.mjs";

const SAVED = fileURLToPath(new URL("../../data/saved", import.meta.url));
const COLLECTION = fileURLToPath(new URL("../../data/loops/collection", import.meta.url));

const audit = (args, options) => run(["audit", ...args], options);
const parsedLines = (text) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

/** Sessions of all formats, with loops and without, and files that are bad or none. */
const fleet = path.join(folder, "fleet");
before(() => {
  mkdirSync(fleet);
  const take = (from, names) => {
    for (const name of names) copyFileSync(path.join(from, name), path.join(fleet, name));
  };
  take(SAVED, readdirSync(SAVED));
  // Few of the collection's: what threads share out does not depend on how much it is.
  const sessions = readdirSync(COLLECTION).filter((name) => name.endsWith(".jsonl"));
  take(
    COLLECTION,
    sessions.filter((_, at) => at % 21 === 0),
  );
  for (const from of [CHANT, HEALTHY, PREVIEW_LOOP]) {
    copyFileSync(from, path.join(fleet, path.basename(from)));
  }
  file("fleet/broken.jsonl", '{"type":"tool_call","name":"a"}\n{"type":\n');
  file("fleet/notes.md", "# Notes\n");
});

describe("files that are judged at once", () => {
  test("give the same output, whatever the number of threads", async () => {
    for (const [how, ...threads] of [
      [["--json"], "2", "3"],
      [[], "2"],
    ]) {
      const one = await audit([...how, "--jobs", "1", fleet]);
      assert.equal(one.code, 2);
      assert.match(one.stderr, /^turnkeeper: [^\n]*broken\.jsonl, line 2: [^\n]*\n$/);
      for (const jobs of threads) {
        assert.deepEqual(await audit([...how, "--jobs", jobs, fleet]), one, jobs);
      }
    }
  });

  test("may be standard input among them", async () => {
    const events = '{"type":"tool_call","name":"edit","args":1}\n'.repeat(3);
    const args = ["--json", "--jobs", "2", HEALTHY, "-", CHANT];
    const { stdout, code } = await audit(args, { input: events });
    assert.equal(code, 0);
    const { sessions } = JSON.parse(stdout);
    assert.deepEqual(
      sessions.map((session) => session.file),
      [HEALTHY, "-", CHANT],
    );
    assert.equal(sessions[1].calls, 3);
  });

  test("write the same page", async () => {
    const pages = [];
    for (const jobs of ["1", "3"]) {
      const page = path.join(folder, `jobs-${jobs}.html`);
      await audit(["--html", page, "--jobs", jobs, SAVED]);
      pages.push(page);
    }
    assert.equal(readFileSync(pages[0], "utf8"), readFileSync(pages[1], "utf8"));
  });
});

describe("--jsonl", () => {
  test("has a line for each session of --json, as if it was alone, whatever the number of threads", async () => {
    const { sessions } = JSON.parse((await audit(["--json", fleet])).stdout);
    const files = sessions.map((session) => session.file).sort();
    assert.ok(files.length > 60, files.length);
    // In --json a record of several of these files is of one of them; a line cannot know of it.
    const alone = [];
    for (const name of files) {
      const { stdout } = await audit(["--json", name]);
      alone.push(...JSON.parse(stdout).sessions);
    }
    for (const jobs of ["1", "3"]) {
      const { stdout, code } = await audit(["--jsonl", "--jobs", jobs, fleet]);
      assert.equal(code, 2);
      const byFile = (a, b) => (a.file < b.file ? -1 : 1);
      assert.deepEqual(parsedLines(stdout).sort(byFile), alone);
    }
  });

  test("writes a line as soon as the session is judged", async () => {
    // The second file never ends, so only what is not held back can be seen.
    const child = spawn(process.execPath, [command, "audit", "--jsonl", HEALTHY, "-"]);
    const first = await new Promise((resolve) => child.stdout.once("data", resolve));
    assert.equal(JSON.parse(first).file, HEALTHY);
    child.kill();
  });
});

test("output that cannot be written is told in one line, and the exit code is 2", async () => {
  for (const args of [
    ["audit", "--json", HEALTHY],
    ["audit", SAVED],
    ["replay", HEALTHY],
    ["--help"],
  ]) {
    const full = openSync("/dev/full", "w");
    const child = spawn(process.execPath, [command, ...args], { stdio: ["ignore", full, "pipe"] });
    let stderr = "";
    child.stderr.on("data", (data) => (stderr += data));
    const code = await new Promise((resolve) => child.on("close", resolve));
    closeSync(full);
    assert.equal(code, 2, args.join(" "));
    assert.match(stderr, /^turnkeeper: standard output cannot be written: ENOSPC[^\n]*\n$/);
  }
});
