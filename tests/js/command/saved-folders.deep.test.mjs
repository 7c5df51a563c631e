// Sessions that are more, or less, than one file of one session.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import { file, folder, json, replay, run } from "../node/replay-command.mjs";

const SAVED = fileURLToPath(new URL("../../data/saved", import.meta.url));
const read = (name) => readFileSync(path.join(SAVED, name), "utf8");
const events = async (name) =>
  (await json([name])).filter(({ event }) => event).map(({ event }) => event);
const audit = async (...names) => {
  const { stdout, stderr, code } = await run(["audit", "--json", ...names]);
  return { ...JSON.parse(stdout), stderr, code };
};

describe("the storage of opencode", () => {
  /** Puts an export where opencode keeps its parts. */
  function store(name, exported, parentID) {
    const storage = path.join(folder, name);
    const write = (...keys) => {
      const value = keys.pop();
      const target = `${path.join(storage, ...keys)}.json`;
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(target, JSON.stringify(value, null, 2));
    };
    const { info, messages } = exported;
    write("session", "global", info.id, { ...info, ...(parentID && { parentID }) });
    for (const { info: message, parts } of messages) {
      write("message", info.id, message.id, message);
      for (const part of parts) write("part", message.id, part.id, part);
    }
    return storage;
  }

  const exported = JSON.parse(read("opencode-export.json"));

  test("gives the events that the export gives", async () => {
    const storage = store("opencode-1/storage", exported);
    const report = await audit(storage);
    assert.deepEqual([report.code, report.stderr, report.skipped], [0, "", []]);
    const [session] = report.sessions;
    const alone = (await audit(path.join(SAVED, "opencode-export.json"))).sessions[0];
    const same = ["format", "title", "model", "events", "calls", "turns", "commands", "tokens"];
    for (const field of same) assert.deepEqual(session[field], alone[field], field);
    assert.ok(session.file.endsWith(path.join("session", "global", "ses_1.json")), session.file);
  });

  test("has a session for each subagent, and one without messages is passed over", async () => {
    const storage = store("opencode-2/storage", exported);
    const child = JSON.parse(JSON.stringify(exported).replaceAll("ses_1", "ses_2"));
    for (const message of child.messages) {
      const old = message.info.id;
      message.info.id = old.replace("msg_", "msg_2");
      for (const part of message.parts) Object.assign(part, { messageID: message.info.id });
    }
    store("opencode-2/storage", child, "ses_1");
    const empty = { info: { ...exported.info, id: "ses_3" }, messages: [] };
    store("opencode-2/storage", empty);
    const report = await audit(storage);
    assert.deepEqual([report.code, report.sessions.length, report.problems], [0, 2, []]);
    assert.deepEqual(
      report.skipped.map(({ file: name, reason }) => [path.basename(name), reason]),
      [["ses_3.json", "has no events"]],
    );
  });

  test("names the part that is broken, and reads the others", async () => {
    const storage = store("opencode-3/storage", exported);
    // Another session was had at another time; with the same times it would be a copy.
    const renamed = JSON.stringify(exported).replaceAll(/(ses|msg)_/g, "$1_9");
    const other = JSON.parse(renamed.replaceAll('"created":', "$&9"));
    store("opencode-3/storage", other);
    const part = path.join(storage, "part", "msg_2", "prt_21.json");
    writeFileSync(part, readFileSync(part, "utf8").slice(0, 40));
    const report = await audit(storage);
    const [cut, whole] = report.sessions.sort((one, two) => one.events - two.events);
    assert.deepEqual([report.code, report.sessions.length], [2, 2]);
    assert.equal(path.basename(cut.file), "ses_1.json");
    assert.deepEqual([cut.calls, cut.events], [whole.calls, whole.events - 1]);
    assert.match(report.stderr, /prt_21\.json is not JSON/);
  });
});

