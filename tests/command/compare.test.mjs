import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import { turnkeeper } from "../node/installed-package.mjs";
import { random, seed } from "../node/random.mjs";
import { folder, replay } from "../node/replay-command.mjs";

import { widthOf } from "./screen.mjs";
import { PROFILES } from "../profiles.mjs";

const { LoopDetector } = turnkeeper;

const COLLECTION = fileURLToPath(new URL("../fixtures/loop-collection", import.meta.url));

/** Writes labelled sessions into a folder of their own: `{id: {label, events}}`. */
function collection(name, sessions) {
  const target = path.join(folder, name);
  mkdirSync(target, { recursive: true });
  const rows = ["id\tlabel\tloop_starts_at_call\ttype\treason"];
  for (const [id, { start, events }] of Object.entries(sessions)) {
    const lines = events.map((event) => `${JSON.stringify(event)}\n`);
    writeFileSync(path.join(target, `${id}.jsonl`), lines.join(""));
    rows.push(start === undefined ? `${id}\tno-loop\t-\t\t` : `${id}\tloop\t${start}\t\t`);
  }
  writeFileSync(path.join(target, "index.tsv"), `${rows.join("\n")}\n`);
  return target;
}

const call = (args, name = "edit") => ({ type: "tool_call", name, args });
const different = (count) => Array.from({ length: count }, (_, n) => call({ n }));
const identical = (count) => Array.from({ length: count }, () => call("same"));

async function compared(args) {
  const { stdout, stderr, code } = await replay(["--compare", "--json", ...args]);
  const lines = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const { comparison, exitCode } = lines.pop();
  assert.equal(exitCode, code);
  return { sessions: lines, comparison, code, stderr };
}

describe("verdicts and labels", () => {
  const standard = ["--profile", "standard"];

  test("a loop that is stopped, one that is missed, and a false alarm", async () => {
    const target = collection("three", {
      stopped: { start: 3, events: [...different(3), ...identical(15)] },
      missed: { start: 2, events: [...different(2), ...identical(9)] },
      alarm: { events: [...different(4), ...identical(10), call("other")] },
      fine: { events: different(30) },
    });
    const { sessions, comparison, code } = await compared([target, ...standard]);
    assert.equal(code, 0);
    const of = (id) => sessions.find(({ session }) => session === id).profiles.standard;
    assert.deepEqual(of("stopped").stop, {
      action: "stop",
      call: 12,
      callsBefore: 12,
      line: 13,
      type: "consecutive_identical_tool_calls",
      rule: of("stopped").stop.rule,
    });
    assert.equal(of("stopped").saved.calls, 5);
    assert.equal(of("stopped").score.wasted, 9);
    const { standard: total } = comparison.profiles;
    assert.deepEqual([total.loops, total.found, total.stopped, total.healthy], [2, 1, 1, 2]);
    assert.deepEqual(total.missed, [{ file: "missed" }]);
    assert.deepEqual(total.falseAlarms, [{ file: "alarm", finding: of("alarm").stop }]);
    assert.deepEqual(total.falseStops, total.falseAlarms);
    assert.deepEqual(total.wasted, { count: 1, median: 9, max: 9, sum: 9 });
  });

  test("a verdict before the labelled start is a false alarm and finds nothing", async () => {
    const events = [...identical(10), ...different(5), ...identical(20)];
    const target = collection("early", { late: { start: 12, events } });
    const early = (await compared([target, ...standard])).comparison.profiles.standard;
    assert.deepEqual([early.found, early.early.length, early.missed.length], [0, 1, 1]);
    assert.equal(early.early[0].finding.call, 9);
    const args = [target, ...standard, "--tolerance", "3"];
    const inTime = (await compared(args)).comparison.profiles.standard;
    assert.deepEqual([inTime.found, inTime.early.length, inTime.wasted.max], [1, 0, 0]);
  });

  test("a session is one prompt, unless --prompts says otherwise", async () => {
    const events = [...identical(6), { type: "user_message" }, ...identical(6)];
    const target = collection("prompts", { split: { start: 0, events } });
    assert.equal((await compared([target, ...standard])).comparison.profiles.standard.found, 1);
    const user = await compared([target, ...standard, "--prompts", "user"]);
    assert.equal(user.comparison.profiles.standard.found, 0);
  });

  test("words that loop before any call have no call", async () => {
    const chant = Array.from({ length: 60 }, () => ({ type: "text", text: "I will try again. " }));
    const target = collection("words", { chant: { start: 0, events: chant } });
    const { sessions, comparison } = await compared([target, ...standard]);
    assert.equal(sessions[0].profiles.standard.stop.call, null);
    assert.equal(comparison.profiles.standard.wasted.max, 0);
    const { stdout } = await replay(["--compare", target, ...standard]);
    assert.match(stdout, /chant +0 +0 +start/);
  });

  test("without an index there are no totals", async () => {
    const target = path.join(folder, "three", "stopped.jsonl");
    const copy = path.join(folder, "alone.jsonl");
    writeFileSync(copy, readFileSync(target));
    const { sessions, comparison, code } = await compared([copy, ...standard]);
    assert.equal(code, 0);
    assert.equal(sessions[0].profiles.standard.stop.call, 12);
    assert.equal("score" in sessions[0].profiles.standard, false);
    assert.deepEqual([comparison.labelled, comparison.profiles], [0, {}]);
    assert.match((await replay(["--compare", copy])).stdout, /none with a label/);
  });
});

