// A guard with the adapter of another provider understands nothing, so no verdict comes: the detector says so.

import assert from "node:assert/strict";
import { test } from "node:test";

import { load, turnkeeper } from "./installed-package.mjs";
import { collect, watched } from "./streams.mjs";

const { LoopDetector } = turnkeeper;

const ADAPTERS = ["anthropic", "openai", "gemini", "ai-sdk", "vscode"];
/** Streams with one call each, by format, and whose adapter reads them. */
const STREAMS = {
  "Anthropic's messages": {
    of: "anthropic",
    events: [
      { type: "message_start", message: {} },
      { type: "ping" },
      {
        type: "content_block_start",
        index: 0,
        content_block: { type: "tool_use", id: "1", name: "ls", input: {} },
      },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "tool_use" } },
      { type: "message_stop" },
    ],
  },
  "OpenAI's chat": {
    of: "openai",
    events: [
      {
        id: "c",
        object: "chat.completion.chunk",
        choices: [
          {
            index: 0,
            delta: {
              tool_calls: [{ index: 0, id: "1", function: { name: "ls", arguments: "{}" } }],
            },
          },
        ],
      },
      {
        id: "c",
        object: "chat.completion.chunk",
        choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }],
      },
    ],
  },
  "OpenAI's responses": {
    of: "openai",
    events: [
      { type: "response.created", response: { id: "r" } },
      { type: "response.output_text.delta", delta: "Let me look." },
      { type: "response.completed", response: { id: "r" } },
    ],
  },
  "Gemini's chunks": {
    of: "gemini",
    events: [
      {
        candidates: [
          {
            content: { parts: [{ functionCall: { name: "ls", args: {} } }] },
            finishReason: "STOP",
          },
        ],
      },
    ],
  },
  "gemini-cli's events": {
    of: "gemini",
    events: [
      { type: "content", value: "Let me look." },
      { type: "tool_call_request", value: { callId: "1", name: "ls", args: {} } },
      { type: "finished", value: "STOP" },
    ],
  },
  "the AI SDK's parts": {
    of: "ai-sdk",
    events: [
      { type: "start" },
      { type: "start-step" },
      { type: "text-delta", id: "1", text: "Let me look." },
      { type: "tool-call", toolCallId: "1", toolName: "ls", input: {} },
      { type: "finish" },
    ],
  },
  "VS Code's parts": {
    of: "vscode",
    events: [{ value: "Let me look." }, { callId: "1", name: "ls", input: {} }],
  },
};

/** Reads a stream of a prompt that has begun. */
async function read(detector, name, events) {
  if (detector.prompt.id === undefined) detector.startPrompt("p1", { userPrompt: "Look." });
  async function* stream() {
    yield* events;
  }
  const { streamAdapter } = load(`turnkeeper/adapters/${name}`);
  const guarded = watched(stream(), detector, { adapter: streamAdapter() });
  assert.deepEqual(await collect(guarded), events);
}

for (const [format, { of, events }] of Object.entries(STREAMS)) {
  for (const name of ADAPTERS) {
    const lacks = name === of ? [] : ["events"];
    test(`${format} through the adapter ${name}: ${lacks[0] ?? "nothing"} is missing`, async () => {
      const detector = new LoopDetector();
      await read(detector, name, events);
      assert.deepEqual(detector.blind, lacks);
    });
  }
}

test("the right adapter ends the lack, and so it does of a detector of another entry", async () => {
  for (const Detector of [LoopDetector, load("turnkeeper/loop-detector").LoopDetector]) {
    const detector = new Detector();
    await read(detector, "anthropic", STREAMS["Gemini's chunks"].events);
    assert.deepEqual(detector.blind, ["events"]);
    await read(detector, "gemini", STREAMS["Gemini's chunks"].events);
    assert.deepEqual(detector.blind, []);
  }
});

test("an empty stream, one of errors, one of files and one that was left early tell nothing of the adapter", async () => {
  const detector = new LoopDetector();
  await read(detector, "openai", []);
  await read(detector, "anthropic", [{ type: "error", error: { type: "overloaded_error" } }]);
  await read(detector, "vscode", [{ data: new Uint8Array(1), mimeType: "image/png" }]);
  await read(detector, "gemini", [{ usageMetadata: { totalTokenCount: 1 } }]);
  async function* foreign() {
    for (;;) yield { type: "message_start" };
  }
  const { streamAdapter } = load("turnkeeper/adapters/gemini");
  for await (const _ of watched(foreign(), detector, { adapter: streamAdapter() })) break;
  assert.deepEqual(detector.blind, []);
});
