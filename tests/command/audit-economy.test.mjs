// What `turnkeeper audit` says of what is redundant in histories: by kind, over all requests, and its cost.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import { turnkeeper } from "../node/installed-package.mjs";
import { HEALTHY, file, folder, run } from "../node/replay-command.mjs";

const { dedupeHistory } = turnkeeper;
const RESUMED = fileURLToPath(new URL("../fixtures/histories/resumed-task.json", import.meta.url));

const audit = (args) => run(["audit", ...args]);
async function economyOf(...args) {
  const { stdout, code } = await audit(["--json", ...args]);
  assert.equal(code, 0);
  const { sessions, total } = JSON.parse(stdout);
  return { sessions: sessions.map(({ economy }) => economy), total: total.economy };
}

const FILE = "export const answer = 42;\n".repeat(30);
const text = (words) => ({ type: "text", text: words });
const user = (...parts) => ({ role: "user", content: parts.map(text) });
const model = (words) => ({ role: "assistant", content: [text(words)] });
const env = (n) => `<environment_details>\n# Current Time\n${n}\n</environment_details>`;
const call = (tool) => model(`<${tool}>\n<path>a.ts</path>\n</${tool}>`);
const log = "ok 1 - it works\n".repeat(40);
/** One thing of each kind that a later message says better. */
const EVERY_KIND = [
  user(
    "<task>\nSee 'a.ts'.\n</task>",
    `<file_content path="a.ts">\n${FILE}\n</file_content>`,
    env(1),
    env(2),
  ),
  call("read_file"),
  user("[read_file for 'a.ts'] Result:", FILE, env(3)),
  call("replace_in_file"),
  user(
    "[replace_in_file for 'a.ts'] Result:",
    `<final_file_content path="a.ts">\n${FILE}\n</final_file_content>`,
    env(4),
  ),
  model("<execute_command>\n<command>npm test</command>\n</execute_command>"),
  user("[execute_command for 'npm test'] Result:", log, env(5)),
  model("<execute_command>\n<command>npm test</command>\n</execute_command>"),
  user("[execute_command for 'npm test'] Result:", log, env(6)),
  call("read_file"),
  user("[read_file for 'a.ts'] Result:", `${FILE}// end\n`, env(7)),
  model("Done."),
];

test("every kind is counted, in the history and with every request that sent it", async () => {
  const { sessions, total } = await economyOf(file("kinds.json", JSON.stringify(EVERY_KIND)));
  const [{ kinds, characters, requestCharacters }] = sessions;
  assert.deepEqual(total, sessions[0]);
  const items = Object.entries(kinds).map(([kind, { items }]) => [kind, items]);
  assert.deepEqual(Object.fromEntries(items), {
    duplicates: 1,
    environment: 5,
    edits: 1,
    reads: 1,
    mentions: 1,
    results: 1,
  });
  // Counted by hand: six requests, each of which sends all that came before it.
  let [length, sent] = [0, 0];
  for (const { role, content } of EVERY_KIND) {
    if (role === "assistant") sent += length;
    length += content.reduce((sum, part) => sum + part.text.length, 0);
  }
  assert.deepEqual([characters, requestCharacters], [length, sent]);
  const { report } = dedupeHistory(EVERY_KIND, { economy: "resume", repeatedResults: true });
  const files = [kinds.edits, kinds.reads, kinds.mentions];
  const sum = (field) => files.reduce((all, kind) => all + kind[field], 0);
  assert.equal(sum("characters"), report.kinds.file.characters);
  assert.equal(sum("requestCharacters"), report.kinds.file.requestCharacters);
  const requests = [kinds.mentions, kinds.reads, kinds.edits].map(
    (kind) => kind.requestCharacters / kind.characters,
  );
  assert.deepEqual(requests, [6, 5, 4]);
});