describe("what is bad is named, and the rest is done", () => {
  const good = { good: { start: 0, events: identical(12) } };
  const index = (target, text) => writeFileSync(path.join(target, "index.tsv"), text);
  const header = "id\tlabel\tloop_starts_at_call\n";

  const indexes = [
    ["a session that is not there", `${header}good\tloop\t0\ngone\tno-loop\t-\n`, /"gone"/],
    ["another label", `${header}good\tloop\t0\nx\tperhaps\t-\n`, /line 3: .*"perhaps"/],
    ["a loop without a start", `${header}good\tloop\t0\nx\tloop\t-\n`, /line 3: loop_starts_at/],
    ["a session twice", `${header}good\tloop\t0\ngood\tno-loop\t-\n`, /line 3: .*second time/],
  ];
  for (const [what, text, expected] of indexes) {
    test(`an index with ${what}`, async () => {
      const target = collection(`index-${what.replaceAll(" ", "-")}`, good);
      index(target, text);
      const { comparison, code, stderr } = await compared([target]);
      assert.equal(code, 2);
      assert.match(stderr, expected);
      assert.equal(stderr.split("\n").length, 2);
      assert.deepEqual([comparison.labelled, comparison.problems], [1, 1]);
      assert.equal(comparison.profiles.standard.found, 1);
    });
  }

  test("an index without the columns", async () => {
    const target = collection("no-columns", good);
    index(target, "file\tverdict\n");
    const { code, stderr, comparison } = await compared([target]);
    assert.equal(code, 2);
    assert.match(stderr, /index\.tsv, line 1: has no column id/);
    assert.deepEqual([comparison.sessions, comparison.labelled], [1, 0]);
  });

  test("a label for a call that the session does not have", async () => {
    const target = collection("cut", { cut: { start: 99, events: identical(12) }, ...good });
    const { code, stderr, comparison } = await compared([target]);
    assert.equal(code, 2);
    assert.match(stderr, /cut\.jsonl has 12 calls/);
    assert.equal(comparison.labelled, 1);
  });

  test("a session that breaks off counts nowhere", async () => {
    const target = collection("broken", good);
    writeFileSync(path.join(target, "broken.jsonl"), '{"type":"turn_started"}\n{"type":\n');
    const { code, stderr, comparison } = await compared([target]);
    assert.equal(code, 2);
    assert.match(stderr, /broken\.jsonl, line 2: is not JSON/);
    assert.deepEqual([comparison.sessions, comparison.problems], [1, 1]);
  });

  test("a folder that contains itself, and one without sessions", async () => {
    const target = collection("ring", good);
    symlinkSync(target, path.join(target, "self"));
    const { code, stderr, comparison } = await compared([target]);
    assert.equal(code, 2);
    assert.match(stderr, /self is a link to a folder around it/);
    assert.equal(comparison.sessions, 1);
    const empty = path.join(folder, "empty-folder");
    mkdirSync(empty);
    const nothing = await compared([empty]);
    assert.equal(nothing.code, 2);
    assert.match(nothing.stderr, /has no sessions/);
  });

  test("a folder may hold sessions of any format, and other files", async () => {
    const target = collection("formats", good);
    const saved = fileURLToPath(new URL("../fixtures/saved/", import.meta.url));
    for (const name of ["cline-history.json", "swe-agent.traj", "claude-code.jsonl"]) {
      writeFileSync(path.join(target, name), readFileSync(saved + name));
    }
    writeFileSync(path.join(target, "settings.json"), '{"theme":"dark"}');
    writeFileSync(path.join(target, "notes.md"), "# Notes");
    const { sessions, code } = await compared([target]);
    assert.equal(code, 0);
    const names = sessions.map(({ session }) => session);
    assert.deepEqual(names, ["claude-code", "cline-history", "good", "swe-agent"]);
    index(target, `${header}good\tloop\t0\nsettings\tno-loop\t-\n`);
    assert.match((await compared([target])).stderr, /settings\.json is /);
  });

  test("options that do not go together", async () => {
    const file = path.join(folder, "three", "fine.jsonl");
    for (const args of [
      ["--compare", "--continue", file],
      ["--compare", "--tolerance", "-1", file],
      ["--compare", "--tolerance=two", file],
      ["--compare", "--profile", "nobody", file],
      ["--compare", "--prompts", "all", file],
      ["--tolerance", "1", file],
      ["--profile", "standard", "--profile", "roo", file],
    ]) {
      const { code, stdout, stderr } = await replay(args);
      assert.deepEqual([code, stdout], [2, ""], args.join(" "));
      assert.match(stderr, /^turnkeeper: .*\n$/);
    }
  });
});

