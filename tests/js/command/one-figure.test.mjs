// One figure is one figure: what of a history is outdated is the same number on the screen, in the report, in
// the JSON and in what a repair removes. The page's is compared in tests/js/www/same-numbers.test.mjs.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import { turnkeeper } from "../node/installed-package.mjs";
import { file, folder, run } from "../node/replay-command.mjs";
import { savedByAll } from "../session-fixtures/make.mjs";

const fixture = (name) => fileURLToPath(new URL(`../../data/${name}`, import.meta.url));
const RESUMED = fixture("histories/resumed-task.json");

/** Every history, and what one run of the audit and one of the repair say of it. */
const histories = [RESUMED];
const audited = new Map();
const repaired = new Map();

/** A file that is asked of with the others. */
function taken(history) {
  histories.push(history);
  return history;
}

/** The number in each of the places; undefined where it is not shown, since it is nothing. */
async function figuresOf(history) {
  const { saveable, usage } = audited.get(history);
  assert.ok(usage);
  const pictured = saveable.tokens === 0 ? await pictureOfNothing() : await pictureOf(history);
  return {
    json: saveable.tokens,
    kinds: saveable.outdated.tokens,
    ...pictured,
    repair: repaired.get(history),
  };
}

/** Where nothing of any is outdated, nothing of each is: one picture serves them all. */
let nothing;
const pictureOfNothing = () =>
  (nothing ??= pictureOf(
    ...histories.filter((history) => audited.get(history).saveable.tokens === 0),
  ));

async function pictureOf(...files) {
  const page = path.join(folder, "one-figure.html");
  const env = { COLUMNS: "200" };
  const screen = (await run(["audit", "--html", page, ...files], { env })).stdout;
  const html = readFileSync(page, "utf8");
  const words = screen.replace(/\s+/g, " ");
  const number = (text) => (text === undefined ? 0 : Number(text.replaceAll(",", "")));
  return {
    finding: number(/better, ([\d,]+) tokens? in the histories/.exec(words)?.[1]),
    table: number(outdatedIn(screen)),
    report: number(/figure-outdated"><dt>[^<]*<\/dt><dd>([\d,]+)/.exec(html)?.[1]),
  };
}

/** What the first row of the table has in the column, if there is one; only that of loops may follow it. */
function outdatedIn(screen) {
  const lines = screen.split("\n");
  const head = lines.findIndex((line) => line.startsWith("session "));
  if (!lines[head]?.includes("outdated")) return undefined;
  const cells = lines[head + 1].trim().split(/ {2,}/);
  return cells.at(lines[head].includes("loops") ? -2 : -1);
}

function assertOne(figures, name) {
  const { repair, ...all } = figures;
  const expected = all.json;
  for (const [place, value] of Object.entries(all))
    assert.equal(value, expected, `${name}: ${place}`);
  if (repair !== undefined) assert.equal(repair, expected, `${name}: repair`);
}

const SAVED = fixture("saved");
/** A file that grows is read three times, as each agent saves it. */
const GROWING = {
  name: "growing",
  title: "Read it again",
  cwd: "/home/ines/shop",
  steps: [
    { user: "Read it." },
    ...[1, 2, 3].map((n) => ({
      say: `Look ${n}.`,
      calls: [
        {
          tool: "read",
          path: "src/a.ts",
          output: `${"export const answer = 42;\n".repeat(30)}${"// one more\n".repeat(n)}`,
        },
      ],
    })),
    { say: "Done.", calls: [] },
  ],
};
/** Formats that hold the messages as they are sent; of others nothing is known to be outdated. */
const SENT =
  /^(claude-code|claude-stream|codex|mini-swe-agent|cline|anthropic|openai|ai-sdk)\b|gemini-contents/;
/** Reads of a file that grows, as calls and results of each provider. */
const FILE = "export const answer = 42;\n".repeat(30);
const steps = [1, 2, 3].map((n) => ({
  id: `c${n}`,
  output: `${FILE}${"// one more\n".repeat(n)}`,
}));
const input = { path: "src/a.ts" };
const SHAPES = {
  anthropic: steps.flatMap(({ id, output }) => [
    { role: "assistant", content: [{ type: "tool_use", id, name: "read_file", input }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: output }] },
  ]),
  openai: steps.flatMap(({ id, output }) => [
    {
      role: "assistant",
      content: null,
      tool_calls: [
        { id, type: "function", function: { name: "read_file", arguments: JSON.stringify(input) } },
      ],
    },
    { role: "tool", tool_call_id: id, content: output },
  ]),
  responses: steps.flatMap(({ id, output }) => [
    { type: "function_call", call_id: id, name: "read_file", arguments: JSON.stringify(input) },
    { type: "function_call_output", call_id: id, output },
  ]),
  gemini: steps.flatMap(({ id, output }) => [
    { role: "model", parts: [{ functionCall: { id, name: "read_file", args: input } }] },
    {
      role: "user",
      parts: [{ functionResponse: { id, name: "read_file", response: { output } } }],
    },
  ]),
  "ai-sdk": steps.flatMap(({ id, output }) => [
    {
      role: "assistant",
      content: [{ type: "tool-call", toolCallId: id, toolName: "read_file", input }],
    },
    {
      role: "tool",
      content: [
        {
          type: "tool-result",
          toolCallId: id,
          toolName: "read_file",
          output: { type: "text", value: output },
        },
      ],
    },
  ]),
};

