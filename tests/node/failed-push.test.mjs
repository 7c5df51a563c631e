// A `push` that fails has counted nowhere, wherever it failed; and nothing that is nested poisons.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { turnkeeper } from "./installed-package.mjs";

const { HistoryDeduper, SummaryInjector, TurnkeeperError, dedupeHistory } = turnkeeper;

const env = (n) => ({
  type: "text",
  text: `<environment_details>\n# Current Working Directory (/work) Files\n${n}\n</environment_details>`,
});
const FILE = "export const answer = 42;\n".repeat(30);
const read = (id, path = "a.ts") => ({
  role: "assistant",
  content: [{ type: "tool_use", id, name: "read_file", input: { path } }],
});
const result = (id, content = FILE) => ({ type: "tool_result", tool_use_id: id, content });

/** Counts what is read of a value, and throws at the reading with that number. */
function failingAt(value, fails, reads = { count: 0 }) {
  if (typeof value !== "object" || value === null) return value;
  const look = (target, key, receiver) => {
    if (reads.count++ === fails) throw new Error("the host's own");
    return failingAt(Reflect.get(target, key, receiver), fails, reads);
  };
  return new Proxy(value, { get: look });
}

const OPTIONS = [
  {},
  { embedded: true },
  { recent: 1, sections: "changed" },
  { files: "newest", writes: true, repeatedResults: true },
  { economy: "compact" },
];
const MESSAGES = {
  "a user message with duplicates": {
    role: "user",
    content: [env(1), { type: "text", text: "x" }, env(2)],
  },
  "duplicates in a string": { role: "user", content: `x\n${env(1).text}\n${env(2).text}` },
  "a result with blocks": {
    role: "user",
    content: [{ ...result("1"), content: [{ type: "text", text: `x\n${env(1).text}` }] }, env(2)],
  },
  "a result with a copy": { role: "user", content: [result("1"), env(3)] },
  "several results": { role: "user", content: [result("1"), result("2"), env(3)] },
  "a heading and a copy": {
    role: "user",
    content: [
      { type: "text", text: "[read_file for 'a.ts'] Result:" },
      { type: "text", text: FILE },
    ],
  },
  "a call": read("3"),
  "a call that writes": {
    role: "assistant",
    content: [
      { type: "tool_use", id: "4", name: "write_file", input: { path: "a.ts", content: FILE } },
      { type: "tool_use", id: "5", name: "Bash", input: { command: ["cat", "a.ts"] } },
    ],
  },
};
const before = [read("1"), { role: "user", content: [env(0)] }, read("2")];
const after = [
  { role: "user", content: [result("1"), result("2"), env(4), env(5)] },
  read("6"),
  { role: "user", content: [result("6"), env(6)] },
];

for (const options of OPTIONS) {
  describe(`with ${JSON.stringify(options)}`, () => {
    for (const [name, message] of Object.entries(MESSAGES)) {
      test(`${name} that fails has counted nowhere`, () => {
        let failures = 0;
        for (let fails = 0; fails < 500; fails++) {
          const [failing, expected] = [new HistoryDeduper(options), new HistoryDeduper(options)];
          for (const one of before) for (const deduper of [failing, expected]) deduper.push(one);
          const reads = { count: 0 };
          let error;
          try {
            failing.push(failingAt(message, fails, reads));
          } catch (caught) {
            error = caught;
          }
          if (error === undefined) {
            assert.ok(reads.count <= fails, "what was read was read to its end");
            failing.dispose();
            expected.dispose();
            break;
          }
          failures += 1;
          assert.ok(error instanceof TurnkeeperError, `${error}`);
          assert.deepEqual([error.code, error.detail.field], ["invalid_argument", "message"]);
          for (const one of [message, ...after]) {
            assert.deepEqual(failing.push(one), expected.push(one), `reading ${fails}`);
          }
          assert.deepEqual(failing.report, expected.report, `reading ${fails}`);
          failing.dispose();
          expected.dispose();
        }
        assert.ok(failures > 1, `${failures} readings`);
      });
    }

    test("a getter beside the content that fails has counted nowhere", () => {
      const deduper = new HistoryDeduper(options);
      const message = { ...MESSAGES["a user message with duplicates"] };
      Object.defineProperty(message, "own", {
        enumerable: true,
        get() {
          throw new Error("the host's own");
        },
      });
      assert.throws(() => deduper.push(message), { code: "invalid_argument" });
      assert.equal(deduper.report.blocksRemoved, 0);
      assert.equal(deduper.report.changes.length, 0);
      deduper.push(MESSAGES["a user message with duplicates"]);
      assert.equal(deduper.report.blocksRemoved, 1);
      assert.equal(deduper.report.changes[0].index, 0);
      deduper.dispose();
    });
  });
}

describe("what is nested deep", () => {
  const nested = (depth, leaf = "x") => {
    let value = leaf;
    for (let n = 0; n < depth; n++) value = n % 2 ? [value] : { a: value };
    return value;
  };
  for (const depth of [200, 2_500, 5_000, 100_000]) {
    for (const options of OPTIONS) {
      test(`${depth} deep, with ${JSON.stringify(options)}, poisons no deduper`, () => {
        const deduper = new HistoryDeduper(options);
        const call = (name, input) => ({
          role: "assistant",
          content: [{ type: "tool_use", id: "d", name, input }],
        });
        const messages = [
          call("read_file", nested(depth)),
          call("read_file", { path: "a.ts", lines: nested(depth) }),
          call("read_file", { files: [nested(depth)] }),
          call("write_file", { path: "a.ts", content: "x", own: nested(depth) }),
          call("Bash", { command: nested(depth) }),
          { role: "user", content: [nested(depth)] },
          { role: "user", content: [{ ...result("d"), content: [nested(depth)] }, env(1), env(2)] },
        ];
        for (const message of messages) {
          deduper.push(message);
          assert.equal(dedupeHistory([message], options).messages.length, 1);
        }
        deduper.push(MESSAGES["a user message with duplicates"]);
        assert.equal(deduper.report.blocksRemoved, 2);
        deduper.dispose();
      });
    }

    test(`${depth} deep is refused by addMessage, which names the message, and goes on`, () => {
      const started = () => {
        const made = new SummaryInjector();
        made.startTurn({ task: "t" });
        return made;
      };
      const [injector, other] = [started(), started()];
      for (const content of [[nested(depth)], [{ ...result("1"), content: [nested(depth)] }]]) {
        assert.throws(
          () => injector.addMessage({ role: "user", content }),
          (error) => {
            assert.ok(error instanceof TurnkeeperError, `${error}`);
            assert.match(error.detail.field, /^message/);
            return ["limit_exceeded", "invalid_argument"].includes(error.code);
          },
        );
      }
      for (const one of [injector, other]) one.addMessage({ role: "user", content: "Go on." });
      assert.deepEqual(injector.snapshot(), other.snapshot(), "as if it had never been given");
      other.dispose();
      injector.dispose();
    });
  }
});
