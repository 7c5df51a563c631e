// Sessions of every format with values in them that no agent has written.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import { random, seed } from "../node/random.mjs";
import { CHANT, file, folder, run } from "../node/replay-command.mjs";

const SAVED = fileURLToPath(new URL("../../data/saved", import.meta.url));
const names = readdirSync(SAVED).filter((name) => !name.endsWith(".md"));

const STRANGE = [null, -1, 1e300, "", "x", "__proto__", true, [], {}, [[]], [null], { text: 1 }];
const pick = (list) => list[random(list.length)];

/** A copy of which one value, anywhere in it, is a strange one, is missing, or is there twice. */
function changed(value) {
  const copy = { root: structuredClone(value) };
  const places = [];
  const visit = (holder) => {
    for (const key of Object.keys(holder)) {
      places.push([holder, key]);
      if (typeof holder[key] === "object" && holder[key] !== null) visit(holder[key]);
    }
  };
  visit(copy);
  const [holder, key] = pick(places);
  const how = random(8);
  if (how === 0) delete holder[key];
  else if (how === 1 && Array.isArray(holder)) holder.push(structuredClone(holder[key]));
  else holder[key] = structuredClone(pick(STRANGE));
  return JSON.stringify(copy.root) ?? "";
}

test(`end in events or in lines that say what is wrong (seed ${seed})`, async () => {
  const target = path.join(folder, "untrusted");
  mkdirSync(target);
  for (const name of names) {
    const text = readFileSync(path.join(SAVED, name), "utf8");
    const values = name.endsWith(".jsonl") ? text.trim().split("\n") : [text];
    for (let n = 0; n < 12; n += 1) {
      const at = random(values.length);
      const written = [...values];
      written[at] = changed(JSON.parse(values[at]));
      writeFileSync(path.join(target, `${n}-${name}`), written.join("\n"));
    }
  }
  for (const command of [
    ["audit", "--json"],
    ["replay", "-q", "--compare"],
    ["repair", "--json"],
    ["repair", "--economy", "compact", "--embedded"],
  ]) {
    const { code, stderr } = await run([...command, target]);
    assert.ok(code === 0 || code === 2, `${command[0]}: ${code}\n${stderr}`);
    for (const line of stderr.trimEnd().split("\n")) assert.match(line, /^(turnkeeper: .*)?$/);
  }
});

test("a message that cannot be read is told in a line, and the other files are done", async () => {
  const target = path.join(folder, "one-bad");
  mkdirSync(target);
  const env = (n) => ({
    type: "text",
    text: `<environment_details>\n${n}\n</environment_details>`,
  });
  const output = { type: "text", value: "a.ts" };
  const result = { type: "tool-result", toolCallId: "1", toolName: "ls", output };
  const bad = [
    { role: "tool", content: [result] },
    { role: "user", content: [env(1), env(2)] },
    null,
  ];
  writeFileSync(path.join(target, "a.json"), JSON.stringify(bad));
  writeFileSync(
    path.join(target, "b.json"),
    JSON.stringify([{ role: "user", content: [env(1), env(2)] }]),
  );
  const { code, stderr } = await run(["repair", "--economy", "resume", "--in-place", target]);
  assert.equal(code, 2);
  assert.match(stderr, /^turnkeeper: [^\n]*a\.json element 3: [^\n]*\n$/);
  assert.deepEqual(readdirSync(target), ["a.json", "b.json", "b.json.bak"]);
  assert.equal(readFileSync(path.join(target, "a.json"), "utf8"), JSON.stringify(bad));
});

/** What a person must never be sent: it controls a terminal, or is not seen. */
const CONTROLS =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\u3164\ufeff\uffa0]/u;
const NASTY =
  "\u001b]52;c;QQ==\u0007\u001b[2J\u009b2J\u202e\u2028\r\u3164\uffa0\u200b<img src=x onerror=alert(1)>\"'";

