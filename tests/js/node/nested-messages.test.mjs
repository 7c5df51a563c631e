// What is nested deep poisons nothing, and what is refused has counted nowhere.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { turnkeeper } from "./installed-package.mjs";

const { HistoryDeduper, SummaryInjector, TurnkeeperError, dedupeHistory } = turnkeeper;

const env = (n) => ({
  type: "text",
  text: `<environment_details>\n# Current Working Directory (/work) Files\n${n}\n</environment_details>`,
});
const FILE = "export const answer = 42;\n".repeat(30);
const result = (id, content = FILE) => ({ type: "tool_result", tool_use_id: id, content });

const OPTIONS = [
  {},
  { embedded: true },
  { recent: 1, sections: "changed" },
  { files: "newest", writes: true, repeatedResults: true },
  { economy: "compact" },
];
const DUPLICATES = { role: "user", content: [env(1), { type: "text", text: "x" }, env(2)] };

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
        deduper.push(DUPLICATES);
        assert.equal(deduper.report.blocksRemoved, 2);
        deduper.dispose();
      });
    }

    if (depth <= 1_000) continue;
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
