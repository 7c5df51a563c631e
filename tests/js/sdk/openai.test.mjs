// The OpenAI adapter behind the real client of `openai`, in two majors of it.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import OpenAI from "openai";
import OpenAI7 from "openai-7";

import { forever, sse } from "./provider-server.mjs";
import { adapterOf, assertCutsDoNotMatter, assertStopped, guarded } from "./watching.mjs";

const { streamAdapter } = adapterOf("openai");

const messages = [{ role: "user", content: "Fix it." }];
const client = (SDK, url) => new SDK({ apiKey: "none", baseURL: url, maxRetries: 0 });

const chunk = (delta, finish_reason = null) =>
  sse({
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    created: 1,
    model: "model-1",
    choices: [{ index: 0, delta, finish_reason }],
  });
const piece = (index, args, id, name) =>
  chunk({
    tool_calls: [
      { index, ...(id && { id, type: "function" }), function: { name, arguments: args } },
    ],
  });

/** Everything that a body of the Responses API needs; each event has a number. */
function responses() {
  let sequence_number = 0;
  const event = (type, fields) =>
    sse({ type, sequence_number: sequence_number++, ...fields }, type);
  const response = {
    id: "resp_1",
    object: "response",
    created_at: 1,
    model: "model-1",
    output: [],
    status: "in_progress",
  };
  const item = (n, args) => ({
    type: "function_call",
    id: `fc_${n}`,
    call_id: `c${n}`,
    name: "run_command",
    arguments: args,
    status: "completed",
  });
  return {
    event,
    start: () => event("response.created", { response }),
    end: () => event("response.completed", { response: { ...response, status: "completed" } }),
    message: () =>
      event("response.output_item.added", {
        output_index: 0,
        item: {
          type: "message",
          id: "msg_1",
          role: "assistant",
          content: [],
          status: "in_progress",
        },
      }) +
      event("response.content_part.added", {
        item_id: "msg_1",
        output_index: 0,
        content_index: 0,
        part: { type: "output_text", text: "", annotations: [] },
      }),
    text: (delta) =>
      event("response.output_text.delta", {
        item_id: "msg_1",
        output_index: 0,
        content_index: 0,
        delta,
        logprobs: [],
      }),
    call(n, pieces) {
      const at = { item_id: `fc_${n}`, output_index: n };
      const args = pieces.join("");
      return [
        event("response.output_item.added", { output_index: n, item: item(n, "") }),
        ...pieces.map((delta) => event("response.function_call_arguments.delta", { ...at, delta })),
        event("response.function_call_arguments.done", { ...at, arguments: args }),
        event("response.output_item.done", { output_index: n, item: item(n, args) }),
      ];
    },
  };
}

const bodies = {
  chat: {
    *calls(pieces) {
      yield chunk({ role: "assistant", content: null });
      for (let index = 0; ; index++) {
        yield piece(index, "", `c${index}`, "run_command");
        for (const part of pieces) yield piece(index, part);
      }
    },
    *sentences() {
      yield chunk({ role: "assistant", content: "" });
      yield* forever(chunk({ content: "I will try that " }), chunk({ content: "again. " }));
    },
    *counting() {
      for (let n = 0; ; n++) yield chunk({ content: `Line ${n}.\n` });
    },
    whole: () => [
      chunk({ role: "assistant", content: "" }),
      chunk({ content: "思考 — " }),
      chunk({ content: "look at 𝒳." }),
      piece(0, "", "c0", "run_command"),
      piece(0, '{"command": "日'),
      piece(0, '本"}'),
      piece(1, "{}", "c1", "run_command"),
      chunk({}, "tool_calls"),
      sse({ id: "chatcmpl-1", object: "chat.completion.chunk", choices: [], usage: {} }),
      sse("[DONE]"),
    ],
    fails: () => sse({ error: { message: "Overloaded", type: "server_error" } }),
  },
  responses: {
    *calls(pieces) {
      const { start, call } = responses();
      yield start();
      for (let n = 0; ; n++) yield* call(n, pieces);
    },
    *sentences() {
      const { start, message, text } = responses();
      yield start();
      yield message();
      for (;;) {
        yield text("I will try that ");
        yield text("again. ");
      }
    },
    *counting() {
      const { start, message, text } = responses();
      yield start();
      yield message();
      for (let n = 0; ; n++) yield text(`Line ${n}.\n`);
    },
    whole() {
      const { start, message, text, call, end } = responses();
      return [
        start(),
        message(),
        text("思考 — "),
        text("look at 𝒳."),
        ...call(0, ['{"command": "日', '本"}']),
        ...call(1, ["{}"]),
        end(),
      ];
    },
    fails: () => sse({ type: "error", code: "server_error", message: "Overloaded" }, "error"),
  },
};