describe("text that would control a terminal or a page", () => {
  /** The value with that text at the end of each text in it that decides nothing. */
  const nasty = (value) => {
    if (typeof value === "string") return value + NASTY;
    if (Array.isArray(value)) return value.map(nasty);
    if (typeof value !== "object" || value === null) return value;
    const isKind = (key) => /^(type|role|kind|source|action|schemaVersion)$/.test(key);
    const entries = Object.entries(value).map(([key, each]) => [
      key,
      isKind(key) ? each : nasty(each),
    ]);
    return Object.fromEntries(entries);
  };

  test("is shown by no command, in no format, in no file's name", async () => {
    const assertClean = async (args, what) => {
      const { stdout, stderr, code } = await run(args);
      assert.ok(code <= 2, `${what}: ${stderr}`);
      assert.doesNotMatch(stdout + stderr, CONTROLS, `${what}: ${args[0]}`);
    };
    const page = path.join(folder, "nasty.html");
    const files = names.map((name) => {
      const text = readFileSync(path.join(SAVED, name), "utf8");
      const values = name.endsWith(".jsonl") ? text.trim().split("\n") : [text];
      const content = values.map((value) => JSON.stringify(nasty(JSON.parse(value)))).join("\n");
      return file(`x\u001b[2J\u202e\n<b>-${name}`, content);
    });
    await assertClean(["replay", "--json", ...files], "all");
    await assertClean(["repair", "--economy", "compact", ...files], "all");
    // The screen shows the findings of one session by itself.
    for (const [at, name] of names.entries()) {
      await assertClean(["audit", "--html", page, files[at]], name);
      const html = readFileSync(page, "utf8");
      assert.doesNotMatch(html, CONTROLS, name);
      assert.doesNotMatch(html, /<img|<b>-/, name);
    }
  });
});

describe("what is too deep, too wide or too long ends in a line that says so, or in an answer", () => {
  const deep = (depth) => `${"[".repeat(depth)}${"]".repeat(depth)}`;

  test("arguments of an event", async () => {
    const names = [1_100, 7_000, 200_000].map((depth) => {
      const lines = `{"type":"tool_call","name":"ls","args":{"a":${deep(depth)}}}\n`;
      return file(`deep-${depth}.jsonl`, `${lines}{"type":"text","text":"x"}\n`);
    });
    for (const args of [["audit"], ["replay"], ["replay", "--json"], ["replay", "--compare"]]) {
      const { code, stderr } = await run([...args, ...names]);
      assert.equal(code, 2, `${args.join(" ")}: ${stderr}`);
      const said = stderr.trimEnd().split("\n");
      assert.equal(said.length, names.length, stderr);
      for (const [at, line] of said.entries()) {
        assert.ok(line.startsWith("turnkeeper: ") && line.includes(path.basename(names[at])), line);
        assert.match(line, /, line 1: is nested too deep$/);
      }
    }
  });

  test("a part of a session that is kept in several files", async () => {
    const target = path.join(folder, "deep-part");
    mkdirSync(target);
    const events = JSON.parse(readFileSync(path.join(SAVED, "openhands-trajectory.json"), "utf8"));
    events.slice(0, 4).forEach((event, n) => {
      writeFileSync(path.join(target, `${n}.json`), JSON.stringify(event, null, 2));
    });
    const whole = await run(["audit", "--json", target]);
    assert.equal(JSON.parse(whole.stdout).sessions[0].format, "openhands");
    writeFileSync(path.join(target, "2.json"), `{"a":${deep(100_000)}}`);
    const { code, stderr } = await run(["audit", target]);
    assert.ok(code === 0 || code === 2, stderr);
    writeFileSync(path.join(target, "2.json"), deep(100_000));
    const broken = await run(["audit", target]);
    assert.equal(broken.code, 2);
    assert.match(broken.stderr, /^turnkeeper: [^\n]*, line 3: is not an event[^\n]*\n$/);
  });

  test("a result with 300,000 pieces", async () => {
    const node = { children: Array.from({ length: 300_000 }, () => ({ text: "a" })) };
    const calls = [{ id: "c", name: "ls", arguments: "{}" }];
    const rounds = [{ id: "r", response: "x", toolCalls: calls }];
    const results = { c: { content: [{ value: { node } }] } };
    const metadata = { toolCallRounds: rounds, toolCallResults: results };
    const request = {
      requestId: "1",
      message: { text: "Go." },
      response: [],
      result: { metadata },
    };
    const name = file("wide.json", JSON.stringify({ version: 3, requests: [request] }));
    const { code, stdout, stderr } = await run(["audit", "--json", name]);
    assert.equal(code, 0, stderr);
    assert.ok(JSON.parse(stdout).total.tokens.results > 10_000);
  });

  test("a message of an export that never ends", { timeout: 300_000 }, async () => {
    const line = `${"x".repeat(1_000)}\n`.repeat(1_000);
    const name = file("endless.md", `**User:**\n\n${line.repeat(140)}`);
    const { code, stderr } = await run(["audit", name]);
    assert.equal(code, 2);
    assert.match(stderr, /^turnkeeper: [^\n]* element 1: it is longer than 128 MB\n$/);
  });
});
