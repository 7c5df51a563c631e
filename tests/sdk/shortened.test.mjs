// Shortened histories, as the providers' own packages see them: their types compile them, and where a
// package has a validator, it accepts them. Each history is checked before it is shortened, too, so that
// what is accepted is not accepted whatever it is.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import { modelMessageSchema as ofSix } from "ai";
import { modelMessageSchema as ofFive } from "ai-5";
import { modelMessageSchema as ofSeven } from "ai-7";

import { load, turnkeeper } from "../node/installed-package.mjs";

const { dedupeHistory } = turnkeeper;
const here = fileURLToPath(new URL(".", import.meta.url));
const project = mkdtempSync(path.join(tmpdir(), "turnkeeper-shortened-"));
after(() => rmSync(project, { recursive: true, force: true }));
symlinkSync(path.join(here, "node_modules"), path.join(project, "node_modules"), "dir");
mkdirSync(path.join(project, "types"));
writeFileSync(path.join(project, "package.json"), '{ "private": true, "type": "module" }\n');

const FILE = "export const answer = 42;\n".repeat(30);
const env = (n) => `<environment_details>\n# Current Time\n${n}\n</environment_details>`;
const READS = [1, 2, 3].map((n) => ({ id: `call_${n}`, content: `${FILE}// ${n}\n` }));
const same = (messages) => messages;

/** Of each provider a history with reads, writes, environment and results that come again. */
const PROVIDERS = {
  anthropic: {
    adapter: { fromMessages: same, toMessages: same },
    type: 'import type Anthropic from "@anthropic-ai/sdk";\ntype Message = Anthropic.MessageParam;',
    history: READS.flatMap(({ id, content }, n) => [
      {
        role: "user",
        content: [
          { type: "text", text: "Go on." },
          { type: "text", text: env(n) },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "text", text: "I look." },
          { type: "tool_use", id, name: "read_file", input: { path: "a.ts" } },
          { type: "tool_use", id: `w${n}`, name: "write_file", input: { path: "b.ts", content } },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: id, content },
          { type: "tool_result", tool_use_id: `w${n}`, content: [{ type: "text", text: "saved" }] },
        ],
      },
    ]),
  },
  openai: {
    adapter: load("turnkeeper/adapters/openai"),
    type: 'import type OpenAI from "openai";\ntype Message = OpenAI.Chat.Completions.ChatCompletionMessageParam;',
    history: READS.flatMap(({ id, content }, n) => [
      { role: "user", content: `Go on.\n\n${env(n)}` },
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { id, type: "function", function: { name: "read_file", arguments: '{"path":"a.ts"}' } },
        ],
      },
      { role: "tool", tool_call_id: id, content },
    ]),
  },
  "openai-responses": {
    adapter: load("turnkeeper/adapters/openai"),
    type: 'import type OpenAI from "openai";\ntype Message = OpenAI.Responses.ResponseInputItem;',
    history: READS.flatMap(({ id, content }, n) => [
      {
        role: "user",
        content: [
          { type: "input_text", text: "Go on." },
          { type: "input_text", text: env(n) },
        ],
      },
      { type: "function_call", call_id: id, name: "read_file", arguments: '{"path":"a.ts"}' },
      { type: "function_call_output", call_id: id, output: content },
    ]),
    // Items of calls pass through as they are.
    kinds: ["environment"],
  },
  gemini: {
    adapter: load("turnkeeper/adapters/gemini"),
    type: 'import type { Content as Message } from "@google/genai";',
    history: READS.flatMap(({ id, content }, n) => [
      { role: "user", parts: [{ text: "Go on." }, { text: env(n) }] },
      {
        role: "model",
        parts: [{ functionCall: { id, name: "read_file", args: { path: "a.ts" } } }],
      },
      {
        role: "user",
        parts: [{ functionResponse: { id, name: "read_file", response: { output: content } } }],
      },
    ]),
  },
  "ai-sdk": {
    adapter: load("turnkeeper/adapters/ai-sdk"),
    type: 'import type { ModelMessage as Message } from "ai";',
    history: READS.flatMap(({ id, content }, n) => [
      {
        role: "user",
        content: [
          { type: "text", text: "Go on." },
          { type: "text", text: env(n) },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "tool-call", toolCallId: id, toolName: "read_file", input: { path: "a.ts" } },
        ],
      },
      {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: id,
            toolName: "read_file",
            output: { type: "text", value: content },
          },
        ],
      },
    ]),
  },
};

for (const [name, { adapter, history, type, kinds = ["environment", "file"] }] of Object.entries(
  PROVIDERS,
)) {
  describe(name, () => {
    const shortened = ["resume", "compact"].map((economy) => {
      const { messages, report } = dedupeHistory(adapter.fromMessages(history), { economy });
      for (const kind of kinds) assert.ok(report.kinds[kind].items > 0, kind);
      return adapter.toMessages(messages);
    });

    test("the types of its package take it", () => {
      const lists = [history, ...shortened].map(
        (messages, n) => `export const list${n}: Message[] = ${JSON.stringify(messages)};`,
      );
      const file = path.join(project, "types", `${name}.ts`);
      const compile = (text) => {
        writeFileSync(file, text);
        const tsc = path.join(here, "../node_modules/typescript-6/bin/tsc");
        const compilerOptions = {
          target: "es2022",
          lib: ["es2022", "dom", "dom.iterable", "dom.asynciterable"],
          module: "nodenext",
          types: [],
          strict: true,
          noEmit: true,
          // The clients' declarations need Node's, and have mistakes of their own.
          skipLibCheck: true,
        };
        const tsconfig = path.join(project, `tsconfig.${name}.json`);
        writeFileSync(tsconfig, JSON.stringify({ compilerOptions, files: [`types/${name}.ts`] }));
        return spawnSync(process.execPath, [tsc, "-p", tsconfig], { encoding: "utf8" });
      };
      const { status, stdout } = compile([type, ...lists].join("\n"));
      assert.equal(status, 0, stdout);
      // Types that take anything would say nothing.
      const wrong = compile(
        [type, 'export const list: Message[] = [{ role: "user", content: 7, parts: 7 }];'].join(
          "\n",
        ),
      );
      assert.notEqual(wrong.status, 0);
    });
  });
}

for (const [version, schema] of Object.entries({ 5: ofFive, 6: ofSix, 7: ofSeven })) {
  test(`the schema of ai ${version} accepts what was shortened`, () => {
    const { adapter, history } = PROVIDERS["ai-sdk"];
    const { messages } = dedupeHistory(adapter.fromMessages(history), { economy: "compact" });
    for (const message of [...history, ...adapter.toMessages(messages)]) {
      const { success, error } = schema.safeParse(message);
      assert.ok(success, `${error}`);
    }
    assert.equal(schema.safeParse({ role: "tool", content: "x" }).success, false);
  });
}