test("the cost is one writing into the cache, and a reading with each later request", async () => {
  const prices = file(
    "prices.json",
    JSON.stringify({ "*": { input: 1, output: 1, cacheRead: 2, cacheWrite: 10 } }),
  );
  const history = file("priced.json", JSON.stringify(EVERY_KIND));
  const { total } = await economyOf(history, "--prices", prices);
  const { tokens, dollars } = total.kinds.mentions;
  assert.ok(Math.abs(dollars - (tokens * (10 + 5 * 2)) / 1e6) < 1e-12, `${dollars}`);
  const usual = await economyOf(history);
  assert.ok(usual.total.kinds.mentions.dollars < dollars);
  // The longest name that fits a model's counts.
  const named = JSON.stringify({
    "claude-x": { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  });
  const free = file("free.json", named);
  const none = await economyOf(history, "--prices", free, "--model", "anthropic/Claude-X-1");
  assert.equal(none.total.kinds.mentions.dollars, 0);
});

test("prices that are none are named", async () => {
  const history = file("bad-prices.json", JSON.stringify(EVERY_KIND));
  const wrong = {
    "no-json.json": "{",
    "list.json": "[]",
    "missing.json": '{"*":{"input":1}}',
    "negative.json": '{"*":{"input":-1,"output":1,"cacheRead":1,"cacheWrite":1}}',
  };
  for (const [name, content] of Object.entries(wrong)) {
    const { code, stderr } = await audit([history, "--prices", file(name, content)]);
    assert.equal(code, 2, name);
    assert.match(stderr, /--prices/);
  }
  const { code } = await audit([history, "--prices", path.join(folder, "not-there.json")]);
  assert.equal(code, 2);
});

describe("what is shown", () => {
  test("a line for the session, and the kinds in the total", async () => {
    const { stdout } = await audit([RESUMED]);
    const shown = stdout.replace(/\s+/g, " ");
    assert.match(
      shown,
      /redundant characters, \d+% of the history and \d+% of all that was sent, (under )?\$/,
    );
    assert.match(shown, /redundant duplicate environment: \d/);
    assert.match(shown, /older files that were read: \d/);
    const quiet = await audit([RESUMED, "-q"]);
    assert.match(quiet.stdout, /redundant/);
  });

  test("pictures and a table on the page", async () => {
    const page = path.join(folder, "economy.html");
    await audit([RESUMED, "--html", page]);
    const html = readFileSync(page, "utf8");
    assert.match(html, /<h2>Redundant<\/h2>/);
    assert.match(html, /aria-label="Of [\d,]+ characters sent, \d+% redundant"/);
    assert.match(html, /economy-environment/);
    assert.match(html, /economy-rest/);
  });

  test("nothing for a session that holds no messages", async () => {
    const { stdout } = await audit([HEALTHY]);
    assert.doesNotMatch(stdout, /redundant/);
    const { sessions } = await economyOf(HEALTHY);
    assert.deepEqual(sessions, [undefined]);
  });
});

test("what other machines counted is added up, and checked", async () => {
  const histories = [RESUMED, file("merged.json", JSON.stringify(EVERY_KIND))];
  const { stdout } = await audit(["--jsonl", ...histories]);
  const lines = path.join(folder, "economy.jsonl");
  writeFileSync(lines, stdout);
  const merged = JSON.parse((await audit(["--json", "--merge", lines])).stdout);
  const { total } = await economyOf(...histories);
  assert.deepEqual(merged.total.economy, total);
  // An older version counted none of it.
  const without = stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => {
      const { economy, ...report } = JSON.parse(line);
      assert.ok(economy);
      return JSON.stringify(report);
    });
  writeFileSync(lines, without.join("\n"));
  assert.equal((await audit(["--json", "--merge", lines])).code, 0);
  writeFileSync(lines, stdout.replace(/("economy":.*?"dollars":)[\d.]+/, '$1"much"'));
  const { stderr } = await audit(["--merge", lines]);
  assert.match(stderr, /economy\.kinds\.\w+\.dollars is no price/);
});

test("what a command printed is counted in Codex' sessions and in Responses items", async () => {
  const run = (call_id, output) => [
    { type: "reasoning", summary: [] },
    { type: "message", role: "assistant", content: [{ type: "output_text", text: "I look." }] },
    {
      type: "function_call",
      call_id,
      name: "shell",
      arguments: JSON.stringify({ command: ["bash", "-lc", "cat a.ts"], workdir: "/work" }),
    },
    { type: "function_call_output", call_id, output: `Exit code: 0\nOutput:\n${output}` },
  ];
  const items = [
    { type: "message", role: "user", content: [{ type: "input_text", text: "Go." }] },
    ...run("1", FILE),
    ...run("2", `${FILE}// end\n`),
    ...run("3", "?"),
  ];
  const rollout = [
    { type: "session_meta", payload: { id: "01", cwd: "/work" } },
    ...items.map((payload) => ({ type: "response_item", payload })),
  ];
  for (const given of [
    file("responses.json", JSON.stringify(items)),
    file("rollout.jsonl", rollout),
  ]) {
    const [{ kinds }] = (await economyOf(given)).sessions;
    const { items: copies, characters, requestCharacters } = kinds.reads;
    assert.equal(copies, 1, given);
    assert.ok(characters > FILE.length - 120 && characters < FILE.length, given);
    // Two requests sent it: what the model says and calls in one of them is one answer.
    assert.equal(requestCharacters, 2 * characters, given);
  }
});
