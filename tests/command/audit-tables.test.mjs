// What an audit looks like: on a terminal of any width, with large numbers and wide names.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import { HEALTHY, PREVIEW_LOOP, file, folder, run } from "../node/replay-command.mjs";

import { runOnScreen, widthOf } from "./screen.mjs";

const SAVED = fileURLToPath(new URL("../fixtures/saved", import.meta.url));
const CHINESE = "会话记录";

const audit = (args, options) => run(["audit", ...args], options);

/** Lines of `--jsonl` whose every number has seven digits. */
async function hugeLines(name, files) {
  const { stdout } = await audit(["--jsonl", HEALTHY]);
  const report = JSON.parse(stdout);
  const grown = Object.entries(report).map(([key, value]) => [
    key,
    typeof value === "number" ? 7_654_321 : value,
  ]);
  const tokens = Object.keys(report.tokens).map((kind) => [kind, 7_654_321]);
  const late = Object.keys(report.afterNudge).map((field) => [field, 7_654_321]);
  const loop = {
    action: "stop",
    type: "repeated_error",
    rule: "repeated_results",
    firstCall: 1_234_567,
    lastCall: 7_654_321,
    place: 7_654_321,
    count: 7_654_321,
    message: "Stopped.",
    evidence: "",
  };
  const lines = files.map((name) => ({
    ...Object.fromEntries(grown),
    file: name,
    tokens: Object.fromEntries(tokens),
    afterNudge: Object.fromEntries(late),
    loops: [loop],
  }));
  return file(name, lines);
}

const HEADINGS = [
  ["session", "calls", "loops", "late", "dupl.", "outd.", "tokens", "cost", "reuse"],
  ["session", "calls", "loops", "late", "duplicate", "outdated", "tokens", "cost", "reuse"],
];

describe("numbers of seven digits", () => {
  for (const columns of [40, 80, 120, 200]) {
    test(`stay apart in ${columns} columns, under whole headings`, async () => {
      const name = await hugeLines(`huge-${columns}.jsonl`, ["a.jsonl", `${CHINESE}.json`]);
      const env = { COLUMNS: String(columns) };
      const { stdout, code } = await audit(["--merge", name], { env });
      assert.equal(code, 0);
      const lines = stdout.split("\n");
      for (const line of lines) assert.ok((await widthOf(line)) <= columns, line);
      // Two sessions and the total.
      const numbers = stdout.match(/(?<!\d,?)7,654,321(?!,?\d)/g) ?? [];
      assert.ok(numbers.length >= 3 * 5, stdout);
      assert.doesNotMatch(stdout, /\d,\d{3}\d|7,654,3217/);
      const heading = lines.find((line) => line.startsWith("session "));
      if (columns < 80) {
        assert.equal(heading, undefined);
        assert.match(stdout, /duplicate 7,654,321/);
        return;
      }
      if (heading === undefined) return;
      const words = heading.split(/ {2,}/);
      assert.ok(
        HEADINGS.some((titles) => titles.join() === words.join()),
        heading,
      );
      const row = lines.find((line) => line.startsWith("a.jsonl "));
      assert.deepEqual(row.split(/ {2,}/), [
        "a.jsonl",
        "7,654,321",
        "1",
        "7,654,321",
        "7,654,321",
        "7,654,321",
        "7,654,321",
        "15,308,642",
        "7,654,321/7,654,321",
      ]);
    });
  }
});

describe("the table of saved sessions", () => {
  test("has columns that begin and end at the same place in each row", async () => {
    const { stdout } = await audit([SAVED, "--profile", "standard"], { env: { COLUMNS: "100" } });
    const lines = stdout.split("\n");
    const head = lines[0];
    const ends = Array.from(head.matchAll(/\S+/g), (found) => found.index + found[0].length);
    const rows = lines.slice(1, lines.indexOf("")).filter((line) => !line.startsWith(" "));
    assert.ok(rows.length > 10);
    for (const row of rows) {
      for (const end of ends.slice(1)) assert.match(row.slice(end - 1, end + 1), /^\S ?$/, row);
    }
  });

  test("keeps the end of a long name, also of wide characters", async () => {
    const target = path.join(folder, "names");
    mkdirSync(target);
    const event = `${JSON.stringify({ type: "tool_call", name: "edit", args: 1 })}\n`;
    for (const name of [`${CHINESE.repeat(12)}尾.jsonl`, "x".repeat(90) + "-end.jsonl"]) {
      writeFileSync(path.join(target, name), event);
    }
    const { stdout } = await audit([target]);
    const rows = stdout.split("\n").slice(1, 3);
    for (const row of rows) assert.equal(await widthOf(row), 80, row);
    assert.match(rows[0], /^…x+-end\.jsonl {2,}1 /);
    assert.match(rows[1], /^…\S+尾\.jsonl {2,}1 /);
  });
});

describe("on a terminal", () => {
  test("there is no bar while the output goes to another program", async () => {
    const { code, screens } = await runOnScreen(["audit", SAVED], { columns: 80, into: "cat" });
    assert.equal(code, 0);
    for (const screen of screens) assert.doesNotMatch(screen.join("\n"), /[█░]/);
  });

  for (const columns of [40, 80, 200]) {
    test(`of ${columns} columns rows appear above the bar, which is gone at the end`, async () => {
      const large = file(
        `large-${columns}.jsonl`,
        Array.from({ length: 30_000 }, (_, n) => ({
          type: "tool_call",
          name: "edit",
          args: { n },
        })),
      );
      const inputs = [HEALTHY, PREVIEW_LOOP, large];
      const { code, screens, lines } = await runOnScreen(["audit", "--jobs", "1", ...inputs], {
        columns,
      });
      assert.equal(code, 0);
      const bars = (screen) => screen.filter((line) => /[█░]/.test(line)).length;
      for (const screen of screens) assert.ok(bars(screen) <= 1, screen.join("\n"));
      const atWork = screens.filter((screen) => bars(screen) === 1);
      assert.ok(atWork.length >= 2, "the bar moves");
      const withRows = atWork.filter((screen) => screen.join("").includes("healthy.jsonl"));
      assert.ok(withRows.length > 0, "a row is there while the bar is");
      for (const screen of withRows) {
        assert.match(screen.at(-1), /[█░]/, "the bar is the last line");
      }
      assert.equal(bars(lines), 0);
      // What is left is what a pipe gets.
      const piped = await audit(["--jobs", "1", ...inputs], { env: { COLUMNS: String(columns) } });
      assert.deepEqual(lines, piped.stdout.trimEnd().split("\n"));
    });
  }
});
