// Folders in which somebody has put links, pipes and huge files where sessions are looked for.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import { folder, run } from "../node/replay-command.mjs";

const SAVED = fileURLToPath(new URL("../../data/saved", import.meta.url));
/** Links and pipes as Unix has them. */
const skip = process.platform === "win32" && "Windows has no such files";
/** What never ends is ended after so many milliseconds, and has failed. */
const timeout = 300_000;

const audit = async (...names) => {
  const { stdout, stderr, code } = await run(["audit", "--json", ...names]);
  const report = JSON.parse(stdout);
  const files = report.sessions.map(({ file }) => path.relative(folder, file));
  const reasons = Object.fromEntries(report.problems.map((p) => [path.basename(p.file), p.reason]));
  return { ...report, files, reasons, stderr, code };
};

function home(name) {
  const target = path.join(folder, name);
  mkdirSync(target, { recursive: true });
  return target;
}

const call = (n) => `${JSON.stringify({ type: "tool_call", name: "ls", args: { n } })}\n`;
const events = JSON.parse(readFileSync(path.join(SAVED, "openhands-trajectory.json"), "utf8"));

/** A folder with an event in each file; `made` may make some of the files in other ways. */
function eventFolder(name, made) {
  const target = home(name);
  events.slice(0, 6).forEach((event, n) => {
    const file = path.join(target, `${n}.json`);
    if (made[n]) made[n](file);
    else writeFileSync(file, JSON.stringify(event));
  });
  return target;
}

/** A file of 400 MB, which takes no room on the disk. */
function sparse(file) {
  const descriptor = openSync(file, "w");
  ftruncateSync(descriptor, 400 * 1024 * 1024);
  closeSync(descriptor);
}

describe("a folder with an event a file", { skip }, () => {
  test("is read", async () => {
    const { sessions, code } = await audit(eventFolder("events", {}));
    assert.deepEqual([code, sessions[0].format], [0, "openhands"]);
  });

  for (const at of [1, 4]) {
    const hostile = {
      "a device that never ends": [(file) => symlinkSync("/dev/zero", file), /is no regular file/],
      "a pipe that nobody writes to": [
        (file) => execFileSync("mkfifo", [file]),
        /is no regular file/,
      ],
      "400 MB": [sparse, /is longer than 128 MB/],
      "a folder": [(file) => mkdirSync(file), /is no regular file/],
      "a link to itself": [(file) => symlinkSync(file, file), /is a link that leads to itself/],
    };
    for (const [what, [make, reason]] of Object.entries(hostile)) {
      test(`names a part that is ${what}, at ${at}`, { timeout }, async () => {
        const name = `events-${at}-${what.replaceAll(" ", "-")}`;
        const { code, reasons, stderr } = await audit(eventFolder(name, { [at]: make }));
        assert.equal(code, 2);
        assert.match(reasons[`${at}.json`], reason);
        assert.match(stderr, /^turnkeeper: [^\n]*\n$/);
      });
    }
  }

  test("is told by its content: sessions with such names are sessions", async () => {
    const target = home("numbered");
    writeFileSync(path.join(target, "1-0badcafe.json"), `[${JSON.stringify(events)}]`.slice(1, -1));
    const history = [
      { role: "user", content: "Go." },
      { role: "assistant", content: [{ type: "tool_use", id: "1", name: "ls", input: {} }] },
    ];
    writeFileSync(path.join(target, "2-0badcafe.json"), JSON.stringify(history));
    const { files, code } = await audit(target);
    assert.deepEqual(files, ["numbered/1-0badcafe.json", "numbered/2-0badcafe.json"]);
    assert.equal(code, 0);
  });
});

