// What the history deduper promises, checked by other means than its own.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";

import { problems } from "./history-checker.mjs";
import { turnkeeper } from "./installed-package.mjs";
import { frozen, history } from "./made-up-histories.mjs";
import { seed } from "./random.mjs";

const { HistoryDeduper, dedupeHistory, restoreHistory, stripEnvironment, withEnvironment } =
  turnkeeper;

const text = (value, more) => ({ type: "text", text: value, ...more });
const env = (inside) => `<environment_details>\n${inside}\n</environment_details>`;
/** The part that holds a block, set apart from what the user said. */
const apart = (block) => text(`\n\n${block}`);

/** Whatever is promised of every history. */
function check(messages, options) {
  const { messages: repaired, report } = dedupeHistory(messages, options);
  assert.deepEqual(problems(messages, repaired, report, options), []);
  const again = dedupeHistory(repaired, options);
  assert.ok(again.messages.every((message, index) => message === repaired[index]));
  assert.equal(again.report.messagesChanged, 0);
  const deduper = new HistoryDeduper(options);
  const pushed = messages.map((message) => deduper.push(message));
  assert.deepEqual(pushed, repaired);
  assert.ok(
    pushed.every((message, at) => (message === messages[at]) === (repaired[at] === messages[at])),
  );
  assert.deepEqual(deduper.report, report);
  deduper.dispose();
  return report;
}

/** What is promised of the options that rewrite older messages. */
function checkOlder(messages, options) {
  const { messages: repaired, report } = dedupeHistory(messages, options);
  const again = dedupeHistory(repaired, options);
  assert.deepEqual(again.messages, repaired, "a second time changes nothing");
  assert.equal(again.report.messagesChanged, 0);
  const warm = dedupeHistory(messages, { ...options, cache: { idleMs: 0 } });
  const plain = dedupeHistory(messages, { keep: options.keep });
  assert.deepEqual(warm.messages, plain.messages, "nothing older changes while the cache is warm");
  const { waiting } = warm.report;
  assert.equal(
    waiting.characters + plain.report.charactersSaved,
    report.charactersSaved,
    "what waits is what goes once the cache is cold",
  );
  assert.equal(waiting.files, report.files.length);
  const kinds = Object.values(report.kinds);
  const sum = (field) => kinds.reduce((all, kind) => all + kind[field], 0);
  assert.equal(sum("characters"), report.charactersSaved, "the kinds are all there is");
  const size = (all) => JSON.stringify(all).length;
  assert.ok(size(repaired) <= size(messages));
  const kept = JSON.parse(JSON.stringify(report));
  const restored = restoreHistory(repaired, kept);
  assert.equal(JSON.stringify(restored), JSON.stringify(messages), "it can be undone");
  return report;
}

const OLDER = [
  { sections: "changed" },
  { recent: 1 },
  { recent: 3 },
  { recent: 4, sections: "changed" },
  { files: "newest" },
  { recent: 2, sections: "changed", files: "newest", writes: true, keep: "first" },
  { repeatedResults: true },
  { economy: "resume" },
];

describe(`made-up histories (TURNKEEPER_SEED=${seed})`, () => {
  test("keep every promise", () => {
    let removed = 0;
    for (let round = 0; round < 300; round++) {
      removed += check(history(40)).blocksRemoved;
      check(history(20), { keep: "first" });
      check(history(20, ["environment_details", "context"]), {
        tags: ["environment_details", "context"],
      });
    }
    assert.ok(removed > 1_000, `only ${removed} blocks went`);
  });

  for (const options of OLDER) {
    test(`keep the promises of ${JSON.stringify(options)}`, () => {
      let saved = 0;
      for (let round = 0; round < 60; round++) {
        saved += checkOlder(history(40), options).charactersSaved;
      }
      const isOfBlocks = "recent" in options || "sections" in options || "economy" in options;
      if (isOfBlocks) assert.ok(saved > 10_000, `only ${saved} characters went`);
    });
  }

  test("a content gets exactly one block, and keeps it", () => {
    for (let round = 0; round < 2_000; round++) {
      const [{ content }] = history(1);
      if (content === undefined) continue;
      const details = env(`# Time\n${round}`);
      for (const onExisting of ["replace", "keep"]) {
        const result = withEnvironment(content, details, { onExisting });
        assert.equal(withEnvironment(result, details, { onExisting }), result);
        const messages = [{ role: "user", content: result }];
        assert.equal(dedupeHistory(messages).messages[0], messages[0]);
        if (Array.isArray(result) && onExisting === "replace") {
          assert.equal(result.at(-1).text, `\n\n${details}`);
        }
      }
      const stripped = stripEnvironment(content);
      assert.equal(stripEnvironment(stripped), stripped);
    }
  });
});

const folder = process.env.TURNKEEPER_HISTORIES;
describe("saved histories (TURNKEEPER_HISTORIES)", { skip: !folder }, () => {
  for (const file of folder ? readdirSync(folder).filter((name) => name.endsWith(".json")) : []) {
    test(file, (context) => {
      const messages = frozen(JSON.parse(readFileSync(path.join(folder, file), "utf8")));
      const { messagesChanged, blocksRemoved, charactersSaved } = check(messages);
      for (const options of OLDER) checkOlder(messages, options);
      context.diagnostic(
        `${messages.length} messages: ${messagesChanged} changed, ` +
          `${blocksRemoved} blocks and ${charactersSaved} characters removed`,
      );
    });
  }
});

