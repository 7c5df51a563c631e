// Sessions that are difficult to read, in every format that has the difficulty.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import { load } from "../node/installed-package.mjs";
import { json, run } from "../node/replay-command.mjs";
import { fixtures } from "../session-fixtures/make.mjs";
import { PICTURE } from "../session-fixtures/stories.mjs";

const { readSession } = load("turnkeeper/sessions");

const SESSIONS = fileURLToPath(new URL("../../data/difficult-sessions", import.meta.url));
const expected = JSON.parse(readFileSync(path.join(SESSIONS, "expected.json"), "utf8"));
const names = Object.keys(expected);
const difficulties = [...new Set(names.map((name) => path.dirname(name)))];

/** What was read of a session, as `expected.json` has it. */
function counts(events, leftOut) {
  const of = (type) => events.filter((event) => event.type === type);
  return {
    userMessages: of("user_message").length,
    turns: of("turn_started").length,
    calls: of("tool_call").map(({ name }) => name),
    results: of("tool_result").length,
    failures: of("tool_result").filter(({ isError, exitCode }) => isError || exitCode > 0).length,
    condensations: of("condensation").length,
    leftOut,
  };
}

for (const difficulty of difficulties) {
  const files = names.filter((name) => path.dirname(name) === difficulty);

  describe(`sessions with ${difficulty} are read`, () => {
    const events = Object.fromEntries(files.map((name) => [name, []]));
    const problems = {};
    const audited = {};

    before(async () => {
      const paths = files.map((name) => path.join(SESSIONS, name));
      const nameOf = (file) => path.relative(SESSIONS, file).split(path.sep).join("/");
      const lines = await json(paths);
      for (const { file, event } of lines) if (event) events[nameOf(file)].push(event);
      for (const { file, problem } of lines.at(-1).summary.files) problems[nameOf(file)] = problem;
      // A subagent's work is a copy in the other files of the same story, which counts once among all.
      const withSubagents = paths.filter((file) => expected[nameOf(file)].leftOut > 0);
      const others = paths.filter((file) => !withSubagents.includes(file));
      for (const together of [others, ...withSubagents.map((file) => [file])]) {
        if (together.length === 0) continue;
        const { stdout } = await run(["audit", "--json", ...together]);
        for (const session of JSON.parse(stdout).sessions) audited[nameOf(session.file)] = session;
      }
    });

    test("at least twenty of them", () => assert.ok(files.length >= 20, String(files.length)));

    for (const name of files) {
      test(name, async () => {
        const { problem, format, title, model, ...rest } = expected[name];
        assert.deepEqual(counts(events[name], audited[name]?.leftOut ?? 0), rest);
        if (problem === undefined) assert.equal(problems[name], undefined);
        else assert.ok(problems[name]?.includes(problem), problems[name]);

        const session = await readSession(readFileSync(path.join(SESSIONS, name)), { name });
        assert.deepEqual(session.events, events[name]);
        if (format === undefined) {
          // A JSON value that is not whole is read as far as it goes.
          assert.match(session.leftOut[0].reason, /^breaks off/);
        } else {
          const facts = { format: session.format, title: session.title, model: session.model };
          assert.deepEqual(facts, { format, title, model });
          assert.equal(session.cutOff !== undefined, problem !== undefined);
        }
        // Of a picture, no more than that there is one.
        assert.ok(!JSON.stringify(events[name]).includes(PICTURE.slice(0, 40)));
        for (const { type, id } of events[name]) {
          if (type !== "tool_result" || id === undefined) continue;
          const isCalled = (event) => event.type === "tool_call" && event.id === id;
          assert.ok(events[name].some(isCalled), `${id} answers no call`);
        }
      });
    }
  });
}

test("the sessions are what is written from the stories", () => {
  const written = fixtures();
  assert.deepEqual(Object.fromEntries(written.map((each) => [each.file, each.expected])), expected);
  for (const { file, text } of written) {
    assert.equal(readFileSync(path.join(SESSIONS, file), "utf8"), text, file);
  }
});