const WAYS = {
  "chat.completions.create": [
    "chat",
    (SDK) =>
      (url, { signal }) =>
        client(SDK, url).chat.completions.create(
          { model: "model-1", messages, stream: true },
          { signal },
        ),
  ],
  "chat.completions.stream": [
    "chat",
    (SDK) =>
      (url, { signal }) =>
        client(SDK, url).chat.completions.stream({ model: "model-1", messages }, { signal }),
  ],
  "responses.create": [
    "responses",
    (SDK) =>
      (url, { signal }) =>
        client(SDK, url).responses.create(
          { model: "model-1", input: "Fix it.", stream: true },
          { signal },
        ),
  ],
};

const CLIENTS = { "openai 6": OpenAI, "openai 7": OpenAI7 };

for (const [version, SDK] of Object.entries(CLIENTS)) {
  for (const [name, [format, way]] of Object.entries(WAYS)) {
    const body = bodies[format];
    const open = way(SDK);

    describe(`${version}, ${name}`, () => {
      test("a call that comes again without end is stopped, and the request aborted", async () => {
        const pieces = ['{"command": ', '"npm test"}'];
        const seen = await guarded(body.calls(pieces), open, streamAdapter());
        assertStopped(seen, "consecutive_identical_tool_calls");
      });

      test("a sentence that comes again without end is stopped, and the request aborted", async () => {
        const seen = await guarded(body.sentences(), open, streamAdapter());
        assertStopped(seen, "chanting_identical_sentences");
      });

      test("however the bytes are cut, the same is observed", async () => {
        const call = (id, args) => ({ type: "tool_call", id, name: "run_command", args });
        assert.deepEqual(await assertCutsDoNotMatter(body.whole(), open, streamAdapter), [
          { type: "turn_started" },
          { type: "text", text: "思考 — look at 𝒳." },
          call("c0", '{"command": "日本"}'),
          call("c1", "{}"),
          { type: "finished" },
        ]);
      });

      test("an error in the middle comes as the client tells it", async () => {
        const broken = [...body.whole().slice(0, 2), body.fails(), ...body.whole().slice(2)];
        const seen = await guarded(broken, open, streamAdapter());
        // Version 6 hands an error event of the Responses API on instead of throwing it.
        const told = seen.events.find(({ type }) => type === "error");
        assert.equal(told !== undefined, SDK === OpenAI && format === "responses");
        assert.match(String(seen.error ?? told.message), /Overloaded/);
        assert.equal(seen.aborted, false);
      });

      test("JSON that is broken off is the client's error, as it is", async () => {
        const broken = [...body.whole().slice(0, 2), 'data: {"choices": [{"del\n\n'];
        const seen = await guarded(broken, open, streamAdapter());
        assert.ok(seen.error instanceof Error);
        assert.equal(seen.aborted, false);
      });

      test("a connection that breaks is the client's error, as it is", async () => {
        function* breaking() {
          yield* body.whole().slice(0, 5);
          throw new Error("gone");
        }
        const seen = await guarded(breaking(), open, streamAdapter());
        assert.ok(seen.error instanceof Error);
        assert.equal(seen.aborted, false);
      });

      test("a host that aborts ends the stream without an error", async () => {
        let count = 0;
        const seen = await guarded(body.counting(), open, streamAdapter(), {
          onEvent: (event, abort) => ++count === 5 && abort.abort(),
        });
        assert.equal(seen.error, undefined);
        assert.deepEqual([seen.events.length, seen.ending], [5, "aborted"]);
      });

      test("a stream without a loop comes through whole", async () => {
        const seen = await guarded(body.whole(), open, streamAdapter());
        assert.equal(seen.error, undefined);
        assert.deepEqual(seen.told, []);
        assert.deepEqual([seen.ending, seen.aborted], ["finished", false]);
      });
    });
  }
}

test("calls of a chat completion that are no JSON are compared at its end", async () => {
  const calls = Array.from({ length: 12 }, (_, n) => piece(n, '{"command', `c${n}`, "run_command"));
  const body = [...calls, chunk({}, "tool_calls"), sse("[DONE]")];
  const open = WAYS["chat.completions.create"][1](OpenAI);
  const { events, told, aborted } = await guarded(body, open, streamAdapter());
  assert.equal(told[0].report.type, "consecutive_identical_tool_calls");
  assert.equal(events.length, 12);
  assert.ok(aborted);
});

test("the stream's own controller is an abort of the guard's", async () => {
  let stream;
  const open = async (url, abort) => {
    const params = { model: "model-1", messages, stream: true };
    stream = await client(OpenAI, url).chat.completions.create(params);
    stream.controller.signal.addEventListener("abort", () => abort.abort());
    return stream;
  };
  const seen = await guarded(bodies.chat.calls(["{}"]), open, streamAdapter());
  assertStopped(seen, "consecutive_identical_tool_calls");
  assert.ok(stream.controller.signal.aborted);
});
