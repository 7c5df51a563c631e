// Of each provider a history with reads, writes and environment, its adapter, and the type of its messages.

import { load } from "../node/installed-package.mjs";

const FILE = "export const answer = 42;\n".repeat(30);
const env = (n) => `<environment_details>\n# Current Time\n${n}\n</environment_details>`;
const READS = [1, 2, 3].map((n) => ({
  id: `call_${n}`,
  content: `${FILE}${"// one more\n".repeat(n)}`,
}));
const same = (messages) => messages;

/** Of each provider a history with reads, writes, environment and results that come again. */
export const PROVIDERS = {
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
