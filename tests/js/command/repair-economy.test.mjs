// `turnkeeper repair --economy`: older messages give way in the file, and everything else stays as written.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";

import { turnkeeper } from "../node/installed-package.mjs";
import { file, folder, run } from "../node/replay-command.mjs";

const { dedupeHistory } = turnkeeper;
const repair = (args) => run(["repair", ...args]);

const FILE = "export const answer = 42;\n".repeat(30);
const NEWER = `${FILE}export const caf\u00e9 = "\ud83d\ude00";\n`;
const text = (words) => ({ type: "text", text: words });
const env = (n) => text(`<environment_details>\n# Current Time\n${n}\n</environment_details>`);

/** A file is read, and read again after it changed. */
const HISTORIES = {
  "cline.json": [
    { role: "user", content: [text("<task>\nGo.\n</task>"), env(1)], ts: 1 },
    { role: "assistant", content: [text("<read_file>\n<path>a.ts</path>\n</read_file>")], ts: 2 },
    { role: "user", content: [text("[read_file for 'a.ts'] Result:"), text(FILE), env(2)], ts: 3 },
    { role: "assistant", content: [text("<read_file>\n<path>a.ts</path>\n</read_file>")], ts: 4 },
    { role: "user", content: [text("[read_file for 'a.ts'] Result:"), text(NEWER), env(3)], ts: 5 },
  ],
  "anthropic.json": [
    { role: "user", content: "Go." },
    ...["1", "2"].flatMap((id) => [
      {
        role: "assistant",
        content: [{ type: "tool_use", id, name: "read_file", input: { path: "a.ts" } }],
      },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: id, content: id === "1" ? FILE : NEWER }],
      },
    ]),
  ],
  "openai.json": [
    { role: "user", content: "Go." },
    ...["1", "2"].flatMap((id) => [
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { id, type: "function", function: { name: "read_file", arguments: '{"path":"a.ts"}' } },
        ],
      },
      { role: "tool", tool_call_id: id, content: id === "1" ? FILE : NEWER },
    ]),
  ],
  "gemini.json": [
    { role: "user", parts: [{ text: "Go." }] },
    ...["1", "2"].flatMap((id) => [
      {
        role: "model",
        parts: [{ functionCall: { id, name: "read_file", args: { path: "a.ts" } } }],
      },
      {
        role: "user",
        parts: [
          {
            functionResponse: {
              id,
              name: "read_file",
              response: { output: id === "1" ? FILE : NEWER },
            },
          },
        ],
      },
    ]),
  ],
  "ai-sdk.json": [
    { role: "user", content: "Go." },
    ...["1", "2"].flatMap((toolCallId) => [
      {
        role: "assistant",
        content: [
          { type: "tool-call", toolCallId, toolName: "read_file", input: { path: "a.ts" } },
        ],
      },
      {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId,
            toolName: "read_file",
            output: { type: "text", value: toolCallId === "1" ? FILE : NEWER },
          },
        ],
      },
    ]),
  ],
};
const CLAUDE = HISTORIES["anthropic.json"].map((message, n) => ({
  type: message.role,
  uuid: `u${n}`,
  sessionId: "s",
  cwd: "/work",
  message,
}));

/** JSON with escapes and spaces that no program of ours would write. */
const written = (value) =>
  JSON.stringify(value, null, 3).replaceAll("\u00e9", "\\u00E9").replaceAll(" = ", " \\u003d ");

for (const [name, history] of Object.entries(HISTORIES)) {
  test(`${name} loses its older copy, and nothing else of how it is written`, async () => {
    const given = file(name, written(history));
    const target = path.join(folder, `shortened-${name}`);
    const { code, stdout, stderr } = await repair([given, "-o", target, "--economy", "resume"]);
    assert.deepEqual([code, stderr], [0, ""]);
    assert.match(stdout.replace(/\s+/g, " "), /1 older copy of a file \([\d,]+ characters?\)/);
    const result = readFileSync(target, "utf8");
    const values = JSON.parse(result);
    const notice = JSON.stringify(values).match(/\[An older copy of [^\]]*\]/g);
    assert.equal(notice.length, 1);
    // The file in place of its notice is what was given, to the byte.
    const parts = result.split(notice[0]);
    assert.equal(parts.length, 2);
    const before = written(FILE).slice(1, -1);
    const environment = name === "cline.json";
    if (!environment) assert.equal(parts.join(before), written(history));
    assert.ok(result.includes(written(NEWER).slice(1, -1)), "the newest copy is as it was written");
    // What was written can be read again, and needs nothing more.
    const again = await repair([target, "--economy", "resume", "--json"]);
    assert.equal(JSON.parse(again.stdout).messagesChanged, 0);
    assert.equal(readFileSync(given, "utf8"), written(history), "the original stays");
  });
}

test("a Cline history becomes what dedupeHistory makes of it", async () => {
  const given = file("same.json", written(HISTORIES["cline.json"]));
  for (const economy of ["resume", "compact"]) {
    const target = path.join(folder, `same-${economy}.json`);
    const { stdout } = await repair([given, "-o", target, "--economy", economy, "--json"]);
    const { messages, report } = dedupeHistory(HISTORIES["cline.json"], { economy });
    assert.deepEqual(JSON.parse(readFileSync(target, "utf8")), messages);
    const { kinds, charactersRemoved } = JSON.parse(stdout);
    // The library estimates tokens by the length of texts alone.
    const withoutTokens = (all) =>
      Object.entries(all).map(([kind, { tokens: _, ...rest }]) => [kind, rest]);
    assert.deepEqual(withoutTokens(kinds), withoutTokens(report.kinds));
    assert.equal(charactersRemoved, report.charactersSaved);
  }
});

