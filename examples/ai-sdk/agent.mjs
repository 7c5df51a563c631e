// An agent on the AI SDK that is kept on course. Its model is scripted, and gets stuck: it waits for
// a file that never changes.

import { jsonSchema, stepCountIs, streamText, tool, wrapLanguageModel } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { AgentSession } from "turnkeeper";
import { hasLooped, loopMiddleware } from "turnkeeper/adapters/ai-sdk";

const session = new AgentSession({
  assembler: { root: "/project" },
  terminals: { platform: "posix" },
  // It tells at the third equal call with the same answer, and stops at the fifth.
  loop: { profile: "adaptive" },
});
const files = { "status.txt": "building\n" };
let reads = 0;

const tools = {
  read_file: tool({
    description: "The content of a file.",
    inputSchema: jsonSchema({ type: "object", properties: { path: { type: "string" } } }),
    execute: async ({ path }) => (reads++, files[path] ?? `There is no ${path}.`),
  }),
};

session.beginTurn({ prompt: "Tell me when @[status.txt] says that all is done." });
const host = { readFile: async ({ path }) => files[path] ?? { missing: true } };
const { content } = await session.assemble(host, { environment: "It is 12:00." });
const { systemPrompt } = session.buildPrompt("action", {
  capability: "You can read files.",
  direction: "Work in small steps.",
  workspace: "/project",
});

const onLoopDetected = ({ verdict }) => console.log(`${verdict.action}: ${verdict.report.message}`);
const { loop } = session;
const result = streamText({
  // With a real one: model: openai("…")
  model: wrapLanguageModel({
    model: stuckModel(),
    middleware: loopMiddleware(loop, { onLoopDetected }),
  }),
  system: systemPrompt,
  messages: [{ role: "user", content }],
  tools,
  stopWhen: [stepCountIs(100), hasLooped(loop)],
});
for await (const part of result.fullStream) {
  if (part.type === "tool-call") console.log(`${part.toolName} ${JSON.stringify(part.input)}`);
}
console.log(`the file was read ${reads} times`);
session.endTurn({ summary: "status.txt did not change." });
session.dispose();

/** It says one thing, over and over. */
function stuckModel() {
  let calls = 0;
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  return new MockLanguageModelV3({
    doStream: async () => {
      const call = {
        type: "tool-call",
        toolCallId: `call-${calls++}`,
        toolName: "read_file",
        input: '{"path":"status.txt"}',
      };
      const reason = { unified: "tool-calls", raw: "tool_calls" };
      const end = { type: "finish", finishReason: reason, usage };
      return { stream: ReadableStream.from([{ type: "stream-start", warnings: [] }, call, end]) };
    },
  });
}
