// Where a repair may write, and what it never takes away from another program.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";

import { folder, run } from "../node/replay-command.mjs";
import { FIRST_WRITE, held, noInjection } from "./injected.mjs";

const skip = process.platform === "win32" && "Windows has no such files";
const timeout = 180_000;

const repair = (...args) => run(["repair", ...args]);
const env = (n) => `<environment_details>\nblock ${n}\n</environment_details>`;
const text = (words) => ({ type: "text", text: words });
const double = JSON.stringify({ role: "user", content: [text("Go."), text(env(1)), text(env(2))] });
const single = JSON.stringify({ role: "user", content: [text("Go."), text(env(2))] });

function home(name) {
  const target = path.join(folder, name);
  mkdirSync(target, { recursive: true });
  return target;
}

function put(where, name, content = `[${double}]`) {
  const target = path.join(where, name);
  writeFileSync(target, content);
  return target;
}

const changing = { skip: noInjection };
describe("a history that another program changes while it is repaired in place", changing, () => {
  const long = `${double}\n`.repeat(8_000);
  /** Repairs, and has `change` do something to the file when the new one is being written. */
  async function disturbed(name, change) {
    const where = home(name);
    const file = put(where, "history.jsonl", long);
    const args = ["repair", "--in-place", file];
    const ended = await held(args, { inject: `${FIRST_WRITE}:signal=SIGSTOP` }, (closed) =>
      change(file, closed),
    );
    return { ...ended, file, where };
  }
  function assertLeft({ code, stderr, where }) {
    assert.equal(code, 2);
    assert.match(stderr, /^turnkeeper: [^\n]*was changed by another program while it was read/);
    assert.deepEqual(readdirSync(where), ["history.jsonl"]);
  }

  test("keeps what was appended", { timeout }, async () => {
    const outcome = await disturbed("appended", (file) => appendFileSync(file, `${single}\n`));
    assertLeft(outcome);
    assert.equal(readFileSync(outcome.file, "utf8"), `${long}${single}\n`);
  });

  test("keeps a newer history that took its place", { timeout }, async () => {
    const outcome = await disturbed("replaced", (file) => {
      const newer = put(folder, "newer.jsonl", `${single}\n`);
      renameSync(newer, file);
    });
    assertLeft(outcome);
    assert.equal(readFileSync(outcome.file, "utf8"), `${single}\n`);
  });

  test("keeps what was written over it, of the same length", { timeout }, async () => {
    const other = long.replaceAll("Go.", "Run");
    const outcome = await disturbed("rewritten", (file) => writeFileSync(file, other));
    assertLeft(outcome);
    assert.equal(readFileSync(outcome.file, "utf8"), other);
  });

  test("keeps every line of a program that never stops to append", { timeout }, async () => {
    const lines = [];
    const { file } = await disturbed("stream", async (target, closed) => {
      let isRunning = true;
      void closed.then(() => (isRunning = false));
      while (isRunning) {
        lines.push(JSON.stringify({ role: "assistant", content: `line ${lines.length}` }));
        appendFileSync(target, `${lines.at(-1)}\n`);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    });
    const kept = new Set(readFileSync(file, "utf8").split("\n"));
    assert.ok(lines.length > 0);
    assert.deepEqual(
      lines.filter((line) => !kept.has(line)),
      [],
    );
  });
});

describe("a repair of a folder in place", { skip }, () => {
  test("writes to nothing that a link leads out to", async () => {
    const outside = put(home("outside"), "theirs.json");
    const where = home("inside");
    const own = put(where, "own.json");
    symlinkSync(outside, path.join(where, "link.json"));
    symlinkSync(path.dirname(outside), path.join(home("inside/sub"), "folder"));
    const { code, stderr } = await repair("--in-place", where);
    assert.equal(code, 2);
    assert.match(stderr, /^turnkeeper: [^\n]* is not repaired: it leads out of [^\n]*\n$/);
    assert.equal(readFileSync(outside, "utf8"), `[${double}]`);
    assert.deepEqual(readdirSync(path.dirname(outside)), ["theirs.json"]);
    assert.equal(readFileSync(own, "utf8"), `[${single}]`);
  });

  test("says nothing of links to what needs no repair, or is no history", async () => {
    const outside = home("outside-fine");
    const where = home("inside-fine");
    for (const [name, content] of [
      ["fine.json", `[${single}]`],
      ["package.json", "{}"],
    ]) {
      symlinkSync(put(outside, name, content), path.join(where, name));
    }
    assert.deepEqual((await repair("--in-place", where)).code, 0);
  });

  test("goes through links within the folder, and by a link that is named", async () => {
    const where = home("within");
    const own = put(where, "history.data");
    symlinkSync(own, path.join(where, "link.json"));
    symlinkSync(where, path.join(folder, "within-link"));
    const { code, stderr } = await repair("--in-place", path.join(folder, "within-link"));
    assert.deepEqual([code, stderr], [0, ""]);
    assert.equal(readFileSync(own, "utf8"), `[${single}]`);
    assert.ok(lstatSync(path.join(where, "link.json")).isSymbolicLink());
  });
});

describe("the copy that -o names", { skip }, () => {
  const source = () => put(home("source"), "history.json");

  test("goes through a link, which stays", async () => {
    const where = home("o-link");
    const real = put(where, "real.json", "before");
    const link = path.join(where, "link.json");
    symlinkSync("real.json", link);
    assert.equal((await repair(source(), "-o", link)).code, 0);
    assert.equal(readlinkSync(link), "real.json");
    assert.equal(readFileSync(real, "utf8"), `[${single}]`);
  });

  test("replaces no pipe, no device, and no link that leads nowhere", { timeout }, async () => {
    const where = home("o-special");
    const pipe = path.join(where, "pipe");
    execFileSync("mkfifo", [pipe]);
    const device = path.join(where, "null");
    symlinkSync("/dev/null", device);
    const nowhere = path.join(where, "nowhere");
    symlinkSync("not-there", nowhere);
    for (const [target, reason] of [
      [pipe, /is no regular file/],
      [device, /is no regular file/],
      [nowhere, /is a link that leads nowhere/],
    ]) {
      const { code, stderr } = await repair(source(), "-o", target);
      assert.equal(code, 2);
      assert.match(stderr, reason);
    }
    assert.deepEqual(readdirSync(where), ["nowhere", "null", "pipe"]);
    assert.ok(lstatSync(pipe).isFIFO());
  });

  test("of a folder stays in the folder, whatever links are in it", async () => {
    const outside = home("o-outside");
    const theirs = put(outside, "theirs.json", "theirs");
    const from = home("o-from");
    put(from, "file.json");
    put(home("o-from/sub"), "deep.json");
    const to = home("o-to");
    symlinkSync(theirs, path.join(to, "file.json"));
    symlinkSync(outside, path.join(to, "sub"));
    const { code, stderr } = await repair(from, "-o", to);
    assert.equal(code, 2);
    assert.equal(stderr.match(/is not written: it leads out of/g)?.length, 2);
    assert.equal(readFileSync(theirs, "utf8"), "theirs");
    assert.deepEqual(readdirSync(outside), ["theirs.json"]);
  });
});

describe("names that nothing can be written to", { skip }, () => {
  const long = "n".repeat(300);
  test("are told in a line, and nothing is made on the way", async () => {
    const where = home("unwritable");
    const file = put(where, "history.json");
    symlinkSync("loop", path.join(where, "loop"));
    for (const args of [
      [file, "-o", path.join(where, long)],
      [file, "-o", path.join(where, "loop")],
      [file, "-o", path.join(file, "below-a-file")],
      ["--in-place", path.join(where, long)],
      ["--in-place", path.join(where, "loop")],
      ["--in-place", path.join(where, "no-such-folder", "history.json")],
      [path.join(where, "no-such-file"), "-o", path.join(where, "no-such-folder", "copy.json")],
    ]) {
      const { code, stdout, stderr } = await repair(...args);
      assert.deepEqual([code, stdout], [2, ""], args.join(" ").slice(0, 200));
      assert.match(stderr, /^turnkeeper: [^\n]*\n$/);
    }
    assert.deepEqual(readdirSync(where), ["history.json", "loop"]);
  });

  test("are pipes and devices, for a repair in place", { timeout }, async () => {
    const where = home("in-place-special");
    const pipe = path.join(where, "pipe");
    execFileSync("mkfifo", [pipe]);
    for (const name of [pipe, "/dev/null"]) {
      const { code, stderr } = await repair("--in-place", name);
      assert.equal(code, 2);
      assert.match(stderr, / is no regular file\n$/);
    }
    assert.ok(lstatSync(pipe).isFIFO());
    assert.deepEqual(readdirSync(where), ["pipe"]);
  });
});

const copying = { skip: noInjection, timeout };
test("no copy is made of a history that changes while it is read", copying, async () => {
  const where = home("o-changed");
  const long = `${double}\n`.repeat(8_000);
  const file = put(where, "history.jsonl", long);
  const target = path.join(where, "copy.jsonl");
  const args = ["repair", file, "-o", target];
  const { code, stderr } = await held(args, { inject: `${FIRST_WRITE}:signal=SIGSTOP` }, () =>
    // What is read is half the one and half the other, and whole JSON.
    writeFileSync(file, long.replaceAll("Go.", "Run")),
  );
  assert.equal(code, 2);
  assert.match(stderr, /^turnkeeper: [^\n]* while it was read; nothing is written\n$/);
  assert.deepEqual(readdirSync(where), ["history.jsonl"]);
});

test("copies in a folder of the folder itself are not copied again", async () => {
  const where = home("again");
  put(where, "history.json");
  const to = path.join(where, "repaired");
  for (let n = 0; n < 3; n += 1) assert.equal((await repair(where, "-o", to)).code, 0);
  assert.deepEqual(readdirSync(where, { recursive: true }).sort(), [
    "history.json",
    "repaired",
    path.join("repaired", "history.json"),
  ]);
});

test("a session that is kept in several files is not put together in one of them", async () => {
  const where = home("several");
  for (const sub of ["session/global", "message/ses_1", "part"]) home(`several/${sub}`);
  const session = put(path.join(where, "session/global"), "ses_1.json", double);
  put(
    path.join(where, "message/ses_1"),
    "msg_1.json",
    '{"role":"assistant","content":"hi","n":1.0}',
  );
  for (const args of [
    [where],
    ["--in-place", where],
    [where, "-o", path.join(folder, "several-repaired")],
  ]) {
    const { code, stderr } = await repair(...args);
    assert.equal(code, 2);
    assert.match(stderr, /has no histories\n$/);
  }
  assert.deepEqual(readdirSync(path.dirname(session)), ["ses_1.json"]);
  assert.equal(readFileSync(session, "utf8"), double);
});

test("the page of an audit replaces pages alone, and the audit does not begin", async () => {
  const where = home("html-slip");
  const session = put(where, "session.jsonl", '{"type":"tool_call","name":"ls","args":{}}\n');
  const other = put(where, "other.json");
  for (const target of [session, other]) {
    const before = readFileSync(target, "utf8");
    const { code, stdout, stderr } = await run(["audit", "--html", target, session]);
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, /^turnkeeper: [^\n]* is no page, so no page replaces it\n$/);
    assert.equal(readFileSync(target, "utf8"), before);
  }
});

test(
  "the page of an audit goes through a link, and replaces no pipe",
  { skip, timeout },
  async () => {
    const where = home("html");
    const session = put(where, "session.jsonl", '{"type":"tool_call","name":"ls","args":{}}\n');
    symlinkSync(put(where, "real.html", ""), path.join(where, "link.html"));
    assert.equal((await run(["audit", session, "--html", path.join(where, "link.html")])).code, 0);
    assert.ok(lstatSync(path.join(where, "link.html")).isSymbolicLink());
    assert.match(readFileSync(path.join(where, "real.html"), "utf8"), /^<!doctype html>/i);
    const pipe = path.join(where, "pipe");
    execFileSync("mkfifo", [pipe]);
    const { code, stderr } = await run(["audit", session, "--html", pipe]);
    assert.equal(code, 2);
    assert.match(stderr, /pipe is no regular file/);
    assert.ok(existsSync(pipe) && lstatSync(pipe).isFIFO());
  },
);
