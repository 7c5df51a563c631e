// `turnkeeper replay --compare`: what every profile says to the same sessions.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";

import { load, turnkeeper } from "../node/installed-package.mjs";
import { random, seed } from "../node/random.mjs";
import { file, folder, replay } from "../node/replay-command.mjs";
import { PEERS, PROFILES } from "../profiles.mjs";

import { widthOf } from "./screen.mjs";

const peers = load("turnkeeper/peers");

const { LoopDetector } = turnkeeper;

const call = (args, name = "edit") => ({ type: "tool_call", name, args });
const different = (count) => Array.from({ length: count }, (_, n) => call({ n }));
const identical = (count) => Array.from({ length: count }, () => call("same"));
const standard = ["--profile", "standard"];

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

describe("a verdict", () => {
  test("says at which call and line it came, and what a stop saves", async () => {
    const name = file("stopped.jsonl", [...different(3), ...identical(15)]);
    const { sessions, comparison, code } = await compared([name, ...standard]);
    assert.deepEqual([code, comparison], [0, { sessions: 1, problems: 0 }]);
    const { stop, stops, nudges, saved } = sessions[0].profiles.standard;
    assert.deepEqual(stop, {
      action: "stop",
      call: 12,
      callsBefore: 12,
      line: 13,
      type: "consecutive_identical_tool_calls",
      rule: stop.rule,
    });
    assert.deepEqual([stops, nudges, saved.calls], [1, 0, 5]);
    assert.ok(saved.tokens > 5);
  });

  test("on words before any call has no call", async () => {
    const chant = Array.from({ length: 60 }, () => ({ type: "text", text: "I will try again. " }));
    const target = path.join(folder, "words");
    mkdirSync(target);
    file("words/chant.jsonl", chant);
    const { sessions } = await compared([target, ...standard]);
    assert.equal(sessions[0].profiles.standard.stop.call, null);
    const { stdout } = await replay(["--compare", target, ...standard]);
    assert.match(stdout, /^chant +0 +start/m);
  });

  test("is on one prompt, unless --prompts says otherwise", async () => {
    const name = file("split.jsonl", [...identical(6), { type: "user_message" }, ...identical(6)]);
    const stops = async (...args) =>
      (await compared([name, ...standard, ...args])).sessions[0].profiles.standard.stops;
    assert.deepEqual([await stops(), await stops("--prompts", "user")], [1, 0]);
  });

  test(`is the detector's own, for every profile (seed ${seed})`, async () => {
    const target = path.join(folder, "random");
    mkdirSync(target);
    const made = Array.from({ length: 40 }, (_, n) => {
      const kinds = 1 + random(4);
      const events = Array.from({ length: 1 + random(60) }, () => [
        { type: "turn_started" },
        call({ a: random(kinds) }, random(9) > 0 ? "edit" : "read_file"),
        ...(random(8) > 0 ? [{ type: "tool_result", output: `${random(2)}` }] : []),
      ]).flat();
      const lines = events.map((event) => `${JSON.stringify(event)}\n`);
      writeFileSync(path.join(target, `s${n}.jsonl`), lines.join(""));
      return events;
    });
    const { sessions } = await compared([target]);
    let found = 0;
    for (const { session, profiles } of sessions) {
      const all = [...PROFILES, ...PEERS];
      assert.deepEqual(Object.keys(profiles), all);
      for (const profile of all) {
        const Detector = PEERS.includes(profile) ? peers.LoopDetector : LoopDetector;
        const detector = new Detector({ profile });
        detector.startPrompt(session);
        const at = made[session.slice(1)].findIndex(
          (event) => detector.observe(event).action === "stop",
        );
        const { stop } = profiles[profile];
        assert.equal(stop?.line ?? 0, at + 1, `${session}, ${profile}`);
        if (stop) found += 1;
        detector.dispose();
      }
    }
    assert.ok(found > 0);
  });
});

test("what is bad is named, and the rest is done", async () => {
  const target = path.join(folder, "some-bad");
  mkdirSync(target);
  const write = (name, text) => writeFileSync(path.join(target, name), text);
  write("good.jsonl", `${JSON.stringify(call(1))}\n`);
  write("broken.jsonl", `${JSON.stringify(call(1))}\n{\n`);
  write("settings.json", '{"theme":"dark"}');
  const { sessions, comparison, code, stderr } = await compared([target]);
  assert.deepEqual([code, comparison], [2, { sessions: 1, problems: 1 }]);
  assert.equal(sessions[0].session, "good");
  assert.match(stderr, /^turnkeeper: [^\n]*broken\.jsonl, line 2: [^\n]*\n$/);
});

describe("the table", () => {
  const target = path.join(folder, "huge");
  mkdirSync(target, { recursive: true });
  const lines = Array.from(
    { length: 10_000 },
    (_, n) => `{"type":"tool_call","name":"a","args":${n}}`,
  );
  lines.push(...identical(20).map((event) => JSON.stringify(event)));
  writeFileSync(path.join(target, "会话记录.jsonl"), lines.join("\n"));

  for (const columns of [40, 80, 200]) {
    test(`keeps columns apart and headings whole in ${columns} columns`, async () => {
      const env = { COLUMNS: String(columns) };
      const args = ["--compare", target, "--profile", "deepv", "--profile", "gemini-cli"];
      const { stdout, code } = await replay(args, { env });
      assert.equal(code, 0);
      for (const line of stdout.split("\n")) {
        assert.ok((await widthOf(line)) <= columns, line);
        assert.doesNotMatch(line, /\d,\d{3}\d/);
      }
      const [head] = stdout.match(/^session +calls.*$/m);
      assert.deepEqual(head.split(/ {2,}/), ["session", "calls", "deepv", "gemini-cli"]);
      assert.match(stdout, /^会话记录 +10,020 +\S/m);
    });
  }

  test("carries no control character of a file's name", async () => {
    mkdirSync(path.join(folder, "hostile"));
    file("hostile/x\u001b[31m\u202e.jsonl", different(3));
    const { stdout, stderr } = await replay(["--compare", path.join(folder, "hostile")]);
    assert.doesNotMatch(stdout + stderr, /[\u0000-\u0009\u000b-\u001f\u202e]/);
    assert.match(stdout, /x\\x1b\[31m/);
  });
});
