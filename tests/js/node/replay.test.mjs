import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";

import { command, version } from "./installed-package.mjs";
import {
  CHANT,
  HEALTHY,
  PREVIEW_LOOP,
  STANDARD,
  file,
  fourCalls,
  json,
  readCall,
  replayStandard as replay,
  run,
} from "./replay-command.mjs";

const user = { type: "user_message" };

/** Columns on a terminal, for the characters that the samples have. */
const columns = (line) =>
  [...line].reduce((sum, c) => sum + (/[\u3000-\u9fff\uff00-\uff60]/.test(c) ? 2 : 1), 0);

describe("the samples", () => {
  test("of a preview model is stopped at its fourth read_file", async () => {
    const { code, stdout, stderr } = await replay([...STANDARD, "--fail-on-loop", PREVIEW_LOOP]);
    assert.equal(code, 1);
    assert.equal(stderr, "");
    assert.match(stdout, /^ +45 +3 +call +read_file .*fields\.ts.* stop$/m);
    assert.match(stdout, /STOP +same_tool_different_arguments/);
    assert.match(stdout, /saved +19 more events/);
    assert.doesNotMatch(stdout, /mt940-eur/);
  });

  test("of a Chinese chant is stopped in its prose", async () => {
    const { code, stdout } = await replay([CHANT]);
    assert.equal(code, 0);
    assert.match(stdout, /STOP +chanting_identical_sentences/);
    assert.match(stdout, /characters \d+ to \d+ of the assistant text/);
  });

  test("of a healthy session passes", async () => {
    const { code, stdout } = await replay([HEALTHY]);
    assert.equal(code, 0);
    assert.match(stdout.replace(/\s+/g, " "), /25 calls, 2 prompts: no loop $/);
  });

  test("fit into 80 columns", async () => {
    const { stdout } = await replay([...STANDARD, PREVIEW_LOOP, CHANT, HEALTHY]);
    for (const line of stdout.split("\n")) assert.ok(columns(line) <= 80, line);
    for (const line of (await replay(["--help"])).stdout.split("\n")) {
      assert.ok(columns(line) <= 80, line);
    }
  });
});

describe("prompts", () => {
  test("start with a user message, so counts start afresh", async () => {
    const name = file("user-messages.jsonl", [
      user,
      ...fourCalls.slice(1),
      user,
      ...fourCalls.slice(1),
    ]);
    const args = [...STANDARD, name, "--fail-on-loop", "--model", "gemini-3-pro-preview"];
    assert.equal((await replay(args)).code, 0);
  });

  test("start where a file says so, and then only there", async () => {
    const name = file("said.jsonl", [
      { type: "prompt_started", promptId: "p1", model: "gemini-3-pro-preview" },
      ...fourCalls.slice(0, 2),
      user,
      ...fourCalls.slice(2),
    ]);
    assert.equal((await replay([...STANDARD, "--fail-on-loop", name])).code, 1);
  });

  test("take --model where the file has none", async () => {
    const name = file("model.jsonl", fourCalls);
    assert.equal((await replay([...STANDARD, "--fail-on-loop", name])).code, 0);
    const args = [...STANDARD, name, "--fail-on-loop", "--model=gemini-3-pro-preview"];
    assert.equal((await replay(args)).code, 1);
  });

  test("go on after a stop with the next one", async () => {
    const name = file("two-stops.jsonl", [
      user,
      ...fourCalls,
      readCall({ n: 5 }),
      user,
      ...fourCalls,
    ]);
    const lines = await json([...STANDARD, name, "--model", "preview"]);
    const { summary } = lines.at(-1);
    assert.deepEqual(
      summary.files[0].stops.map(({ line, index, report }) => [line, index, report.strike]),
      [
        [5, 4, 1],
        [11, 10, 1],
      ],
    );
    const { tokens, ...saved } = summary.files[0].saved;
    assert.deepEqual(saved, { events: 1, calls: 1, characters: 0 });
    assert.ok(tokens > 0 && Number.isInteger(tokens));
  });

  test("go on after a stop with --continue, counting strikes", async () => {
    const name = file("strikes.jsonl", [...fourCalls, ...fourCalls]);
    const { summary } = (await json([...STANDARD, name, "--model", "preview", "--continue"])).at(
      -1,
    );
    assert.deepEqual(
      summary.files[0].stops.map(({ report }) => report.strike),
      [1, 2],
    );
    assert.equal(summary.exitCode, 0);
  });
});