test("a session of Claude Code keeps its lines, and paths start from its folder", async () => {
  const lines = CLAUDE.map((line) => JSON.stringify(line));
  lines[3] = lines[3].replace('"a.ts"', '"/work/a.ts"');
  const given = file("claude.jsonl", `${lines.join("\n")}\n`);
  const target = path.join(folder, "claude-shortened.jsonl");
  await repair([given, "-o", target, "--economy", "resume"]);
  const now = readFileSync(target, "utf8").split("\n");
  assert.deepEqual([now[0], now[1], ...now.slice(3)], [lines[0], lines[1], ...lines.slice(3), ""]);
  assert.match(
    now[2],
    /\[An older copy of a\.ts, \d+ characters, stood here; the newest is in message 4\.\]/,
  );
});

describe("in place", () => {
  test("the original is kept beside it, and a second time nothing is written", async () => {
    const where = path.join(folder, "in-place");
    mkdirSync(where);
    const name = path.join(where, "api_conversation_history.json");
    const original = JSON.stringify(HISTORIES["cline.json"]);
    writeFileSync(name, original);
    const first = await repair([name, "--in-place", "--economy", "resume"]);
    assert.equal(first.code, 0);
    assert.equal(readFileSync(`${name}.bak`, "utf8"), original);
    const shortened = readFileSync(name, "utf8");
    assert.ok(shortened.length < original.length - 500);
    const second = await repair([name, "--in-place", "--economy", "resume"]);
    assert.equal(second.code, 0);
    assert.match(second.stdout, /nothing\s+to\s+repair/);
    assert.equal(readFileSync(name, "utf8"), shortened);
  });

  test("nothing is written if nothing says where", async () => {
    const given = file("nowhere.json", JSON.stringify(HISTORIES["cline.json"]));
    const { stdout } = await repair([given, "--economy", "resume"]);
    assert.match(stdout.replace(/\s+/g, " "), /would go.*nothing is written without -o/);
    assert.ok(!existsSync(`${given}.bak`));
  });
});

test("--target-tokens stops at the size that was asked for", async () => {
  const reads = Array.from({ length: 20 }, (_, n) => [
    {
      role: "assistant",
      content: [{ type: "tool_use", id: `${n}`, name: "read_file", input: { path: "a.ts" } }],
    },
    { role: "user", content: [{ type: "tool_result", tool_use_id: `${n}`, content: FILE }] },
  ]).flat();
  const given = file("large.json", JSON.stringify(reads));
  const removed = async (...args) => {
    const { stdout, code } = await repair([given, "--json", "--economy", "compact", ...args]);
    assert.equal(code, 0);
    return JSON.parse(stdout).tokensRemoved;
  };
  const all = await removed();
  const some = await removed("--target-tokens", "2500");
  assert.ok(some > 0 && some < all, `${some} of ${all}`);
  assert.equal(await removed("--target-tokens", "999999"), 0);
});

test("options that do not go together are named", async () => {
  const given = file("options.json", JSON.stringify(HISTORIES["cline.json"]));
  for (const [args, complaint] of [
    [["--economy", "much"], /--economy/],
    [["--target-tokens", "9"], /needs '--economy compact'/],
    [["--economy", "resume", "--target-tokens", "9"], /needs '--economy compact'/],
    [["--economy", "compact", "--target-tokens", "0"], /--target-tokens/],
  ]) {
    const { code, stderr } = await repair([given, ...args]);
    assert.equal(code, 2);
    assert.match(stderr, complaint);
  }
});

// The newest copy of a file is in the call that wrote it last; the JSON in a call's arguments stays JSON.
const WRITES = {
  "chat messages": (id, args) => [
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id, type: "function", function: { name: "write_file", arguments: args } }],
    },
    { role: "tool", tool_call_id: id, content: "Created a.ts." },
  ],
  "items of Responses": (call_id, args) => [
    { type: "function_call", call_id, name: "write_file", arguments: args },
    { type: "function_call_output", call_id, output: "Created a.ts." },
  ],
};
for (const [what, write] of Object.entries(WRITES)) {
  test(`an older write among ${what} of OpenAI loses its file in the file, too, and once`, async () => {
    const args = (content) => JSON.stringify({ path: "a.ts", content });
    const history = [{ role: "user", content: "Go." }];
    history.push(...write("1", args(FILE)), ...write("2", args(NEWER)));
    const given = file("history.json", JSON.stringify(history, undefined, 1));
    const out = path.join(folder, `${what}.json`);
    await repair([given, "-o", out, "--economy", "compact"]);
    const { messages } = dedupeHistory(history, { economy: "compact" });
    assert.notDeepEqual(messages, history);
    assert.deepEqual(JSON.parse(readFileSync(out, "utf8")), messages);
    const again = await repair([out, "--economy", "compact"]);
    assert.match(again.stdout, /nothing\s+to\s+repair/);
  });
}