// ---------- an independent count

/** Plays and counts as plainly as possible, and shares nothing with the command. */
function naiveCount(target, tolerance) {
  const [, ...rows] = readFileSync(path.join(target, "index.tsv"), "utf8").trimEnd().split("\n");
  const labels = rows.map((row) => row.split("\t"));
  const counts = {};
  for (const profile of PROFILES) {
    const count = {
      found: [],
      stopped: [],
      early: [],
      alarms: [],
      stops: [],
      wasted: [],
      until: [],
    };
    for (const [id, label, start] of labels) {
      const detector = new LoopDetector({ profile });
      detector.startPrompt("naive");
      let calls = 0;
      const verdicts = [];
      for (const line of readFileSync(path.join(target, `${id}.jsonl`), "utf8").split("\n")) {
        if (line === "") continue;
        const event = JSON.parse(line);
        const { action } = detector.observe(event);
        if (action !== "ok") verdicts.push([action, calls]);
        if (action === "stop") break;
        if (event.type === "tool_call") calls += 1;
      }
      detector.dispose();
      if (label === "no-loop") {
        if (verdicts.length > 0) count.alarms.push(id);
        if (verdicts.some(([action]) => action === "stop")) count.stops.push(id);
        continue;
      }
      const late = verdicts.filter(([, at]) => at >= Number(start) - tolerance);
      if (late.length < verdicts.length) count.early.push(id);
      if (late.length > 0) {
        count.found.push(id);
        count.wasted.push(Math.max(0, late[0][1] - start));
      }
      const stop = late.find(([action]) => action === "stop");
      if (stop) {
        count.stopped.push(id);
        count.until.push(Math.max(0, stop[1] - start));
      }
    }
    counts[profile] = count;
  }
  return counts;
}

function assertSame(comparison, naive) {
  assert.deepEqual(Object.keys(comparison.profiles), PROFILES);
  for (const profile of PROFILES) {
    const total = comparison.profiles[profile];
    const count = naive[profile];
    const files = (list) => list.map(({ file }) => file).sort();
    const sum = (list) => list.reduce((all, value) => all + value, 0);
    assert.equal(total.found, count.found.length, profile);
    assert.equal(total.found + total.missed.length, total.loops, profile);
    assert.equal(total.stopped, count.stopped.length, profile);
    assert.deepEqual(files(total.early), count.early.sort(), profile);
    assert.deepEqual(files(total.falseAlarms), count.alarms.sort(), profile);
    assert.deepEqual(files(total.falseStops), count.stops.sort(), profile);
    assert.deepEqual(
      [total.wasted.count, total.wasted.sum, total.wastedUntilStop.sum],
      [count.wasted.length, sum(count.wasted), sum(count.until)],
      profile,
    );
    const sorted = count.wasted.sort((a, b) => a - b);
    const middle = sorted.filter((_, n) => Math.abs(n - (sorted.length - 1) / 2) < 1);
    const median = middle.length > 0 ? sum(middle) / middle.length : null;
    assert.equal(total.wasted.median, median, profile);
  }
}

describe("an independent count says the same", () => {
  let made;
  before(() => {
    const sessions = {};
    for (let n = 0; n < 120; n += 1) {
      const events = [];
      const kinds = 1 + random(4);
      const length = random(60);
      for (let at = 0; at < length; at += 1) {
        const args = { a: random(kinds) };
        events.push({ type: "turn_started" }, call(args, random(9) > 0 ? "edit" : "read_file"));
        if (random(8) > 0) events.push({ type: "tool_result", output: `${random(2)}` });
        if (random(20) === 0) events.push({ type: "user_message" });
      }
      events.push({ type: "finished" });
      const start = random(2) ? random(length + 1) : undefined;
      sessions[`s${n}`] = { start, events };
    }
    made = collection("random", sessions);
  });

  for (const tolerance of [0, 2, 5]) {
    test(`of random sessions (seed ${seed}), with a tolerance of ${tolerance}`, async () => {
      const { comparison } = await compared([made, "--tolerance", String(tolerance)]);
      assert.equal(comparison.labelled, 120);
      const naive = naiveCount(made, tolerance);
      assert.ok(Object.values(naive).some(({ found }) => found.length > 0));
      assert.ok(Object.values(naive).some(({ alarms }) => alarms.length > 0));
      assertSame(comparison, naive);
    });
  }

  // TURNKEEPER_RECORDINGS names a folder of labelled sessions that is not part of the project.
  const others = {
    "of the loop collection": COLLECTION,
    "of recorded sessions": process.env.TURNKEEPER_RECORDINGS,
  };
  for (const [what, target] of Object.entries(others)) {
    const skip = !existsSync(path.join(target ?? "", "index.tsv")) && "they are not here";
    test(what, { skip }, async () => {
      const { comparison, code } = await compared([target]);
      assert.equal(code, 0);
      const sessions = readdirSync(target).filter((name) => name.endsWith(".jsonl"));
      assert.equal(comparison.sessions, sessions.length);
      assertSame(comparison, naiveCount(target, 2));
    });
  }
});

