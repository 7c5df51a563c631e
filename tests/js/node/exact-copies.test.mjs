// What failed in a list is no copy of a file, and only what was repaired is led back.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { turnkeeper } from "./installed-package.mjs";
import { PROVIDERS, inShapeOf } from "./provider-shapes.mjs";
import { random, seed } from "./random.mjs";

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
/** Also as it stands in JSON within JSON, in which results may be. */
const holds = (messages, text) => {
  const once = JSON.stringify(text).slice(1, -1);
  const all = JSON.stringify(messages);
  return all.includes(once) || all.includes(JSON.stringify(once).slice(1, -1));
};
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
  const withOther = structuredClone(messages);
  const [part] = withOther[report.undo[0].index].content[0].content;
  const middle = Math.floor(part.text.length / 2);
  part.text = `${part.text.slice(0, middle)}~${part.text.slice(middle + 1)}`;
  for (const [name, history] of [
    ["the original", original],
    ["what was restored already", restoreHistory(messages, report)],
    ["an edited history", edited],
    ["one with another character", withOther],
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
  test("a report that keeps a part, or a range, that the message does not have", () => {
    const environment = (time) => ({
      type: "text",
      text: `<environment_details>\n${time}\n</environment_details>`,
    });
    const two = dedupeHistory([{ role: "user", content: [environment(1), environment(2)] }]);
    const one = dedupeHistory([
      { role: "user", content: `${environment(1).text}\n\n${environment(2).text}` },
    ]);
    for (const [{ messages, report }, content] of [
      [two, [{ kept: 99 }]],
      [two, [{ kept: -1 }]],
      [two, [{ kept: "0" }]],
      [two, { start: 0, end: 0, was: "" }],
      [one, { start: 0, end: 9999, was: "" }],
      [one, { start: 5, end: 4, was: "" }],
      [one, [{ kept: 0 }]],
    ]) {
      const saved = structuredClone(report);
      saved.undo[0].content = content;
      assert.throws(() => restoreHistory(messages, saved), { code: "invalid_argument" });
      assert.ok(restoreHistory(messages, report));
    }
  });
  test("and takes its own, with messages after it", () => {
    const longer = [...messages, original[0]];
    assert.deepEqual(restoreHistory(longer, report), [...original, original[0]]);
  });
});

describe("no complete copy gives way to", () => {
  const whole = lines(60);

  test("what a terminal printed", () => {
    for (const text of [whole, `${whole}\n$`, "Cannot find path 'a.ts'\nAt line:1 char:1"]) {
      const printed = step("execute_command", { command: "type a.ts" }, text);
      const { report } = dedupeHistory([...read("a.ts", whole), ...printed], { files: "newest" });
      assert.deepEqual(report.files, [], text);
    }
  });

  test("what the user quotes", () => {
    const element = `<file_content path="a.ts">\n${lines(60, 1)}\n</file_content>`;
    for (const text of [
      `Make it\n\`\`\`\n${element}\n\`\`\``,
      `Why is ${element} there?`,
      `\`${element}\``,
      `<feedback>\n${element}\n</feedback>`,
    ]) {
      const said = { role: "user", content: [{ type: "text", text }] };
      const { messages } = dedupeHistory([...read("a.ts", whole), said, ...read("a.ts", whole)], {
        files: "newest",
      });
      assert.ok(holds(messages, whole));
      assert.equal(messages[2], said, text);
    }
  });
});

test("a second repair changes nothing, also after the first took out the environment", () => {
  for (const command of [
    "cp -r proj backup",
    "mv ../proj/src ../old",
    "cd proj && ren a.ts b.ts",
  ]) {
    const environment = `<environment_details>\n# Time\n1\n\n# Current Working Directory (/home/u/proj) Files\nsrc/a.ts\n</environment_details>`;
    const now = environment.replace("\n1\n", "\n2\n");
    const user = (words, details) => ({
      role: "user",
      content: [
        { type: "text", text: words },
        { type: "text", text: details },
      ],
    });
    const history = [
      user("Go on.", environment),
      ...read("src/a.ts", lines(60)),
      ...step("execute_command", { command }, "done"),
      ...read("src/a.ts", lines(60)),
      ...read("/home/u/proj/src/a.ts", lines(60)),
      user("And now?", now),
    ];
    for (const options of [{ economy: "resume" }, { economy: "compact" }]) {
      const { messages } = dedupeHistory(history, options);
      const again = dedupeHistory(messages, options);
      assert.deepEqual(again.messages, messages, command);
      assert.equal(again.report.messagesChanged, 0, command);
    }
  }
});

test("a heading in the text of a result with an id, and a cut in a string, keep no copy back", () => {
  for (const line of ["[read_file for 'x'] Result:", 'const cut = "... [truncated]";']) {
    const text = `${lines(30)}\n${line}\n${lines(30, 1)}`;
    const { report } = dedupeHistory([...read("a.ts", text), ...read("a.ts", text)], {
      files: "newest",
    });
    assert.equal(report.files.length, 1, line);
  }
});

test(`whatever the history, the newest exact content of a file stands exactly somewhere (TURNKEEPER_SEED=${seed})`, () => {
  const noise = [
    "Traceback (most recent call last):\n  line 3\nKeyError",
    "Nicht gefunden.\nBitte noch einmal.",
    `Lines 1 to 9 (99 lines total)\n${lines(9)}`,
    lines(12),
    "<html>\n<h1>502</h1>\n</html>",
  ];
  const frame = (path, text) =>
    `Saved.\n\n<final_file_content path="${path}">\n${text}\n</final_file_content>`;
  let saved = 0;
  for (let round = 0; round < 300; round++) {
    const files = new Map(["a.ts", "b.ts"].map((path) => [path, lines(30, random(9))]));
    /** The newest content that was shown whole, by path. */
    const exact = new Map();
    const history = [];
    for (let at = 0; at < 12; at++) {
      const path = random(2) === 0 ? "a.ts" : "b.ts";
      const text = files.get(path);
      const edited = text.replace(`value${random(30)} =`, `other${at} =`);
      switch (random(6)) {
        case 0:
        case 1:
          history.push(...read(path, text));
          exact.set(path, text);
          break;
        case 2:
          history.push(...step("replace_in_file", { path, diff: "x" }, frame(path, edited)));
          files.set(path, edited);
          exact.set(path, edited);
          break;
        case 3:
          history.push(...step("Edit", { path, old_string: "q", new_string: "r" }, "Updated."));
          files.set(path, edited);
          break;
        case 4:
          history.push(...read(path, noise[random(noise.length)]));
          break;
        default:
          history.push(...step("execute_command", { command: `type ${path}` }, `${text}\nPS>`));
      }
    }
    for (const options of [economy, { economy: "resume" }, { economy: "compact" }]) {
      const provider = PROVIDERS[round % PROVIDERS.length];
      const given = inShapeOf(provider, history);
      const { messages, report } = dedupeHistory(given, options);
      const told = `round ${round}, ${provider}`;
      saved += report.files.length;
      for (const text of exact.values()) assert.ok(holds(messages, text), told);
      assert.equal(dedupeHistory(messages, options).report.messagesChanged, 0, told);
      assert.deepEqual(restoreHistory(messages, report), given, told);
    }
  }
  assert.ok(saved > 500, `${saved} copies gave way`);
});
