import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import { replayLarge } from "../node/large-input.mjs";
import { file, json, replay } from "../node/replay-command.mjs";

const SAVED = fileURLToPath(new URL("../../data/saved", import.meta.url));
const expected = JSON.parse(readFileSync(`${SAVED}-events.json`, "utf8"));
const fixtures = readdirSync(SAVED);

/** An event on one line: where it was, its type, and what it says; or the prompt that starts. */
function shown({ line, event, prompt }) {
  if (prompt) {
    const { promptId, model } = prompt;
    return [line, "prompt_started", promptId, model].filter((it) => it !== undefined).join(" ");
  }
  const { type, id, name, args, output, text, isError, exitCode } = event;
  const says = {
    tool_call: () => `${name} ${typeof args === "string" ? args : JSON.stringify(args)}`,
    tool_result: () =>
      `${isError ? "error " : ""}${exitCode === undefined ? "" : `exit ${exitCode} `}${output}`,
    text: () => text,
    reasoning: () => text,
  }[type];
  return [line, type, id && `#${id}`, says?.()].filter((part) => part !== undefined).join(" ");
}

/** What one run of the command reads in files: of each its events, or the problem with it. */
async function eventsOf(files) {
  const lines = await json(files);
  const read = new Map(files.map((file) => [file, []]));
  for (const line of lines.slice(0, -1)) read.get(line.file).push(shown(line));
  for (const { file, problem } of lines.at(-1).summary.files) {
    if (problem !== undefined) read.set(file, problem);
  }
  return read;
}

describe("a session is read, whichever agent saved it", () => {
  const contentOf = (name) => readFileSync(path.join(SAVED, name));
  const inPlace = (name) => path.join(SAVED, name);
  const renamed = (name) => file(`renamed-${name.replaceAll(".", "-")}.txt`, contentOf(name));
  let read;
  before(async () => {
    read = await eventsOf([...fixtures.map(inPlace), ...fixtures.map(renamed)]);
  });

  test("each fixture has its events, and each events their fixture", () => {
    assert.deepEqual(fixtures.sort(), Object.keys(expected).sort());
  });
  for (const name of fixtures) {
    test(`${name}, and under another name`, () => {
      assert.deepEqual(read.get(inPlace(name)), expected[name].events);
      assert.deepEqual(read.get(renamed(name)), expected[name].events);
    });
  }

  // Standard input is cut in other places than a file, which one of each kind of file shows.
  const kinds = new Map(
    fixtures.map((name) => [path.extname(name) + contentOf(name).toString("latin1", 0, 1), name]),
  );
  for (const name of kinds.values()) {
    test(`${name}, from standard input`, async () => {
      const lines = await json(["-"], { input: contentOf(name) });
      assert.deepEqual(lines.slice(0, -1).map(shown), expected[name].events);
      assert.equal(lines.at(-1).summary.exitCode, 0);
    });
  }

  test("with Windows line ends and a byte-order mark", async () => {
    const names = ["cline-ui-messages.json", "codex-rollout.jsonl", "openai-responses.json"];
    const files = names.map((name) => {
      const text = contentOf(name).toString("utf8").replaceAll("\n", "\r\n");
      return file(`windows-${name}`, `\ufeff${text}`);
    });
    const changed = await eventsOf(files);
    names.forEach((name, at) => assert.deepEqual(changed.get(files[at]), expected[name].events));
  });

  test("in the text of the model, calls are found where the agent would find them", async () => {
    const call = "<read_file>\n<path>a<b>.ts</path>\n</read_file>";
    const text = `See <read_file> and \`${call}\`.\n${call}\nThen <div>\n<write_to_file>\n<path>b.ts</path>\n<content>\n<path>x</path>\n`;
    const name = file("xml.json", JSON.stringify([{ role: "assistant", content: text }]));
    const calls = (await json([name])).filter(({ event }) => event?.type === "tool_call");
    assert.deepEqual(
      calls.map(({ event }) => [event.name, event.args]),
      [
        ["read_file", { path: "a<b>.ts" }],
        ["read_file", { path: "a<b>.ts" }],
        ["write_to_file", { path: "b.ts", content: "<path>x</path>" }],
      ],
    );
  });
});

