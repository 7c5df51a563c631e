// An agent on Anthropic's SDK. Its model is scripted, and gets stuck: it waits for a file that never
// changes. At the third read the model is told so, at the fifth the turn ends.
//
// To run it in a clone: `cargo xtask demo` packs the package, which is not published yet; then, in this
// folder, `npm install --no-save ../../target/pack/turnkeeper.tgz` and `npm start`.

import Anthropic from "@anthropic-ai/sdk";
import { LoopDetector, dedupeHistory, guardStream, withEnvironment } from "turnkeeper";
import { streamAdapter } from "turnkeeper/adapters/anthropic";

const files = { "status.txt": "building\n" };
const readFile = ({ path }) => files[path] ?? `There is no ${path}.`;
const tools = [
  {
    name: "read_file",
    description: "The content of a file.",
    input_schema: { type: "object", properties: { path: { type: "string" } } },
  },
];

// With a real one: new Anthropic().
const client = new Anthropic({ apiKey: "none", fetch: stuckModel });
const detector = new LoopDetector();
const history = [];

await turn("prompt-1", "Tell me when status.txt says that the build is done.");

async function turn(promptId, prompt) {
  detector.startPrompt(promptId, { userPrompt: prompt });
  history.push({ role: "user", content: [{ type: "text", text: prompt }] });
  while (!detector.stopped) {
    const newest = history.at(-1);
    newest.content = withEnvironment(newest.content, `Time: ${new Date().toISOString()}`);
    const stream = client.messages.stream({
      model: "claude-sonnet-5",
      max_tokens: 1000,
      tools,
      messages: dedupeHistory(history, { files: "newest", cache: { idleMs: 0 } }).messages,
    });
    const guarded = guardStream(stream, detector, {
      adapter: streamAdapter(),
      abort: stream.controller,
      onLoopDetected: ({ verdict: { action, report } }) =>
        console.log(`${action}: ${report.message}`),
    });
    for await (const event of guarded) void event; // Show the text here.
    if (stream.controller.signal.aborted) return; // stopped in the middle of an answer
    const { content } = await stream.finalMessage();
    history.push({ role: "assistant", content });
    const calls = content.filter(({ type }) => type === "tool_use");
    if (calls.length === 0) return;
    const results = calls.map(({ id, input }) => {
      const output = readFile(input);
      guarded.result({ id, output });
      return { type: "tool_result", tool_use_id: id, content: output };
    });
    const hints = detector.takeFeedback().map((text) => ({ type: "text", text }));
    history.push({ role: "user", content: [...results, ...hints] });
  }
}

/** It reads one file, over and over, whatever it is told. */
async function stuckModel(_url, { body }) {
  const { messages } = JSON.parse(body);
  const last = messages.at(-1).content;
  const hint = last.find(({ type, text }) => type === "text" && text.startsWith("You seem"));
  if (hint) console.log(`the model reads: ${hint.text}`);
  console.log("read_file status.txt");
  const usage = { input_tokens: 1, output_tokens: 1 };
  const id = `toolu_${messages.length}`;
  const block = { type: "tool_use", id, name: "read_file", input: {} };
  const json = { type: "input_json_delta", partial_json: '{"path":"status.txt"}' };
  const message = { id: "msg", type: "message", role: "assistant", content: [], model: "m", usage };
  const events = [
    { type: "message_start", message },
    { type: "content_block_start", index: 0, content_block: block },
    { type: "content_block_delta", index: 0, delta: json },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "tool_use" }, usage },
    { type: "message_stop" },
  ];
  const lines = events.map((it) => `event: ${it.type}\ndata: ${JSON.stringify(it)}\n\n`);
  return new Response(lines.join(""), { headers: { "content-type": "text/event-stream" } });
}