describe("an evaluation of OpenHands", () => {
  const lines = read("openhands-output.jsonl").trim().split("\n");

  test("is read with one run, however long its line is", async () => {
    const one = await events(file("one-run.jsonl", `${lines[0]}\n`));
    const run = JSON.parse(lines[0]);
    const padding = { ...run.history[2], content: "x".repeat(400_000) };
    const long = {
      ...run,
      history: [...run.history.slice(0, 2), padding, ...run.history.slice(3)],
    };
    const text = `${JSON.stringify(long)}\n${lines[1]}\n`;
    const two = await events(file("long-run.jsonl", text));
    assert.equal(two.length, one.length + 5);
    const { sessions } = await audit(file("long-alone.jsonl", JSON.stringify(long)));
    // The end of a run is no call.
    assert.deepEqual([sessions[0].format, sessions[0].calls], ["openhands-eval", 2]);
  });

  test("judges each run by itself", async () => {
    const action = { id: 1, source: "agent", action: "run", args: { command: "make" } };
    const observation = {
      id: 2,
      source: "agent",
      cause: 1,
      observation: "run",
      content: "no rule",
    };
    const step = [action, observation];
    const runOf = (n) => ({ instance_id: `i-${n}`, history: [step, step].flat(), test_result: {} });
    const text = Array.from({ length: 6 }, (_, n) => JSON.stringify(runOf(n))).join("\n");
    const apart = await audit(file("apart.jsonl", text));
    assert.deepEqual(apart.sessions[0].loops, []);
    const together = JSON.stringify({ ...runOf(0), history: Array(6).fill([step, step]).flat(2) });
    const looped = await audit(file("together.jsonl", together));
    assert.equal(looped.sessions[0].loops.at(-1)?.action, "stop");
  });
});

describe("an object with other lists around the session", () => {
  test("is read by the list that holds the session", async () => {
    const chat = JSON.parse(read("copilot-chat.json"));
    const before = { messages: [{ hello: 1 }], items: [], ...chat };
    const name = file("lists.json", JSON.stringify(before));
    assert.deepEqual(await events(name), await events(path.join(SAVED, "copilot-chat.json")));
  });

  test("is one object even if its first line is longer than what is looked at", async () => {
    const chat = JSON.parse(read("copilot-chat.json"));
    const text = JSON.stringify({ ...chat, note: `{"kind":0,"v":[${" ".repeat(300_000)}` });
    assert.equal((await events(file("long-object.json", text))).length, 25);
  });

  test("lines of which each has a list are no object", async () => {
    const message = '{"messages":[{"role":"user","content":"Hi."}]}\n';
    const { code, stderr } = await replay(["-q", file("training.jsonl", message + message)]);
    assert.equal(code, 2);
    assert.match(stderr, /in no format that turnkeeper reads: line 2 is an object with "messages"/);
  });
});