describe("what is no session is named with the reason", () => {
  const message = '{"role":"user","content":"Hi."}';
  const bad = [
    ["empty array", "[]", /has no events/],
    ["numbers", "[1, 2]", /in no format that turnkeeper reads: element 2 is a number/],
    [
      "package.json",
      '{\n "name": "x",\n "files": ["dist"]\n}',
      /in no format that turnkeeper reads/,
    ],
    ["other lines", '{"level":"info","msg":"x"}\n', /line 1 is an object with "level","msg"/],
    ["unknown role", `[${message},{"role":"wizard","content":""}]`, /element 2: .*"wizard"/],
    ["no role", `[${message},{"content":""}]`, /element 2: it is no message/],
    ["breaks off in a string", `[${message},{"role":"assi`, /breaks off at element 2/],
    ["breaks off between", `[${message},`, /breaks off at element 1/],
    ["not closed", `[${message}`, /breaks off at element 1/],
    ["no comma", `[${message} ${message}]`, /wrong place at element 1/],
    ["two commas", `[${message},,${message}]`, /, is in the wrong place at element 1/],
    ["two values", `[${message}]\n[${message}]`, /each line is an array/],
    ["bad element", `[${message},{"role":user}]`, /element 2: it is not JSON \(.*`user}`\)/],
    ["bad escape", `[${message},{"role":"\\x"}]`, /element 2: it is not JSON \(.*`x"}`\)/],
    ["object breaks off", `{"messages":[${message}`, /breaks off at element 1 of "messages"/],
    ["not UTF-8", Buffer.from(`[{"role":"user","content":"\xe9"}]`, "latin1"), /not UTF-8/],
    [
      "call without a name",
      '[{"role":"assistant","content":[{"type":"tool_use"}]}]',
      /without a name/,
    ],
    ["prose", "# Notes\n\nNothing here.\n", /no format .*: it is no JSON/],
    ["zip", Buffer.from("PK\u0003\u0004\u0000\u0000", "latin1"), /is a binary file/],
    ["trajectory", '{"trajectory":[{"action":"ls","observation":1,"thought":""}]}', /no format/],
  ];
  const nameOf = (what) => `bad-${what.replaceAll(" ", "-")}.json`;
  let said;
  before(async () => {
    const { code, stderr } = await replay([
      "-q",
      ...bad.map(([what, content]) => file(nameOf(what), content)),
    ]);
    assert.equal(code, 2);
    said = stderr.trimEnd().split("\n");
    assert.equal(said.length, bad.length, stderr);
  });
  bad.forEach(([what, , reason], at) => {
    test(what, () => {
      assert.ok(said[at].startsWith("turnkeeper: "), said[at]);
      assert.ok(said[at].includes(nameOf(what)), said[at]);
      assert.match(said[at], reason);
    });
  });
});

describe("what is hostile", () => {
  const user = { role: "user", content: "Hi." };
  const message = (content, role = "assistant") => JSON.stringify([user, { role, content }]);
  const deep = "[".repeat(200_000) + "]".repeat(200_000);

  test("ends soon: tags and fences that never close", async () => {
    const texts = ["<read_file>\n", "<read_file>\n<path></path></read_file>\n", "```bash\nx", "<"];
    for (const [index, text] of texts.entries()) {
      const messages = message(text.repeat(100_000));
      const agent = `{"info":{"mini_version":"1"},"messages":${messages}}`;
      for (const content of [messages, agent]) {
        const { code, stderr } = await replay(["-q", file(`endless-${index}.json`, content)]);
        assert.ok(code < 2, stderr);
      }
    }
    const blocks = message("<environment_details>".repeat(100_000), "user");
    assert.equal((await replay(["-q", file("endless.json", blocks)])).code, 0);
  });

  test("is named: values that are nested without end", async () => {
    const contents = [
      `[${JSON.stringify(user)},{"role":"tool","content":{"a":${deep}}}]`,
      `[${JSON.stringify(user)},{"role":"assistant","content":[{"type":"tool_use","name":"x","input":${deep}}]}]`,
      `[${deep}`,
    ];
    for (const [index, content] of contents.entries()) {
      const { code, stderr } = await replay(["-q", file(`deep-${index}.json`, content)]);
      assert.equal(code, 2);
      assert.match(stderr, /^turnkeeper: [^\n]*\n$/);
    }
  });

  test("are names that objects have already", async () => {
    const call =
      '{"type":"tool_use","name":"__proto__","input":{"__proto__":{"x":1},"constructor":1}}';
    const name = file(
      "names.json",
      `[{"role":"assistant","__proto__":{"y":1},"content":[${call}]}]`,
    );
    const { stdout } = await replay(["--json", name]);
    assert.match(stdout, /"name":"__proto__","args":\{"__proto__":\{"x":1\},"constructor":1\}/);
  });
});

describe("large files", () => {
  const body = "x".repeat(100_000);
  const kinds = {
    "an array of messages": [
      "[",
      () => JSON.stringify({ role: "user", content: body }),
      ",\n",
      "]",
    ],
    "an object with messages": [
      '{"model":"m","messages":[',
      () => JSON.stringify({ role: "tool", tool_call_id: "1", content: body }),
      ",",
      "]}",
    ],
    "lines of Claude Code": [
      "",
      (n) =>
        JSON.stringify({
          type: "user",
          uuid: `u${n}`,
          message: { role: "user", content: [{ type: "tool_result", content: body }] },
        }),
      "\n",
      "\n",
    ],
  };
  for (const [what, [open, element, separator, close]] of Object.entries(kinds)) {
    test(`of 100 MB do not need 100 MB: ${what}`, async () => {
      function* pieces() {
        yield open;
        for (let n = 0; n < 1_000; n += 1) yield (n > 0 ? separator : "") + element(n);
        yield close;
      }
      assert.match(await replayLarge(pieces()), /1,000 events/);
    });
  }
});
