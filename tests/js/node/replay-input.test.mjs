import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";

import { replayLarge } from "./large-input.mjs";
import {
  PREVIEW_LOOP,
  file,
  folder,
  fourCalls,
  replayStandard as replay,
} from "./replay-command.mjs";

describe("the input", () => {
  test("may come from standard input", async () => {
    const { code, stdout } = await replay(["--fail-on-loop", "-"], {
      input: readFileSync(PREVIEW_LOOP),
    });
    assert.equal(code, 1);
    assert.match(stdout, /STOP +same_tool_different_arguments/);
  });

  test("may have blank lines, Windows line ends, a byte-order mark and no last newline", async () => {
    const lines = fourCalls.map((event) => JSON.stringify(event)).join("\r\n\r\n");
    const { code, stdout, stderr } = await replay([file("windows.jsonl", `\ufeff${lines}`)]);
    assert.deepEqual([code, stderr], [0, ""]);
    assert.match(stdout, /4 calls/);
  });

  const ok = '{"type":"user_message"}\n';
  const bad = [
    ["empty.jsonl", "", /has no events/],
    ["blank.jsonl", "\n \n", /has no events/],
    ["not-json.jsonl", `${ok}\n{"type":\n`, /, line 3: is not JSON/],
    ["list.jsonl", `${ok}[]\n`, /, line 2: is not an event/],
    ["unknown.jsonl", `${ok}{"type":"of_next_year"}\n`, /, line 2: .*type/],
    ["no-name.jsonl", `${ok}{"type":"tool_call"}\n`, /, line 2: .*name/],
    ["no-id.jsonl", `{"type":"prompt_started"}\n${ok}`, /, line 1: prompt_started: promptId/],
    ["binary.jsonl", Buffer.from([0x1f, 0x8b, 8, 0, 0, 0]), /, line 1: is a binary file/],
    [
      "latin1.jsonl",
      Buffer.from('{"type":"text","text":"\xe9"}', "latin1"),
      /, line 1: is not UTF-8/,
    ],
    ["utf16.jsonl", Buffer.from(`\ufeff${ok}`, "utf16le"), /is UTF-16 text/],
  ];
  for (const [name, content, expected] of bad) {
    test(`that is bad is told in one line: ${name}`, async () => {
      const { code, stderr } = await replay([file(name, content)]);
      assert.equal(code, 2);
      assert.match(stderr, /^turnkeeper: .*\n$/);
      assert.match(stderr, expected);
      assert.ok(stderr.includes(name));
    });
  }

  test("that is a folder or does not exist is told in one line", async () => {
    mkdirSync(path.join(folder, "sub"));
    for (const [name, expected] of [
      ["sub", /has no sessions/],
      ["missing.jsonl", /does not exist/],
    ]) {
      const { code, stdout, stderr } = await replay([path.join(folder, name)]);
      assert.deepEqual([code, stdout], [2, ""]);
      assert.match(stderr, /^turnkeeper: .*\n$/);
      assert.match(stderr, expected);
    }
  });

  test("that is bad does not keep the rest from being done, and 2 wins over 1", async () => {
    const { code, stdout, stderr } = await replay([
      path.join(folder, "missing.jsonl"),
      PREVIEW_LOOP,
    ]);
    assert.equal(code, 2);
    assert.match(stderr, /missing\.jsonl does not exist/);
    assert.match(stdout, /STOP/);
  });

  test("of a hundred megabytes is read line by line", async () => {
    const line = `${JSON.stringify({ type: "tool_result", output: "x".repeat(100_000) })}\n`;
    assert.match(await replayLarge(Array(1_000).fill(line)), /1,000 events/);
  });
});
