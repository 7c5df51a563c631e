// What failed in a list is no copy of a file, and only what was repaired is led back.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { turnkeeper } from "./installed-package.mjs";

const { TurnkeeperError, dedupeHistory, restoreHistory } = turnkeeper;

const lines = (count, version = 0) =>
  Array.from({ length: count }, (_, at) => `const value${at} = ${at * 7 + version};`).join("\n");

let ids = 0;
const call = (name, input) => {
  const id = `call-${++ids}`;
  return [{ role: "assistant", content: [{ type: "tool_use", id, name, input }] }, id];
};
const answer = (id, text, isError = false) => ({
  role: "user",
  content: [
    { type: "tool_result", tool_use_id: id, content: [{ type: "text", text }], is_error: isError },
  ],
});
/** A call and its result. */
const step = (name, input, text) => {
  const [made, id] = call(name, input);
  return [made, answer(id, text)];
};
const read = (path, text) => step("read_file", { path }, text);
const holds = (messages, text) =>
  messages.some(({ content }) =>
    [content]
      .flat()
      .some((part) => JSON.stringify(part ?? "").includes(JSON.stringify(text).slice(1, -1))),
  );
const economy = { files: "newest", writes: true, repeatedResults: true };

test("a file of a list that failed, was denied, is binary or empty makes no copy give way", () => {
  const whole = lines(60);
  for (const file of [
    "<path>a.ts</path><error>no</error>",
    "<path>a.ts</path><status>Denied by user</status>",
    "<path>a.ts</path>\n<notice>Binary file</notice>",
    "<path>a.ts</path><content/><notice>File is empty</notice>",
  ]) {
    const text = `<files>\n<file>${file}\n</file>\n</files>`;
    const steps = [...read("a.ts", whole), ...read("a.ts", text)];
    assert.ok(holds(dedupeHistory(steps, economy).messages, whole), file);
  }
});

test("a newer copy still makes the older ones give way, also after an edit", () => {
  const [first, second] = [lines(60), lines(60).replace("value9 = 63", "value9 = 64")];
  const steps = [
    ...read("a.ts", first),
    ...read("a.ts", first),
    ...step("replace_in_file", { path: "a.ts", diff: "x" }, "The edit was made."),
    ...read("a.ts", second),
  ];
  const { messages, report } = dedupeHistory(steps, { files: "newest" });
  assert.equal(report.files.length, 2);
  assert.ok(holds(messages, second));
});

describe("restoreHistory refuses what is not its own:", () => {
  const original = [...read("a.ts", lines(60)), ...read("a.ts", lines(60)), ...read("b.ts", "x")];
  const { messages, report } = dedupeHistory(original, { files: "newest" });
  const edited = messages.map((message, at) =>
    at === report.undo[0].index ? { ...message, content: [] } : message,
  );
  for (const [name, history] of [
    ["the original", original],
    ["what was restored already", restoreHistory(messages, report)],
    ["an edited history", edited],
    ["a history that has moved", messages.slice(1)],
    ["a history that begins with another message", [original[0], ...messages]],
  ]) {
    test(name, () => {
      assert.throws(
        () => restoreHistory(history, JSON.parse(JSON.stringify(report))),
        (error) => error instanceof TurnkeeperError && error.code === "invalid_argument",
      );
    });
  }
  test("and takes its own, with messages after it", () => {
    const longer = [...messages, original[0]];
    assert.deepEqual(restoreHistory(longer, report), [...original, original[0]]);
  });
});