const shaped = Object.entries(SHAPES).map(([shape, messages]) => {
  const asked =
    shape === "gemini"
      ? { role: "user", parts: [{ text: "Read it." }] }
      : { role: "user", content: "Read it." };
  const whole = [asked, ...messages];
  return { shape, whole, history: taken(file(`shape-${shape}.json`, JSON.stringify(whole))) };
});

describe("what is outdated is one figure", () => {
  before(async () => {
    const { sessions } = JSON.parse((await run(["audit", "--json", ...histories])).stdout);
    for (const session of sessions) audited.set(session.file, session);
    // What is no history is told on standard error.
    const { stdout } = await run(["repair", "--economy", "resume", "--json", ...histories]);
    for (const line of stdout.trimEnd().split("\n")) {
      const outcome = JSON.parse(line);
      repaired.set(outcome.file, outcome.tokensRemoved);
    }
  });

  test("a resumed task has 2,095 outdated tokens, in all places", async () => {
    const figures = await figuresOf(RESUMED);
    assert.deepEqual(new Set(Object.values(figures)), new Set([2_095]));
  });

  for (const name of readdirSync(SAVED)) {
    const history = taken(path.join(SAVED, name));
    test(`${name} has one figure`, async () => assertOne(await figuresOf(history), name));
  }

  for (const { name, text } of savedByAll(GROWING)) {
    const history = taken(file(name, text));
    test(`a file that is read three times has one figure in ${name}`, async () => {
      const figures = await figuresOf(history);
      assertOne(figures, name);
      assert.equal(figures.json > 0, SENT.test(name), JSON.stringify(figures));
    });
  }

  test("a file that is read three times is outdated twice, in every provider's shape", async () => {
    const found = {};
    for (const { shape, whole, history } of shaped) {
      const figures = await figuresOf(history);
      assertOne(figures, shape);
      assert.ok(figures.repair > 0, `${shape}: ${JSON.stringify(figures)}`);
      const { report } = turnkeeper.dedupeHistory(whole, { economy: "resume" });
      // The library goes by the length of texts alone.
      const share = report.tokensSaved / figures.json;
      assert.ok(share > 0.75 && share < 1.25, `${shape}: ${share} in the library`);
      found[shape] = figures.json;
    }
    assert.equal(new Set(Object.values(found)).size, 1, JSON.stringify(found));
  });
});

test("a copy of a file is as many tokens among what is outdated as among the results", async () => {
  const texts = {
    code: (n) =>
      `  if (items[${n}].price > limits.max_${n}) { return { ok: false, index: ${n} }; }`,
    prose: (n) => `The cart keeps item ${n} until the order is sent, and then the store is told.`,
    data: (n) => `{"id":${n},"sku":"A-${1000 + n}","stock":${n % 7},"tags":["new","sale"]},`,
  };
  for (const [what, line] of Object.entries(texts)) {
    const text = Array.from({ length: 60 }, (_, n) => line(n)).join("\n");
    const read = (id) => [
      {
        role: "assistant",
        content: [{ type: "tool_use", id, name: "read_file", input: { path: "a.ts" } }],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: text }] },
    ];
    const history = [{ role: "user", content: "Go." }, ...["1", "2", "3"].flatMap(read)];
    const { stdout } = await run([
      "audit",
      "--json",
      file(`copies-${what}.json`, JSON.stringify(history)),
    ]);
    const [{ tokens, saveable }] = JSON.parse(stdout).sessions;
    const { items, tokens: outdated } = saveable.outdated.kinds.file;
    assert.equal(items, 2);
    const share = outdated / 2 / (tokens.results / 3);
    assert.ok(share > 0.9 && share < 1.05, `${what}: ${share}`);
  }
});
