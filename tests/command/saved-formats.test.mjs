import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import { command } from "../node/installed-package.mjs";
import { file, json, replay } from "../node/replay-command.mjs";

const SAVED = fileURLToPath(new URL("../fixtures/saved", import.meta.url));
const expected = JSON.parse(readFileSync(`${SAVED}-events.json`, "utf8"));
const fixtures = readdirSync(SAVED);

/** An event on one line: where it was, its type, and what it says; or the prompt that starts. */
function shown({ line, event, prompt }) {
  if (prompt) return `${line} prompt_started ${prompt.promptId} ${prompt.model}`;
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

async function events(name) {
  const lines = await json([name]);
  assert.equal(lines.at(-1).summary.files[0].problem, undefined);
  return lines.slice(0, -1).map(shown);
}

describe("a session is read, whichever agent saved it", () => {
  test("each fixture has its events, and each events their fixture", () => {
    assert.deepEqual(fixtures.sort(), Object.keys(expected).sort());
  });
  for (const name of fixtures) {
    test(name, async () => {
      assert.deepEqual(await events(path.join(SAVED, name)), expected[name].events);
    });
    test(`${name}, from standard input and under another name`, async () => {
      const content = readFileSync(path.join(SAVED, name));
      const renamed = file(`renamed-${name.replaceAll(".", "-")}.txt`, content);
      assert.deepEqual(await events(renamed), expected[name].events);
      const { code, stderr } = await replay(["-q", "-"], { input: content });
      assert.deepEqual([code, stderr], [0, ""]);
    });
  }

  test("with Windows line ends and a byte-order mark", async () => {
    for (const name of ["cline-ui-messages.json", "codex-rollout.jsonl", "openai-responses.json"]) {
      const text = readFileSync(path.join(SAVED, name), "utf8").replaceAll("\n", "\r\n");
      const changed = file(`windows-${name}`, `\ufeff${text}`);
      assert.deepEqual(await events(changed), expected[name].events);
    }
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
    ["two commas", `[${message},,${message}]`, /wrong place at element 2/],
    ["two values", `[${message}]\n[${message}]`, /trailing content/],
    ["bad element", `[${message},{"role":user}]`, /is not JSON \(.*\) at element 2/],
    ["bad escape", `[${message},{"role":"\\x"}]`, /is not JSON \(.*\) at element 2/],
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
  for (const [what, content, reason] of bad) {
    test(what, async () => {
      const name = file(`bad-${what.replaceAll(" ", "-")}.json`, content);
      const { code, stderr } = await replay(["-q", name]);
      assert.equal(code, 2);
      assert.match(stderr, /^turnkeeper: [^\n]*\n$/);
      assert.match(stderr, reason);
    });
  }
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
      () =>
        JSON.stringify({
          type: "user",
          uuid: "u",
          message: { role: "user", content: [{ type: "tool_result", content: body }] },
        }),
      "\n",
      "\n",
    ],
  };
  for (const [what, [open, element, separator, close]] of Object.entries(kinds)) {
    test(`of 100 MB do not need 100 MB: ${what}`, async () => {
      const options = ["--max-old-space-size=64", command, "replay", "-q", "-"];
      const child = spawn(process.execPath, options);
      let output = "";
      child.stdout.on("data", (data) => (output += data));
      child.stderr.on("data", (data) => (output += data));
      const closed = new Promise((resolve) => child.on("close", resolve));
      const write = async (text) => {
        if (!child.stdin.write(text)) await new Promise((done) => child.stdin.once("drain", done));
      };
      child.stdin.on("error", () => {});
      await write(open);
      const text = element();
      for (let n = 0; n < 1_000; n += 1) await write(n > 0 ? separator + text : text);
      child.stdin.end(close);
      assert.equal(await closed, 0, output);
      assert.match(output, /1,000 events/);
    });
  }
});
