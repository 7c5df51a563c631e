// The wire formats of providers: what an answer looks like in each, and the rules by which a request is refused. The rules
// are the providers' own: a history that breaks one is answered by their servers with status 400.

import assert from "node:assert/strict";

import { sse } from "../provider-server.mjs";

const schema = { type: "object", properties: { path: { type: "string" } } };

/** Pieces of a text without end; the reader must end it. */
function* endlessly(make) {
  for (let n = 1; ; n++) yield make(n);
}

const textsOf = ({ text, endless, refusal }) =>
  endless ? endlessly(endless) : text ? [text] : refusal ? [] : [];

/** Each run of results answers the calls before it, all of them, and nothing else does. */
function assertAnswered(steps) {
  let open = [];
  for (const { calls = [], results = [] } of steps) {
    assert.deepEqual(
      [...results].sort(),
      [...open].sort(),
      "the results are those of the calls before",
    );
    open = calls;
  }
  assert.deepEqual(open, [], "every call has its result");
}

export const anthropic = {
  tools: (names) => names.map((name) => ({ name, input_schema: schema })),
  check({ messages }) {
    assert.equal(messages[0].role, "user");
    const steps = messages.map(({ role, content }) => {
      assert.ok(content.length > 0, "a message has content");
      const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
      for (const block of blocks)
        if (block.type === "text") assert.ok(block.text.trim(), "a text has text");
      const results = blocks.filter(({ type }) => type === "tool_result");
      assert.deepEqual(blocks.slice(0, results.length), results, "results come first");
      if (role === "assistant") assert.equal(results.length, 0);
      const calls = blocks.filter(({ type }) => type === "tool_use").map(({ id }) => id);
      return { calls, results: results.map(({ tool_use_id }) => tool_use_id) };
    });
    assertAnswered(steps);
  },
  *answer(said) {
    const event = (data) => sse(data, data.type);
    const usage = { input_tokens: 1, output_tokens: 1 };
    const message = { id: "m", type: "message", role: "assistant", model: "m", content: [], usage };
    yield event({ type: "message_start", message });
    let index = 0;
    const block = function* (content_block, deltas) {
      yield event({ type: "content_block_start", index, content_block });
      for (const delta of deltas) yield event({ type: "content_block_delta", index, delta });
      yield event({ type: "content_block_stop", index: index++ });
    };
    const texts = textsOf(said);
    if (said.text || said.endless) {
      const deltas = (function* () {
        for (const text of texts) yield { type: "text_delta", text };
      })();
      yield* block({ type: "text", text: "" }, deltas);
    }
    for (const { id, name, args } of said.calls ?? []) {
      const delta = { type: "input_json_delta", partial_json: JSON.stringify(args) };
      yield* block({ type: "tool_use", id, name, input: {} }, [delta]);
    }
    const stop_reason = said.refusal ? "refusal" : said.calls ? "tool_use" : "end_turn";
    yield event({ type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage });
    yield event({ type: "message_stop" });
  },
};

export const openai = {
  tools: (names) =>
    names.map((name) => ({ type: "function", function: { name, parameters: schema } })),
  check({ messages }) {
    let waiting = [];
    for (const { role, content, tool_calls, tool_call_id, ...others } of messages) {
      assert.deepEqual(Object.keys(others), [], "no field that the API does not have");
      if (role === "tool") {
        assert.ok(waiting.includes(tool_call_id), "a result answers a call before it");
        waiting = waiting.filter((id) => id !== tool_call_id);
        continue;
      }
      assert.deepEqual(waiting, [], "every call has its result before anything else comes");
      if (role === "assistant" && tool_calls) waiting = tool_calls.map(({ id }) => id);
      else assert.ok(content?.length > 0, "a message has content");
    }
    assert.deepEqual(waiting, []);
  },
  *answer(said) {
    const chunk = (delta, finish_reason = null) =>
      sse({
        id: "chatcmpl-1",
        object: "chat.completion.chunk",
        created: 1,
        model: "model-1",
        choices: [{ index: 0, delta, finish_reason }],
      });
    yield chunk({ role: "assistant" });
    for (const content of textsOf(said)) yield chunk({ content });
    if (said.refusal) yield chunk({ refusal: said.refusal });
    for (const [index, { id, name, args }] of (said.calls ?? []).entries()) {
      const made = { name, arguments: JSON.stringify(args) };
      yield chunk({ tool_calls: [{ index, id, type: "function", function: made }] });
    }
    yield chunk({}, said.calls ? "tool_calls" : "stop");
    yield sse("[DONE]");
  },
};

export const gemini = {
  tools: (names) => [
    { functionDeclarations: names.map((name) => ({ name, parametersJsonSchema: schema })) },
  ],
  check({ contents }) {
    assert.equal(contents[0].role, "user");
    const steps = contents.map(({ role, parts }) => {
      assert.ok(parts?.length > 0, "a content has parts");
      for (const part of parts) assert.notEqual(part.text, "", "a text has text");
      const calls = parts.filter((part) => part.functionCall).map((part) => part.functionCall.id);
      const results = parts.filter((part) => part.functionResponse);
      if (calls.length > 0) assert.equal(role, "model");
      if (results.length > 0) assert.equal(results.length, parts.length, "results stand alone");
      return { calls, results: results.map((part) => part.functionResponse.id) };
    });
    assertAnswered(steps);
  },
  *answer(said) {
    const chunk = (parts, finishReason) =>
      `data: ${JSON.stringify({ candidates: [{ content: { role: "model", parts }, ...(finishReason && { finishReason }) }] })}\r\n\r\n`;
    for (const text of textsOf(said)) yield chunk([{ text }]);
    const calls = (said.calls ?? []).map((functionCall) => ({ functionCall }));
    if (calls.length > 0) yield chunk(calls);
    yield said.refusal ? chunk([], "SAFETY") : chunk([{ text: "" }], "STOP");
  },
};

/** A language model of VS Code, which refuses what the providers there refuse. */
export function vscodeModel(vscode, model, faults) {
  const { LanguageModelTextPart: Text, LanguageModelToolCallPart: Call } = vscode;
  const check = (messages) => {
    const steps = messages.map(({ role, content }) => {
      assert.ok(content.length > 0, "a message has content");
      const results = content.filter((part) => part instanceof vscode.LanguageModelToolResultPart);
      assert.deepEqual(content.slice(0, results.length), results, "results come first");
      const calls = content.filter((part) => part instanceof Call);
      assert.equal(role, calls.length > 0 ? 2 : role);
      return { calls: calls.map((it) => it.callId), results: results.map((it) => it.callId) };
    });
    assertAnswered(steps);
  };
  return {
    id: "model-1",
    async sendRequest(messages, _options, token) {
      try {
        check(messages);
      } catch (error) {
        faults.push(error.message);
        throw error;
      }
      const said = model.answer(messages);
      const stream = (async function* () {
        for (const text of textsOf(said)) {
          if (token.isCancellationRequested) throw new Error("Canceled");
          yield new Text(text);
          await null;
        }
        for (const { id, name, args } of said.calls ?? []) yield new Call(id, name, args);
      })();
      return { stream };
    },
  };
}
