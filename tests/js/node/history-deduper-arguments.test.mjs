// Arguments of a call may be anything that a host has: what JSON does not hold says nothing of a file, and does no harm.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { turnkeeper } from "./installed-package.mjs";

const { HistoryDeduper, dedupeHistory } = turnkeeper;

const FILE = "const answer = 42;\n".repeat(20);

const call = (id, name, input) => ({
  role: "assistant",
  content: [{ type: "tool_use", id, name, input }],
});
const result = (id, content) => ({
  role: "user",
  content: [{ type: "tool_result", tool_use_id: id, content }],
});

/** Arguments that hold themselves, are nested deep, or are of no type that JSON has. */
function oddArguments() {
  const cyclic = { path: "src/other.ts" };
  cyclic.self = [cyclic, cyclic];
  let nested = {};
  for (let depth = 0; depth < 5_000; depth++) nested = { nested };
  return {
    cyclic,
    nested: { path: "src/other.ts", nested },
    "of other types": {
      path: "src/other.ts",
      count: 1n,
      symbol: Symbol("s"),
      run() {},
      missing: undefined,
      none: NaN,
      bytes: new Uint8Array(100_000),
    },
    "a list": [1, 2],
    "a text": "src/other.ts",
    nothing: undefined,
  };
}

describe("a call whose arguments are odd", () => {
  for (const [kind, input] of Object.entries(oddArguments())) {
    for (const tool of ["edit_file", "write_to_file", "read_file", "no_such_tool"]) {
      test(`${tool}, ${kind}: other files are found before and after it`, () => {
        const messages = [
          call("a", "read_file", { path: "src/a.ts" }),
          result("a", FILE),
          call("b", tool, input),
          result("b", "Done."),
          call("c", "read_file", { path: "src/a.ts" }),
          result("c", FILE),
        ];
        const { messages: repaired, report } = dedupeHistory(messages, { files: "newest" });
        assert.deepEqual(
          report.files.map(({ path, index, newest }) => [path, index, newest]),
          [["src/a.ts", 1, 5]],
        );
        for (const at of [0, 2, 3, 4, 5]) assert.equal(repaired[at], messages[at]);
        const deduper = new HistoryDeduper({ files: "newest" });
        for (const message of messages) assert.equal(deduper.push(message), message);
        assert.equal(deduper.report.waiting.files, 1);
        deduper.dispose();
      });
    }
  }
});

test("half of a surrogate pair is as long as what stands for it", () => {
  const cut = `${FILE}// \ud83d`;
  const messages = [
    call("a", "read_file", { path: "src/a.ts" }),
    result("a", `[read_file for 'src/a.ts'] Result:\n\ud83d\n${cut}`),
    call("b", "read_file", { path: "src/a.ts" }),
    result("b", `\ud83d\n${cut}`),
  ];
  const { messages: repaired, report } = dedupeHistory(messages, { files: "newest" });
  assert.equal(
    report.files[0].characters + repaired[1].content[0].content.length,
    messages[1].content[0].content.length,
  );
  assert.match(
    repaired[1].content[0].content,
    /^\[read_file for 'src\/a\.ts'\] Result:\n\[An older copy of [^\n]*\]$/,
  );
  assert.deepEqual(turnkeeper.restoreHistory(repaired, report), messages);
});