test("the document has what the command says of the loop collection", async () => {
  const document = new URL("../../docs/profiles-compared.txt", import.meta.url);
  const { stdout } = await replay(["--compare", COLLECTION]);
  assert.equal(stdout, readFileSync(document, "utf8"));
});

/** A session of a million calls with a loop at its end, whose name is of wide characters. */
const HUGE = path.join(folder, "huge");
before(() => {
  mkdirSync(HUGE);
  const lines = Array.from(
    { length: 1_000_000 },
    (_, n) => `{"type":"tool_call","name":"a","args":${n}}`,
  );
  for (let n = 0; n < 20; n += 1) lines.push(JSON.stringify(call("same")));
  writeFileSync(path.join(HUGE, "会话记录.jsonl"), lines.join("\n"));
  writeFileSync(
    path.join(HUGE, "index.tsv"),
    "id\tlabel\tloop_starts_at_call\n会话记录\tloop\t1000000\n",
  );
});

describe("the table", () => {
  test("fits into 80 columns and says what the JSON says", async () => {
    const target = path.join(folder, "random");
    const { stdout } = await replay(["--compare", target]);
    for (const line of stdout.split("\n")) assert.ok(line.length <= 80, line);
    const { comparison } = await compared([target]);
    for (const [profile, total] of Object.entries(comparison.profiles)) {
      const row = new RegExp(`^${profile} +(.*)$`, "m").exec(stdout)[1].split(/ +/);
      assert.deepEqual(row, [
        `${total.found}/${total.loops}`,
        `${total.stopped}`,
        `${total.early.length}`,
        `${total.wasted.median ?? "-"}`,
        `${total.wastedUntilStop.median ?? "-"}`,
        `${total.falseAlarms.length}/${total.healthy}`,
        `${total.falseStops.length}`,
      ]);
    }
    const words = stdout.replace(/\s+/g, " ");
    for (const { file, finding } of comparison.profiles.standard.falseAlarms) {
      assert.ok(words.includes(`${file} (${finding.action} at ${finding.call}, `), file);
    }
  });

  for (const columns of [40, 80, 200]) {
    test(`keeps columns apart and headings whole in ${columns} columns`, async () => {
      const env = { COLUMNS: String(columns) };
      const args = ["--compare", HUGE, "--profile", "openhands", "--profile", "gemini-cli"];
      const { stdout, code } = await replay(args, { env });
      assert.equal(code, 0);
      for (const line of stdout.split("\n")) {
        assert.ok((await widthOf(line)) <= columns, line);
        assert.doesNotMatch(line, /\d,\d{3}\d/);
      }
      if (columns < 80) {
        assert.match(stdout, /\bopenhands (~?1,0|missed)/);
        assert.match(stdout, /\bgemini-cli (~?1,0|missed)/);
        assert.match(stdout, /\bcalls 1,000,020, loop 1,000,000,/);
        return;
      }
      // A profile's name is whole, and its own column.
      const head = /^session +calls.*$/gm;
      const names = stdout.match(head).flatMap((line) => line.split(/ {2,}/).slice(3));
      assert.deepEqual(names, ["openhands", "gemini-cli"]);
      const row = stdout.split("\n").filter((line) => line.startsWith("会话记录"));
      for (const line of row) {
        const [, calls, start, ...cells] = line.split(/ {2,}/);
        assert.deepEqual([calls, start], ["1,000,020", "1,000,000"]);
        for (const cell of cells) assert.match(cell, /^(~?1,000,\d{3}!?|missed)( 1,000,\d{3}!?)?$/);
      }
    });
  }

  test("carries no control character of an index or a file name", async () => {
    const bad = "x\u001b[31m\u202e";
    const target = collection("hostile", { [bad]: { events: different(3) } });
    const { stdout, stderr } = await replay(["--compare", target]);
    assert.doesNotMatch(stdout + stderr, /[\u0000-\u0009\u000b-\u001f\u202e]/);
    assert.match(stdout, /x\\x1b\[31m/);
  });
});
