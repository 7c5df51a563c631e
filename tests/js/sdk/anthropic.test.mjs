// The Anthropic adapter behind the real client of `@anthropic-ai/sdk`.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import Anthropic from "@anthropic-ai/sdk";

import { forever, sse } from "./provider-server.mjs";
import { adapterOf, assertCutsDoNotMatter, assertStopped, guarded } from "./watching.mjs";

const { streamAdapter } = adapterOf("anthropic");

const event = (data) => sse(data, data.type);
const messageStart = event({
  type: "message_start",
  message: {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "model-1",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  },
});
const blockStart = (content_block, index) =>
  event({ type: "content_block_start", index, content_block });
const delta = (delta, index) => event({ type: "content_block_delta", index, delta });
const blockStop = (index) => event({ type: "content_block_stop", index });
const json = (partial_json, index) => delta({ type: "input_json_delta", partial_json }, index);
const text = (text, index = 0) => delta({ type: "text_delta", text }, index);
const messageEnd = [
  event({
    type: "message_delta",
    delta: { stop_reason: "tool_use", stop_sequence: null },
    usage: { output_tokens: 9 },
  }),
  event({ type: "message_stop" }),
];

/** Calls without end, each a block of its own whose arguments come in pieces. */
function* calls(pieces) {
  yield messageStart;
  for (let index = 0; ; index++) {
    yield blockStart({ type: "tool_use", id: `c${index}`, name: "run_command", input: {} }, index);
    for (const piece of pieces) yield json(piece, index);
    yield blockStop(index);
  }
}

function* sentences() {
  yield messageStart;
  yield blockStart({ type: "text", text: "" }, 0);
  yield* forever(text("I will try that "), text("again. "));
}

const params = {
  model: "model-1",
  max_tokens: 100,
  messages: [{ role: "user", content: "Fix it." }],
};
const client = (url) => new Anthropic({ apiKey: "none", baseURL: url, maxRetries: 0 });

const WAYS = {
  "messages.create": (url, { signal }) =>
    client(url).messages.create({ ...params, stream: true }, { signal }),
  "messages.stream": (url, { signal }) => client(url).messages.stream(params, { signal }),
  "beta.messages.create": (url, { signal }) =>
    client(url).beta.messages.create({ ...params, stream: true }, { signal }),
};

for (const [name, open] of Object.entries(WAYS)) {
  describe(name, () => {
    test("a call that comes again without end is stopped, and the request aborted", async () => {
      const seen = await guarded(calls(['{"command": ', '"npm test"}']), open, streamAdapter());
      assertStopped(seen, "consecutive_identical_tool_calls");
      const stops = seen.events.filter(({ type }) => type === "content_block_stop");
      assert.equal(stops.length, 9, "the tenth call never becomes complete for the host");
    });

    test("arguments that are no JSON are compared, too", async () => {
      const seen = await guarded(calls(['{"command": "np']), open, streamAdapter());
      assertStopped(seen, "consecutive_identical_tool_calls");
    });

    test("a sentence that comes again without end is stopped, and the request aborted", async () => {
      const seen = await guarded(sentences(), open, streamAdapter());
      assertStopped(seen, "chanting_identical_sentences");
    });

    test("however the bytes are cut, the same is observed", async () => {
      const body = [
        messageStart,
        event({ type: "ping" }),
        blockStart({ type: "thinking", thinking: "", signature: "" }, 0),
        delta({ type: "thinking_delta", thinking: "思考 — look." }, 0),
        delta({ type: "signature_delta", signature: "c2ln" }, 0),
        blockStop(0),
        blockStart({ type: "text", text: "" }, 1),
        text("Let me look", 1),
        text(" at 𝒳.", 1),
        blockStop(1),
        blockStart({ type: "tool_use", id: "c1", name: "ls", input: {} }, 2),
        json("", 2),
        json('{"path": "日', 2),
        json('本"}', 2),
        blockStop(2),
        ...messageEnd,
      ];
      assert.deepEqual(await assertCutsDoNotMatter(body, open, streamAdapter), [
        { type: "turn_started" },
        { type: "reasoning", text: "思考 — look." },
        { type: "text", text: "Let me look at 𝒳." },
        { type: "tool_call", id: "c1", name: "ls", args: '{"path": "日本"}' },
        { type: "finished" },
      ]);
    });

    test("an error in the middle is the client's, as it is", async () => {
      const error = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
      const body = [
        messageStart,
        blockStart({ type: "text", text: "" }, 0),
        text("Le"),
        event(error),
      ];
      const seen = await guarded(body, open, streamAdapter());
      assert.ok(seen.error instanceof Anthropic.APIError, String(seen.error));
      assert.match(seen.error.message, /Overloaded/);
      assert.equal(seen.events.length, 3);
      assert.equal(seen.aborted, false);
    });

    test("a connection that breaks is the client's error, as it is", async () => {
      function* broken() {
        yield messageStart;
        yield blockStart({ type: "tool_use", id: "c1", name: "ls", input: {} }, 0);
        yield json('{"pa', 0);
        throw new Error("gone");
      }
      const seen = await guarded(broken(), open, streamAdapter());
      assert.ok(seen.error instanceof Error);
      assert.equal(seen.aborted, false);
    });

    test("a host that aborts ends the stream without an error", async () => {
      function* counting() {
        yield messageStart;
        yield blockStart({ type: "text", text: "" }, 0);
        for (let n = 0; ; n++) yield text(`Line ${n}.\n`);
      }
      const seen = await guarded(counting(), open, streamAdapter(), {
        onEvent: (event, abort) => event.type === "content_block_delta" && abort.abort(),
      });
      assert.equal(seen.error, undefined);
      assert.equal(seen.events.at(-1).type, "content_block_delta");
      assert.equal(seen.ending, "aborted");
    });

    test("a stream without a loop comes through whole", async () => {
      const body = [
        messageStart,
        blockStart({ type: "text", text: "" }, 0),
        text("Done."),
        blockStop(0),
      ];
      const seen = await guarded([...body, ...messageEnd], open, streamAdapter());
      assert.equal(seen.error, undefined);
      assert.deepEqual(
        seen.events.map(({ type }) => type),
        [
          "message_start",
          "content_block_start",
          "content_block_delta",
          "content_block_stop",
          "message_delta",
          "message_stop",
        ],
      );
      assert.deepEqual([seen.ending, seen.aborted], ["finished", false]);
    });
  });
}

test("the stream's own controller is an abort of the guard's", async () => {
  let stream;
  const open = async (url, abort) => {
    stream = await client(url).messages.create({ ...params, stream: true });
    stream.controller.signal.addEventListener("abort", () => abort.abort());
    return stream;
  };
  assertStopped(
    await guarded(calls(["{}"]), open, streamAdapter()),
    "consecutive_identical_tool_calls",
  );
  assert.ok(stream.controller.signal.aborted);
});
