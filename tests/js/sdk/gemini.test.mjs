// The Gemini adapter behind the real client of `@google/genai`, in two majors of it.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { GoogleGenAI } from "@google/genai";
import { GoogleGenAI as GoogleGenAI3 } from "genai-3";

import { forever, serveProvider, sse } from "./provider-server.mjs";
import { adapterOf, assertCutsDoNotMatter, assertStopped, guarded, observed } from "./watching.mjs";

const { streamAdapter } = adapterOf("gemini");

const chunk = (parts, finishReason) =>
  sse({ candidates: [{ content: { role: "model", parts }, finishReason, index: 0 }] });
const call = (name, args) => ({ functionCall: { name, args } });

for (const [version, SDK] of Object.entries({ 2: GoogleGenAI, 3: GoogleGenAI3 })) {
  describe(`@google/genai ${version}`, () => stopsLoops(SDK));
}

function stopsLoops(SDK) {
  const open = (url, abort) => {
    const ai = new SDK({ apiKey: "none", httpOptions: { baseUrl: url } });
    return ai.models.generateContentStream({
      model: "gemini-3-pro-preview",
      contents: "Fix it.",
      config: { abortSignal: abort.signal },
    });
  };

  test("a call that comes again without end is stopped, and the request aborted", async () => {
    const body = forever(chunk([call("run_command", { command: "npm test" })]));
    const seen = await guarded(body, open, streamAdapter());
    assertStopped(seen, "consecutive_identical_tool_calls");
    assert.equal(seen.events.length, 9);
  });

  test("a sentence that comes again without end is stopped, and the request aborted", async () => {
    const body = forever(chunk([{ text: "I will try that " }]), chunk([{ text: "again. " }]));
    assertStopped(await guarded(body, open, streamAdapter()), "chanting_identical_sentences");
  });

  test("a preview model's fourth read_file does not reach the host", async () => {
    const paths = ["a.ts", "b.ts", "c.ts", "d.ts", "e.ts"];
    const body = forever(...paths.map((path) => chunk([call("read_file", { path })])));
    const seen = await guarded(body, open, streamAdapter(), { model: "gemini-3-pro-preview" });
    assertStopped(seen, "same_tool_different_arguments");
    const calls = seen.events.map((event) => event.functionCalls[0].args.path);
    assert.deepEqual(calls, ["a.ts", "b.ts", "c.ts"]);
  });

  test("however the bytes are cut, the same is observed", async () => {
    const body = [
      chunk([{ text: "思考 — I should look.", thought: true }]),
      chunk([{ text: "Let me look at 𝒳." }]),
      chunk([call("ls", { path: "日本" }), call("ls", { path: "b" })]),
      chunk([{ text: "" }], "STOP"),
    ];
    assert.deepEqual(await assertCutsDoNotMatter(body, open, streamAdapter), [
      { type: "turn_started" },
      { type: "reasoning", text: "思考 — I should look." },
      { type: "text", text: "Let me look at 𝒳." },
      { type: "tool_call", name: "ls", args: { path: "日本" } },
      { type: "tool_call", name: "ls", args: { path: "b" } },
      { type: "finished" },
    ]);
  });

  test("a connection that breaks in the middle is the client's error, as it is", async () => {
    function* broken() {
      yield chunk([{ text: "Let me" }]);
      throw new Error("gone");
    }
    const seen = await guarded(broken(), open, streamAdapter());
    assert.equal(seen.events.length, 1);
    assert.ok(seen.error instanceof Error);
    assert.equal(seen.aborted, false);
  });

  test("JSON that is broken off is the client's error, as it is", async () => {
    const seen = await guarded(
      [chunk([{ text: "Let me" }]), 'data: {"candidates": [{"content"\n\n'],
      open,
      streamAdapter(),
    );
    assert.equal(seen.events.length, 1);
    assert.ok(seen.error instanceof Error);
  });

  test("a host that aborts ends the stream without an error", async () => {
    let n = 0;
    function* counting() {
      for (;;) yield chunk([{ text: `Line ${n++}.\n` }]);
    }
    const seen = await guarded(counting(), open, streamAdapter(), {
      onEvent: (event, abort) => void abort.abort(),
    });
    assert.equal(seen.error, undefined);
    assert.equal(seen.events.length, 1);
    assert.equal(seen.ending, "aborted");
  });

  test("a stream without a loop comes through whole, and the request ends by itself", async () => {
    const body = [chunk([{ text: "Done." }]), chunk([{ text: " Really." }], "STOP")];
    const seen = await guarded(body, open, streamAdapter());
    assert.equal(seen.error, undefined);
    assert.equal(seen.events.map(({ text }) => text).join(""), "Done. Really.");
    assert.deepEqual([seen.ending, seen.aborted], ["finished", false]);

    const server = await serveProvider(() => body);
    const events = await observed(await open(server.url, new AbortController()), streamAdapter());
    await server.stop();
    assert.deepEqual(events.at(-1), { type: "finished" });
  });
}
