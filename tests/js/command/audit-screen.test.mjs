// What an audit looks like: one screen, on a terminal of any width.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import { HEALTHY, PREVIEW_LOOP, file, folder, run } from "../node/replay-command.mjs";

import { runOnScreen, widthOf } from "./screen.mjs";

const SAVED = fileURLToPath(new URL("../../data/saved", import.meta.url));
const RESUMED = fileURLToPath(new URL("../../data/histories/resumed-task.json", import.meta.url));
const LONG = "export const answer = 42;\n".repeat(30);
const CHINESE = "会话记录";

const audit = (args, options) => run(["audit", ...args], options);
const call = (args) => ({ type: "tool_call", name: "edit", args });

describe("the screen", () => {
  for (const columns of [40, 80, 120, 200]) {
    test(`keeps within ${columns} columns, apart from commands to copy`, async () => {
      const env = { COLUMNS: String(columns) };
      const long = file(
        `${CHINESE.repeat(20)}.json`,
        JSON.stringify([{ role: "user", content: CHINESE.repeat(50) }]),
      );
      const { stdout, code } = await audit([SAVED, RESUMED, PREVIEW_LOOP, long], { env });
      assert.equal(code, 0);
      for (const line of stdout.split("\n")) {
        if (/^ {2}.*: turnkeeper /.test(line)) continue;
        assert.ok((await widthOf(line)) <= columns, line);
      }
      const rows = stdout.split("\n");
      const head = rows.findIndex((line) => line.startsWith("session "));
      if (columns < 80) return;
      assert.equal(rows.slice(head + 1).indexOf(""), 10);
      assert.match(rows[head], columns >= 120 ? /agent +project +when +calls/ : /calls +cost/);
    });
  }

  test("has columns that end at the same place in each row", async () => {
    const { stdout } = await audit([SAVED, "--all"], { env: { COLUMNS: "100" } });
    const lines = stdout.split("\n");
    const head = lines.findIndex((line) => line.startsWith("session "));
    const rows = lines.slice(head + 1, lines.indexOf("", head));
    const end = lines[head].indexOf("calls") + "calls".length;
    assert.ok(rows.length > 10);
    for (const row of rows) assert.match(row.slice(end - 1, end + 1), /^\S ?$/, row);
  });

  test("of sums under a cent is a table of 80 columns", async () => {
    const reads = ["1", "2"].flatMap((id) => [
      {
        role: "assistant",
        content: [{ type: "tool_use", id, name: "read_file", input: { path: "a.ts" } }],
      },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: id, content: LONG.repeat(Number(id)) }],
      },
    ]);
    const lines = [{ role: "user", content: "Read it." }, ...reads].map((message, at) => ({
      type: message.role,
      uuid: `u${at}`,
      sessionId: "s",
      timestamp: "2026-02-03T09:00:00Z",
      message: { ...message, model: "claude-sonnet-4-5" },
    }));
    const { stdout } = await audit([file("cents.jsonl", lines)]);
    assert.match(
      stdout,
      /1 session, ~under \$0\.01; about [\d,]+ of [\d,]+ tokens \(\d+ %\) could have\s+been\s+saved/,
    );
    assert.match(stdout, /^session +when +calls +cost +to save +outdated\nRead it\. {2,}\S/m);
  });

  test("begins with the session that wasted most, by the name that its agent gave it", async () => {
    const { stdout } = await audit([SAVED, RESUMED]);
    const rows = stdout.split("\n");
    const head = rows.findIndex((line) => line.startsWith("session "));
    assert.match(rows[head + 1], /^Notes with a slash in their name .* 2,095/);
    assert.doesNotMatch(stdout, /[0-9a-f]{8}-[0-9a-f]{4}/);
  });

  test("says nothing of what is nothing, and counts what is no session", async () => {
    const target = path.join(folder, "mixed");
    mkdirSync(target);
    writeFileSync(path.join(target, "one.jsonl"), `${JSON.stringify(call(1))}\n`);
    for (let n = 0; n < 30; n += 1) writeFileSync(path.join(target, `${n}.json`), '{"a":1}');
    const { stdout } = await audit([target]);
    assert.doesNotMatch(stdout, /loops|outdated|to save|pauses/);
    assert.match(stdout, /^30 files skipped: no sessions \(--verbose names them\)$/m);
    assert.ok(stdout.split("\n").length < 12, stdout);
    assert.match((await audit(["-v", target])).stdout, /29\.json is in no format/);
  });

  test("shows as many sessions as are wanted", async () => {
    for (const [args, rows] of [
      [["--top", "3"], 3],
      [["--top", "0"], 0],
    ]) {
      const { stdout } = await audit([SAVED, ...args]);
      const lines = stdout.split("\n");
      const head = lines.findIndex((line) => line.startsWith("session "));
      assert.equal(head < 0 ? 0 : lines.slice(head + 1).indexOf(""), rows);
    }
    const { stdout } = await audit([SAVED, "-q"]);
    assert.match(stdout, /^all time: \d+ sessions[,;] [^\n]*\n(?:[^\n]+\n)?$/);
  });
});