test("units that are no character survive, and so does everything else in a string", () => {
  const lone = "\ud800a\udfff";
  const content = `${lone}\n${env(lone)}\n${env(`${lone}${"x".repeat(50_000)}`)}\n`;
  const { messages } = dedupeHistory([{ role: "user", content }]);
  assert.equal(messages[0].content, `${lone}\n${env(`${lone}${"x".repeat(50_000)}`)}\n`);
  const parts = [text(env(lone)), text(lone), text(env(`${lone}2`))];
  const repaired = dedupeHistory([{ role: "user", content: parts }]).messages[0];
  assert.deepEqual(repaired.content, parts.slice(1));
  assert.equal(withEnvironment(lone, lone), `${lone}\n\n${env(lone)}`);
});

test("what is given does not change, and parts that stay are the same objects", () => {
  const message = frozen({
    role: "user",
    content: [text(env(1), { cache_control: { type: "ephemeral" } }), text("go on"), text(env(2))],
    ts: 7,
  });
  const [repaired] = dedupeHistory(frozen([message])).messages;
  assert.equal(repaired.content[0], message.content[1]);
  assert.equal(repaired.content[1], message.content[2]);
  assert.equal(repaired.ts, 7);
});

describe("withEnvironment", () => {
  test("appends a block of bare details, or of details with their tags", () => {
    assert.deepEqual(withEnvironment([text("x")], "# Time"), [text("x"), apart(env("# Time"))]);
    assert.deepEqual(withEnvironment([], ` ${env("# Time")}\n`), [apart(env("# Time"))]);
    assert.equal(withEnvironment("x", "# Time"), `x\n\n${env("# Time")}`);
    assert.equal(withEnvironment("", "# Time"), env("# Time"));
    assert.deepEqual(withEnvironment([], "x", { tags: ["ctx", "b"] }), [apart("<ctx>\nx\n</ctx>")]);
    assert.deepEqual(withEnvironment([], "<b>x</b>", { tags: ["ctx", "b"] }), [apart("<b>x</b>")]);
  });

  test("replaces what is there, or keeps it", () => {
    const stale = [text(env("old")), text("x"), text(env("older"), { own: 1 })];
    assert.deepEqual(withEnvironment(stale, "new"), [text("x"), apart(env("new"))]);
    assert.deepEqual(withEnvironment(stale, "new", { onExisting: "keep" }), stale.slice(1));
    assert.equal(withEnvironment(`x\n${env(1)} ${env(2)}\n`, "new"), `x\n${env("new")}\n`);
    assert.equal(
      withEnvironment(`x\n${env(1)} ${env(2)}\n`, "new", { onExisting: "keep" }),
      `x\n${env(2)}\n`,
    );
  });

  test("leaves one block of each other tag before its own", () => {
    const options = { tags: ["environment_details", "b"] };
    const content = [text("<b>1</b>"), text(env(1)), text("<b>2</b>")];
    const expected = [text("<b>2</b>"), apart(env("new"))];
    assert.deepEqual(withEnvironment(content, "new", options), expected);
    const string = `x\n<b>1</b>${env(1)}<b>2</b>`;
    const result = withEnvironment(string, "new", options);
    assert.equal(result, `x\n<b>2</b>\n\n${env("new")}`);
    assert.equal(withEnvironment(result, "new", options), result);
  });

  test("a tag quoted in the details does not end the block", () => {
    const details = `$ grep -n environment_details\n3: ${env("x")}`;
    const content = withEnvironment([text("x")], details);
    assert.equal(content[1].text.split("<environment_details>").length, 2);
    assert.equal(withEnvironment(content, details), content);
    assert.deepEqual(withEnvironment(content, "new"), [text("x"), apart(env("new"))]);
  });

  test("what onChange throws comes through, and nothing is broken by it", () => {
    const broken = () => {
      throw new RangeError("the host's");
    };
    const content = [text(env(1)), text("x")];
    assert.throws(() => withEnvironment(content, "new", { onChange: broken }), RangeError);
    assert.deepEqual(withEnvironment(content, "new"), [text("x"), apart(env("new"))]);
  });

  test("is given again what it gave, it gives it back", () => {
    for (const content of ["x", "", "```\nnever closed", `${env(1)}${env(2)}`, "a `b"]) {
      const result = withEnvironment(content, "new");
      assert.equal(withEnvironment(result, "new"), result);
    }
  });
});

test("a prompt cache may live for ever, and a conversation may have been idle for ever", () => {
  const messages = [1, 2, 3].map((n) => ({ role: "user", content: [text("x"), text(env(n))] }));
  const warm = { idleMs: 1e12, lifetimeMs: Number.POSITIVE_INFINITY };
  const waits = dedupeHistory(messages, { recent: 1, cache: warm });
  assert.deepEqual(waits.messages, messages);
  assert.equal(waits.report.waiting.blocks, 2);
  const cold = { idleMs: Number.POSITIVE_INFINITY };
  assert.equal(dedupeHistory(messages, { recent: 1, cache: cold }).report.blocksRemoved, 2);
});

test("stripEnvironment takes every block and nothing else", () => {
  const content = [text(env(1)), text(`see ${env(2)}`), text(env(3))];
  assert.deepEqual(stripEnvironment(content), [content[1]]);
  assert.deepEqual(stripEnvironment([text(env(1))]), []);
  assert.equal(stripEnvironment(`x\n${env(1)}\n${env(2)}`), "x\n");
  const without = [text("x")];
  assert.equal(stripEnvironment(without), without);
  assert.equal(stripEnvironment("x"), "x");
});