describe("other files that are looked for and not named", { skip }, () => {
  test("may be pipes and devices", { timeout }, async () => {
    const target = home("special");
    writeFileSync(path.join(target, "good.jsonl"), call(1));
    execFileSync("mkfifo", [path.join(target, "pipe.jsonl")]);
    symlinkSync("/dev/zero", path.join(target, "zero.jsonl"));
    for (const command of [["audit"], ["replay", "--compare"], ["repair"]]) {
      const { code, stderr } = await run([...command, target]);
      assert.equal(code, 2, command.join(" "));
      assert.match(stderr, /pipe\.jsonl is no regular file\n/);
      assert.match(stderr, /zero\.jsonl is no regular file\n/);
    }
  });

  test("parts of opencode's storage may be pipes and devices", { timeout }, async () => {
    const target = home("opencode");
    for (const sub of ["session/global", "message/ses_1", "part"]) home(`opencode/${sub}`);
    const { info } = JSON.parse(readFileSync(path.join(SAVED, "opencode-export.json"), "utf8"));
    writeFileSync(path.join(target, "session/global/ses_1.json"), JSON.stringify(info));
    symlinkSync("/dev/zero", path.join(target, "message/ses_1/msg_1.json"));
    const { reasons } = await audit(target);
    assert.match(reasons["msg_1.json"], /is no regular file/);
  });
});

describe("links in a folder", { skip }, () => {
  test("that double at each level are followed once each", { timeout }, async () => {
    const target = home("doubling/start");
    let level = target;
    for (let n = 0; n < 40; n += 1) {
      const next = home(`doubling/levels/${n}`);
      for (const side of ["left", "right"]) symlinkSync(next, path.join(level, side));
      level = next;
    }
    writeFileSync(path.join(level, "end.jsonl"), call(1));
    const { files, code } = await audit(target);
    assert.equal(code, 0);
    assert.equal(files.length, 1);
  });

  test("lead to nothing that is there under its own name", async () => {
    const target = home("twice");
    home("twice/sessions");
    writeFileSync(path.join(target, "sessions", "one.jsonl"), call(1));
    symlinkSync(path.join(target, "sessions"), path.join(target, "all"));
    symlinkSync(path.join(target, "sessions", "one.jsonl"), path.join(target, "again.jsonl"));
    const { files, code } = await audit(target);
    assert.deepEqual([files, code], [["twice/sessions/one.jsonl"], 0]);
  });

  test("to files and folders elsewhere are followed, in the order of names", async () => {
    const elsewhere = home("elsewhere");
    for (const name of ["a.jsonl", "b.jsonl"]) writeFileSync(path.join(elsewhere, name), call(1));
    const target = home("pointing");
    symlinkSync(elsewhere, path.join(target, "b"));
    symlinkSync(path.join(elsewhere, "b.jsonl"), path.join(target, "a.jsonl"));
    writeFileSync(path.join(target, "c.jsonl"), call(1));
    const { files } = await audit(target);
    assert.deepEqual(files, ["pointing/a.jsonl", "pointing/b/a.jsonl", "pointing/c.jsonl"]);
  });
});

describe("a session whose last line is cut off", () => {
  const whole = call(1) + call(2) + call(3);

  test("is judged up to it, in one line that says so", async () => {
    for (const [name, cut] of [
      ["cut-text.jsonl", whole.slice(0, -9)],
      [
        "cut-character.jsonl",
        Buffer.from(`${call(1) + call(2)}{"type":"text","text":"é`).subarray(0, -1),
      ],
    ]) {
      const file = path.join(home("cut"), name);
      writeFileSync(file, cut);
      for (const jobs of ["1", "2"]) {
        const other = path.join(SAVED, "pi.jsonl");
        const { sessions, code, reasons, stderr } = await audit("--jobs", jobs, file, other);
        assert.deepEqual([code, sessions.length, sessions[0].calls], [2, 2, 2], name);
        assert.match(
          reasons[name],
          /^is cut off, so only what came before it was judged: it is no/,
        );
        assert.match(stderr, /^turnkeeper: [^\n]*, line 3: is cut off, [^\n]*\n$/);
      }
    }
  });

  test("is not one whose broken line is ended, or not the last, or the first", async () => {
    for (const [name, text, calls] of [
      ["ended.jsonl", `${whole.slice(0, -9)}\n`, [2]],
      ["middle.jsonl", `${call(1)}{"type":\n${call(2)}`, [2]],
      ["first.jsonl", '{"type":"tool_ca', []],
    ]) {
      const file = path.join(home("not-cut"), name);
      writeFileSync(file, text);
      const { sessions, code, reasons } = await audit(file);
      // A line that is broken costs itself alone.
      assert.deepEqual([code, sessions.map((session) => session.calls)], [2, calls], name);
      assert.match(reasons[name], /^is not JSON/);
    }
  });
});