describe("the command line", () => {
  test("names itself as the user can call it", async () => {
    const env = { npm_command: "exec" };
    assert.match(
      (await audit([RESUMED])).stdout,
      / turnkeeper repair --economy[^]* turnkeeper audit /,
    );
    const { stdout } = await audit([RESUMED], { env });
    assert.match(stdout, / npx turnkeeper repair --economy[^]* npx turnkeeper audit /);
    assert.doesNotMatch(stdout, /(?<!npx) turnkeeper (?:repair|audit)/);
  });

  test("is the audit's without a name, and tells its version and how to use it", async () => {
    const [named, bare] = [await audit([RESUMED]), await run([RESUMED])];
    assert.deepEqual(bare, named);
    assert.match((await run(["-v"])).stdout, /^\d+\.\d+\.\d+\n$/);
    assert.deepEqual(await run(["--version"]), await run(["-v"]));
    const help = (await audit(["--help"])).stdout;
    for (const line of help.split("\n")) assert.ok(line.length <= 80, line);
    for (const option of ["--agent", "--since", "--top", "--no-text", "--verbose"]) {
      assert.ok(help.includes(option), option);
    }
  });

  test("replays folders, and fails on a loop only where that is asked for", async () => {
    const target = path.join(folder, "to-replay");
    mkdirSync(target);
    const write = (name, events) =>
      writeFileSync(
        path.join(target, name),
        events.map((event) => `${JSON.stringify(event)}\n`).join(""),
      );
    write("fine.jsonl", [call(1)]);
    write(
      "loop.jsonl",
      Array.from({ length: 30 }, () => call("same")),
    );
    writeFileSync(path.join(target, "settings.json"), '{"theme":"dark"}');
    const args = ["replay", "-q", "--profile", "standard", target];
    const { code, stdout, stderr } = await run(args);
    assert.deepEqual([code, stderr], [0, ""]);
    assert.match(stdout, /fine\.jsonl[^]*loop\.jsonl/);
    assert.equal((await run([...args, "--fail-on-loop"])).code, 1);
  });
});

describe("on a terminal", () => {
  test("there is no bar while the output goes to another program", async () => {
    const { code, screens } = await runOnScreen(["audit", SAVED], { columns: 80, into: "cat" });
    assert.equal(code, 0);
    for (const screen of screens) assert.doesNotMatch(screen.join("\n"), /[█░]/);
  });

  for (const columns of [40, 200]) {
    test(`of ${columns} columns a bar shows how far it is, and is gone at the end`, async () => {
      const events = Array.from({ length: 30_000 }, (_, n) => call({ n }));
      const inputs = [HEALTHY, PREVIEW_LOOP, file(`large-${columns}.jsonl`, events)];
      const args = ["audit", "--jobs", "1", ...inputs];
      const { code, screens, lines } = await runOnScreen(args, { columns });
      assert.equal(code, 0);
      const bars = (screen) => screen.filter((line) => /[█░]/.test(line)).length;
      for (const screen of screens) assert.ok(bars(screen) <= 1, screen.join("\n"));
      assert.ok(screens.filter((screen) => bars(screen) === 1).length >= 2, "the bar moves");
      assert.equal(bars(lines), 0);
    });
  }
});
