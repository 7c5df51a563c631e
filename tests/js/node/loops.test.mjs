// The profile `adaptive` on labelled sessions, through the packed package: our own collection, and
// recordings of real ones where they are at hand. The same as `tests/rust/loops.rs`.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { turnkeeper } from "./installed-package.mjs";

const { LoopDetector } = turnkeeper;

const here = path.dirname(fileURLToPath(import.meta.url));
const collection = path.join(here, "../../data/loops/collection");
/** A folder of labelled sessions that is not part of the project. */
const recordings = process.env.TURNKEEPER_RECORDINGS;

test("the collection", () => judge(collection, 381, knownWrong()));

test("the recordings", { skip: !recordings && "they are not here" }, () =>
  judge(recordings, 83, []),
);

function judge(folder, count, expected) {
  const sessions = readSessions(folder);
  assert.equal(sessions.length, count);
  const wrong = [];
  const wasted = [];
  for (const { id, starts, events } of sessions) {
    const hits = play(events);
    const [first] = hits;
    if (starts !== undefined) {
      if (first) wasted.push(Math.max(0, first.calls - starts - 1));
      else wrong.push(id);
    } else if (first) {
      wrong.push(id);
    }
    const stops = hits.at(-1)?.action === "stop";
    if (id.endsWith("-recovers") && stops) wrong.push(id);
    if (id === "finding-10-fires" && !stops) wrong.push(id);
  }
  assert.deepEqual(wrong.sort(), expected);
  wasted.sort((a, b) => a - b);
  const middle = wasted.length / 2;
  const median = (wasted[Math.floor(middle)] + wasted[Math.ceil(middle) - 1]) / 2;
  assert.ok(median <= 3, `calls behind the one at which a loop starts: ${wasted}`);
}

/** The sessions of our own that are judged wrong so far. */
function knownWrong() {
  const rows = readFileSync(path.join(collection, "known-wrong.tsv"), "utf8").trim().split("\n");
  return rows
    .slice(1)
    .map((row) => row.split("\t")[0])
    .sort();
}

function readSessions(folder) {
  const rows = readFileSync(path.join(folder, "index.tsv"), "utf8").trim().split("\n");
  return rows.slice(1).map((row) => {
    const [id, label, starts] = row.split("\t");
    const lines = readFileSync(path.join(folder, `${id}.jsonl`), "utf8").split("\n");
    return {
      id,
      starts: label === "loop" ? Number(starts) : undefined,
      events: lines.filter(Boolean).map((line) => JSON.parse(line)),
    };
  });
}

/** Every verdict but `ok`, up to the first `stop`, and how many calls there were. */
function play(events) {
  let detector = new LoopDetector({ profile: "adaptive" });
  detector.startPrompt("session");
  const hits = [];
  let calls = 0;
  let place = 0;
  for (const event of events) {
    const isCall = event.type === "tool_call";
    if (isCall) calls++;
    // A line of JSON has no arguments where an agent does not tell them.
    const { action, report } = detector.observe(isCall ? { args: undefined, ...event } : event);
    if (action !== "ok") {
      const { rule, message, feedback } = report;
      assert.ok(message.length <= 500 && feedback.length <= 2_000 && report.evidence.length <= 300);
      assert.ok(feedback.includes(`${report.count}`));
      hits.push({ action, rule, calls });
    }
    if (action === "stop") break;
    // A detector that was saved and restored goes on as if nothing had been.
    if (++place % 7 === 0) {
      const saved = detector.snapshot();
      detector.dispose();
      detector = LoopDetector.restore(saved);
    }
  }
  detector.dispose();
  return hits;
}