describe("the output", () => {
  test("as JSON has every event with its verdict, and a summary", async () => {
    const lines = await json([...STANDARD, PREVIEW_LOOP]);
    const written = readFileSync(PREVIEW_LOOP, "utf8")
      .trimEnd()
      .split("\n")
      .map((l) => JSON.parse(l));
    assert.equal(lines.length, written.length + 1);
    assert.deepEqual(lines[0].prompt, { promptId: "msg-123", model: "gemini-3-pro-preview" });
    lines.slice(1, -1).forEach((line, index) => {
      assert.equal(line.file, PREVIEW_LOOP);
      assert.equal(line.index, index);
      assert.equal(line.line, index + 2);
      assert.deepEqual(line.event, written[index + 1]);
    });
    const stop = lines.findIndex(({ verdict }) => verdict?.action === "stop");
    assert.ok(lines.slice(stop + 1, -1).every(({ saved }) => saved === true));
    const { summary } = lines.at(-1);
    assert.equal(summary.exitCode, 0);
    assert.equal(summary.files[0].events, written.length - 1);
    assert.deepEqual(summary.files[0].stops[0].report, lines[stop].verdict.report);
  });

  test("with --quiet is one summary a file", async () => {
    const { stdout, code } = await replay(["-q", HEALTHY]);
    assert.equal(code, 0);
    assert.match(stdout, /^\S+healthy\.jsonl: /);
    assert.ok(stdout.split("\n").length <= 4);
  });

  test("has colours only where they are wanted", async () => {
    const coloured = async (env) =>
      (await replay([...STANDARD, PREVIEW_LOOP], { env })).stdout.includes("\u001b[");
    assert.equal(await coloured({}), false);
    assert.equal(await coloured({ FORCE_COLOR: "1" }), true);
    assert.equal(await coloured({ FORCE_COLOR: "0" }), false);
    assert.equal(await coloured({ NO_COLOR: "1" }), false);
  });

  test("carries no control character of a session, whichever way it is shown", async () => {
    const bad = "\u001b]0;owned\u0007\u001b[2J\u009b31m\u007f\u202e\u2066\r\n\b\ud800\u{e0041}";
    const events = [
      { type: "prompt_started", promptId: bad, model: `${bad}preview` },
      { type: "text", text: bad },
      { type: "reasoning", text: bad },
      ...[1, 2, 3, 4, 5].map((n) => ({ type: "tool_call", name: `t${bad}`, args: { [bad]: n } })),
      { type: "tool_result", output: bad },
      { type: `wrong${bad}` },
    ];
    const name = file("hostile.jsonl", events);
    const control =
      /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\u{e0000}-\u{e007f}]/u;
    for (const args of [
      [...STANDARD, name],
      [...STANDARD, name, "--json"],
      [...STANDARD, name, "-q"],
      [`${bad.replace(/[\0/]/g, "")}.jsonl`],
    ]) {
      const { stdout, stderr, code } = await replay(args);
      assert.equal(code, 2);
      assert.doesNotMatch(stdout, control);
      assert.doesNotMatch(stderr, control);
    }
    const [, { event }] = await json([...STANDARD, name]);
    assert.deepEqual(event, events[1], "as JSON, the text still reads the same");
  });

  test("ends quietly when its reader has seen enough", async () => {
    const many = Array.from({ length: 200_000 }, (_, n) => ({
      type: "tool_call",
      name: "t",
      args: n,
    }));
    const name = file("long.jsonl", many);
    const { code, stderr } = await new Promise((resolve) => {
      const child = spawn(process.execPath, [command, "replay", name]);
      let errors = "";
      child.stderr.on("data", (data) => (errors += data));
      child.stdout.once("data", () => child.stdout.destroy());
      child.on("close", (exitCode) => resolve({ code: exitCode, stderr: errors }));
    });
    assert.equal(stderr, "");
    assert.equal(code, 0);
  });
});

describe("the command line", () => {
  test("judges by adaptive unless a profile is named", async () => {
    const name = file(
      "default.jsonl",
      Array.from({ length: 12 }).flatMap(() => [
        readCall({ n: 1 }),
        { type: "tool_result", output: "no such file" },
      ]),
    );
    const reports = async (args) => {
      const { stdout } = await run(["replay", "--json", name, ...args]);
      const lines = stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
      return lines.flatMap(({ verdict }) => verdict?.report?.profile ?? []);
    };
    assert.deepEqual(new Set(await reports([])), new Set(["adaptive"]));
    assert.deepEqual(new Set(await reports(["--profile", "standard"])), new Set(["standard"]));
  });

  test("tells its version and its use", async () => {
    assert.equal((await run(["--version"])).stdout, `${version}\n`);
    for (const args of [["--help"], ["help"], ["help", "replay"], ["replay", "-h"]]) {
      const { code, stdout } = await run(args);
      assert.equal(code, 0);
      assert.match(stdout, /^Usage: turnkeeper/);
    }
  });

  test("answers what it does not know with one line and 2", async () => {
    const wrong = [
      ["reply"],
      ["replay"],
      ["replay", "--no-such-option", HEALTHY],
      ["replay", "--model"],
      ["replay", "--profile", "none", HEALTHY],
    ];
    for (const args of wrong) {
      const { code, stdout, stderr } = await run(args);
      assert.deepEqual([code, stdout], [2, ""], args.join(" "));
      assert.match(stderr, /^turnkeeper: .*\n$/);
    }
  });
});
