// An agent on the AI SDK. Its model is scripted, and gets stuck: it waits for a file that never
// changes. At the third read the model is told so, at the fifth it is stopped.
//
// To run it in a clone: `cargo xtask demo` packs the package, which is not published yet; then, in this
// folder, `npm install --no-save ../../target/pack/turnkeeper.tgz` and `npm start`.

import { jsonSchema, stepCountIs, streamText, tool, wrapLanguageModel } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { LoopDetector } from "turnkeeper";
import { hasLooped, loopMiddleware } from "turnkeeper/adapters/ai-sdk";

let reads = 0;
const tools = {
  read_file: tool({
    description: "The content of a file.",
    inputSchema: jsonSchema({ type: "object", properties: { path: { type: "string" } } }),
    execute: () => (reads++, "building\n"),
  }),
};

const detector = new LoopDetector();
const userPrompt = "Tell me when it is built.";
detector.startPrompt("prompt-1", { userPrompt }); // for each message of the user
// It tells the model, too: with the next request, after the results that the hint is about.
const middleware = loopMiddleware(detector, {
  onLoopDetected: ({ verdict: { action, report } }) => console.log(`${action}: ${report.message}`),
});
const result = streamText({
  // With a real one: model: openai("…").
  model: wrapLanguageModel({ model: stuckModel(), middleware }),
  prompt: "Tell me when status.txt says that the build is done.",
  tools,
  stopWhen: [stepCountIs(100), hasLooped(detector)],
});
for await (const part of result.fullStream) {
  if (part.type === "tool-call") console.log(`${part.toolName} ${JSON.stringify(part.input)}`);
}
console.log(`the file was read ${reads} times`);

/** It reads one file, over and over, whatever it is told. */
function stuckModel() {
  let calls = 0;
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  return new MockLanguageModelV3({
    doStream: async ({ prompt }) => {
      const { role, content } = prompt.at(-1);
      if (role === "user" && calls > 0) console.log(`the model reads: ${content[0].text}`);
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
