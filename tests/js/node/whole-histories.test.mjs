// Whole histories in the forms of real agents: what is saved, and that nothing else changes.

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";

import { copyProblems } from "./copies-checker.mjs";
import { turnkeeper } from "./installed-package.mjs";
import { frozen } from "./made-up-histories.mjs";
import { seed } from "./random.mjs";
import { AGENT_NAMES, wholeHistory } from "./whole-histories.mjs";

const { dedupeHistory, restoreHistory } = turnkeeper;
const plain = (value) => JSON.stringify(value);

/** Shortens a history and fails unless all that must hold does: what was saved of how much. */
function checked(messages, options) {
  frozen(messages);
  const { messages: shortened, report } = dedupeHistory(messages, options);
  assert.deepEqual(copyProblems(messages, shortened), []);
  const skeleton = (all) =>
    all.map(({ role, content }) => [
      role,
      typeof content === "string"
        ? []
        : content.map(({ id, tool_use_id }) => id ?? tool_use_id).filter(Boolean),
    ]);
  assert.equal(plain(skeleton(shortened)), plain(skeleton(messages)), "calls and results");
  for (const { content } of shortened) assert.ok(content.length > 0, "no message is empty");
  assert.equal(plain(dedupeHistory(shortened, options).messages), plain(shortened), "at rest");
  const kept = JSON.parse(plain(report));
  assert.equal(plain(restoreHistory(shortened, kept)), plain(messages), "undone");
  return { report, characters: lengthOf(messages) };
}

function lengthOf(value) {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  const { type, ...rest } = value;
  return Object.values(rest).reduce((sum, inner) => sum + lengthOf(inner), 0);
}

describe(`histories of our own (TURNKEEPER_SEED=${seed})`, () => {
  for (const agent of AGENT_NAMES) {
    test(`${agent}: a resumed task is at least 24 % shorter, and nothing but copies went`, () => {
      let [saved, all] = [0, 0];
      for (let n = 0; n < 8; n++) {
        const { messages, needless } = wholeHistory(agent);
        const { report, characters } = checked(messages, { economy: "resume" });
        saved += report.charactersSaved;
        all += characters;
        assert.ok(needless > 5);
        assert.equal(report.kinds.file.items, needless, "every copy that has a newer one");
      }
      assert.ok(saved / all >= 0.24, `${((100 * saved) / all).toFixed(1)} %`);
    });
  }

  test("the checker finds what it is there to find", () => {
    const { messages } = wholeHistory("Cline, in texts");
    const { messages: shortened, report } = dedupeHistory(messages, { files: "newest" });
    const { index, part, newest } = report.files[0];
    const spoilt = (change) => {
      const copy = structuredClone(shortened);
      change(copy);
      return copyProblems(messages, copy);
    };
    const line = (copy) => copy[index].content[part];
    assert.deepEqual(copyProblems(messages, shortened), []);
    const cases = [
      (copy) => (line(copy).text = line(copy).text.replace(/message \d+/, `message ${index - 1}`)),
      (copy) => (line(copy).text = line(copy).text.replace(/, \d+ characters/, ", 1 characters")),
      (copy) => (line(copy).text += "x"),
      (copy) => (line(copy).text = "gone"),
      (copy) => copy[index].content.pop() && copy[index].content.pop(),
      (copy) => copy.pop(),
      (copy) => (copy[newest].content[part === 0 ? 0 : part].text = line(copy).text),
    ];
    for (const change of cases) assert.notDeepEqual(spoilt(change), [], `${change}`);
  });
});

const { TURNKEEPER_RECORDINGS: sessions } = process.env;
const RECORDED = path.join(sessions ?? "", "../histories");
const isThere = sessions !== undefined && existsSync(RECORDED);
describe("recorded histories", { skip: !isThere && "they are not here" }, () => {
  for (const name of isThere ? readdirSync(RECORDED) : []) {
    for (const options of [{ files: "newest" }, { economy: "resume" }, { economy: "compact" }]) {
      test(`${name} with ${plain(options)} loses copies of which there are newer ones, and nothing else`, () => {
        checked(JSON.parse(readFileSync(path.join(RECORDED, name), "utf8")), options);
      });
    }
  }
});