describe("the log of a chat of VS Code", () => {
  const [initial] = read("copilot-chat.jsonl").split("\n");
  const bad = {
    "a place that is not there": { kind: 1, k: ["requests", 7, "response"], v: [] },
    "a place beyond the end of a list": { kind: 1, k: ["requests", 4_000_000_000], v: {} },
    "the prototype of an object": { kind: 1, k: ["__proto__", "polluted"], v: 1 },
    "the length of a list": { kind: 1, k: ["requests", "length"], v: 4_000_000_000 },
    "more of a list than it has": { kind: 2, k: ["requests"], i: 4_000_000_000 },
    "a list that is none": { kind: 2, k: ["sessionId"], v: [1] },
    "nothing at all": { kind: 1, k: [], v: 1 },
  };
  test("may not change what is not there", async () => {
    const files = Object.entries(bad).map(([what, change]) => {
      const text = `${initial}\n${JSON.stringify(change)}\n`;
      return file(`log-${what.replaceAll(" ", "-")}.jsonl`, text);
    });
    const { code, stderr } = await replay(["-q", ...files]);
    assert.equal(code, 2);
    const lines = stderr.trimEnd().split("\n");
    assert.equal(lines.length, files.length, stderr);
    files.forEach((name, at) => {
      assert.ok(lines[at].includes(path.basename(name)), lines[at]);
      assert.match(lines[at], /^turnkeeper: .*, line 2: changes ".*", which is not there$/);
    });
  });

  test("may name a field as objects of JavaScript name theirs", async () => {
    const text = read("copilot-chat.jsonl").trimEnd();
    const change = JSON.stringify({ kind: 1, k: ["constructor"], v: 1 });
    const whole = await events(path.join(SAVED, "copilot-chat.jsonl"));
    assert.deepEqual(await events(file("log-field.jsonl", `${text}\n${change}\n`)), whole);
  });

  test("may not have a path of anything but names and indexes", async () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    for (const [key, reason] of [
      ["[[]]", /line 2: has a path of more than names and indexes\n$/],
      [deep, /line 2: is nested too deep\n$/],
    ]) {
      const name = file("log-path.jsonl", `${initial}\n{"kind":1,"k":${key},"v":1}\n`);
      const { code, stderr } = await replay(["-q", name]);
      assert.equal(code, 2);
      assert.match(stderr, reason);
    }
  });

  test("may not end with a request that is none", async () => {
    const push = { kind: 2, k: ["requests"], v: [{ message: {} }] };
    const name = file("log-last.jsonl", `${initial}\n${JSON.stringify(push)}\n`);
    const { code, stderr } = await replay(["-q", name]);
    assert.equal(code, 2);
    assert.match(stderr, /ends with what cannot be read: it has a request without a requestId\n$/);
  });

  test("may not have a change of an unknown kind", async () => {
    const change = { kind: 9, k: ["requests"], v: [] };
    const name = file("log-kind.jsonl", `${initial}\n${JSON.stringify(change)}\n`);
    assert.match((await replay(["-q", name])).stderr, /line 2: is a change of a kind that is not/);
  });

  test("gives the request that was under way when it breaks off", async () => {
    const text = read("copilot-chat.jsonl");
    const cut = file("log-cut.jsonl", text.slice(0, -30));
    const whole = await events(path.join(SAVED, "copilot-chat.jsonl"));
    assert.deepEqual(await events(cut), whole);
    assert.equal((await replay(["-q", cut])).code, 2);
  });
});

describe("files of other kinds", () => {
  test("a database is named, with what to do", async () => {
    const bytes = new Uint8Array(4_096);
    bytes.set(new TextEncoder().encode("SQLite format 3\0"));
    const home = path.join(folder, "databases");
    mkdirSync(home);
    writeFileSync(path.join(home, "sessions.db"), bytes);
    const alone = await replay(["-q", path.join(home, "sessions.db")]);
    assert.equal(alone.code, 2);
    assert.match(alone.stderr, /is an SQLite database, which only the audit of an agent/);
    writeFileSync(path.join(home, "pi.jsonl"), read("pi.jsonl"));
    const report = await audit(home);
    assert.deepEqual([report.code, report.sessions.length, report.skipped.length], [0, 1, 1]);
  });

  test("a file of a subagent of Claude Code is a session of its own", async () => {
    const text = read("claude-code.jsonl").replaceAll(
      '"isSidechain": false',
      '"isSidechain": true',
    );
    const own = await audit(file("agent-1a2b.jsonl", text));
    const main = await audit(path.join(SAVED, "claude-code.jsonl"));
    assert.equal(own.sessions[0].leftOut, 0);
    assert.ok(own.sessions[0].calls >= main.sessions[0].calls);
  });

  test("a call without a name is told with its place", async () => {
    const call = { id: "1", args: {}, status: "success" };
    const message = { id: "m", timestamp: "2026", type: "gemini", content: "", toolCalls: [call] };
    const session = { sessionId: "s", projectHash: "p", messages: [message] };
    const { code, stderr } = await replay(["-q", file("nameless.json", JSON.stringify(session))]);
    assert.equal(code, 2);
    assert.match(stderr, /nameless\.json element 1: it has a tool call without a name\n$/);
  });
});
